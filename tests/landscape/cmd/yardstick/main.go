// Command yardstick reads reviews of admission over TLS and allows all of them: what a machine can do with a server in Go that decides
// nothing. Benchmarks run it next to `trellis admission`.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	admission "k8s.io/api/admission/v1"
)

// The largest review, as for trellis admission.
const most = 7 << 20

func main() {
	certificate := flag.String("certificate", "", "the certificate of the server, in PEM")
	key := flag.String("key", "", "its key, in PEM")
	flag.Parse()
	if err := serve(*certificate, *key); err != nil {
		fmt.Fprintln(os.Stderr, "yardstick:", err)
		os.Exit(1)
	}
}

// Serves on a port of loopback, and prints its address.
func serve(certificate, key string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.ServeTLS(listener, http.HandlerFunc(answer), certificate, key)
}

func answer(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, most))
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	var review admission.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil || review.Request == nil {
		http.Error(response, "not a review", http.StatusBadRequest)
		return
	}
	// The object is read as an extension would read it, if into a tree.
	var object map[string]any
	if err := json.Unmarshal(review.Request.Object.Raw, &object); err != nil {
		http.Error(response, "not an object", http.StatusBadRequest)
		return
	}
	review.Response = &admission.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	response.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(response).Encode(review); err != nil {
		fmt.Fprintln(os.Stderr, "yardstick:", err)
	}
}
