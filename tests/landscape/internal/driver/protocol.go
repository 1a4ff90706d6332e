// Package driver lets a program in any language use the code with which gardenlet creates extension resources, waits for
// them, migrates, restores and deletes them: a line of JSON asks for one call, and a line of JSON answers.
//
// The calls on extension resources are gardenlet's own packages, unchanged (components.go, records.go, backups.go, bastions.go). What gardenlet's
// larger packages do around them, for the namespace, the Cluster and the Secret `cloudprovider`, is repeated in seed.go, and what
// gardener-operator does for a garden in operator.go.
package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	strictjson "sigs.k8s.io/json"
)

// The longest line taken, in bytes: the API server takes no larger object either.
const longestLine = 4 << 20

// Request is one line of standard input. A field that this type lacks is an error. A field that an object of the garden has
// and its type in this version of Gardener lacks is dropped, as gardener-apiserver does, and standard error says so.
type Request struct {
	// ID comes back in the answer. Commands run side by side, so answers come in any order.
	ID      int64  `json:"id"`
	Command string `json:"command"`
	// Kind is one of those that `hello` answers with. BackupBuckets and BackupEntries have no namespace.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`

	Shoot        *gardencorev1beta1.Shoot        `json:"shoot"`
	CloudProfile *gardencorev1beta1.CloudProfile `json:"cloudProfile"`
	Seed         *gardencorev1beta1.Seed         `json:"seed"`
	// What gardenlet would put into the spec in addition to, or instead of, what follows from the Shoot.
	Spec Spec `json:"spec"`
	// Whether to annotate the operation in any case. Where false, only what needs a reconciliation is annotated.
	AnnotateOperation bool `json:"annotateOperation"`
	// Data of the Secret `cloudprovider`, of the Secrets with user data, or of the Secret that an object names: never printed.
	Data map[string]string `json:"data"`
	// The name of a Deployment, and how many replicas it gets.
	Deployment string `json:"deployment"`
	Replicas   *int32 `json:"replicas"`
	// Whether nothing is to be left of what a secrets manager has made.
	Remove bool `json:"remove"`
	// What `saveState` has answered.
	ShootState *gardencorev1beta1.ShootStateSpec `json:"shootState"`
	// Milliseconds: what is younger is no garbage.
	MinimumAge int64 `json:"minimumAge"`
	// What a ShootState has of the object.
	State     *runtime.RawExtension                      `json:"state"`
	Resources []gardencorev1beta1.NamedResourceReference `json:"resources"`
	// Milliseconds, all to be given by the caller that waits.
	Interval        int64 `json:"interval"`
	SevereThreshold int64 `json:"severeThreshold"`
	Timeout         int64 `json:"timeout"`
}

func (r Request) interval() time.Duration { return time.Duration(r.Interval) * time.Millisecond }
func (r Request) severeThreshold() time.Duration {
	return time.Duration(r.SevereThreshold) * time.Millisecond
}
func (r Request) timeout() time.Duration { return time.Duration(r.Timeout) * time.Millisecond }

// Answer is one line of standard output.
type Answer struct {
	ID     int64          `json:"id"`
	Result map[string]any `json:"result,omitempty"`
	Error  *Failure       `json:"error,omitempty"`
}

// Failure is an error with the codes that the extension gave.
type Failure struct {
	Message string                        `json:"message"`
	Codes   []gardencorev1beta1.ErrorCode `json:"codes,omitempty"`
}

// Serve answers requests until the input ends; then it cancels what still waits.
func (d *Driver) Serve(ctx context.Context, input io.Reader, output io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	var mutex sync.Mutex
	encoder := json.NewEncoder(output)
	answer := func(answer Answer) {
		mutex.Lock()
		defer mutex.Unlock()
		// Nobody reads any more where this fails, and then the input ends too.
		_ = encoder.Encode(answer)
	}
	said := map[string]bool{}
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		request, dropped, err := parse(line)
		for _, field := range dropped {
			if text := field.Error(); !said[text] {
				said[text] = true
				fmt.Fprintln(os.Stderr, "gardenlet-driver: dropped:", text)
			}
		}
		if err != nil {
			answer(Answer{ID: request.ID, Error: &Failure{Message: err.Error()}})
			continue
		}
		running.Add(1)
		go func() {
			defer running.Done()
			result, err := d.do(ctx, request)
			answer(Answer{request.ID, result, failure(err)})
		}()
	}
	return lines.Err()
}

// A request, and the errors for fields that were dropped. On an error the request still has its id where that could be read.
func parse(line []byte) (request Request, dropped []error, err error) {
	strict, err := strictjson.UnmarshalStrict(line, &request)
	for _, each := range strict {
		var field strictjson.FieldError
		if errors.As(each, &field) && ofGarden(field.FieldPath()) {
			dropped = append(dropped, each)
		} else {
			err = errors.Join(err, each)
		}
	}
	if err != nil {
		var id struct {
			ID int64 `json:"id"`
		}
		_ = json.Unmarshal(line, &id)
		return Request{ID: id.ID}, nil, fmt.Errorf("not a request: %w", err)
	}
	return request, dropped, nil
}

// Whether a path leads into an object of the garden.
func ofGarden(path string) bool {
	object, _, nested := strings.Cut(path, ".")
	return nested && slices.Contains([]string{"shoot", "cloudProfile", "seed"}, object)
}

func failure(err error) *Failure {
	if err == nil {
		return nil
	}
	return &Failure{Message: err.Error(), Codes: v1beta1helper.ExtractErrorCodes(err)}
}
