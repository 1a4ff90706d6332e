// Package standin stands in for gardenlet: it creates extension resources, waits for them, migrates, restores and deletes
// them, as the contract of extensions says gardenlet does.
//
// It is NOT gardenlet's code. A test that passes against it shows that an extension follows the contract as Trellis reads
// it, and not that gardenlet believes the extension. The line protocol is what a program on gardenlet's own packages would
// serve too, so that this package is all there is to replace.
package standin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Implementation is what `hello` answers, so that no test can mistake this program for gardenlet.
const Implementation = "stand-in"

// The longest line taken, in bytes: the API server takes no larger object either.
const longestLine = 4 << 20

// Request is one line of standard input.
type Request struct {
	// ID comes back in the answer. Commands run side by side, so answers come in any order.
	ID      int64  `json:"id"`
	Command string `json:"command"`
	// Kind is `Infrastructure`, `ControlPlane` or `Worker`.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Objects of `core.gardener.cloud/v1beta1`.
	Shoot        map[string]any `json:"shoot"`
	CloudProfile map[string]any `json:"cloudProfile"`
	Seed         map[string]any `json:"seed"`
	// Fields of the spec beside, or instead of, those that follow from the Shoot.
	Spec map[string]any `json:"spec"`
	// Whether to annotate the operation in any case. Where false, only what needs a reconciliation is annotated.
	AnnotateOperation bool `json:"annotateOperation"`
	// Data of the Secret `cloudprovider`, never printed.
	Data map[string]string `json:"data"`
	// What a ShootState has of the object.
	State     map[string]any `json:"state"`
	Resources []any          `json:"resources"`
	// Milliseconds, all to be given by whoever waits.
	Interval        int64 `json:"interval"`
	SevereThreshold int64 `json:"severeThreshold"`
	Timeout         int64 `json:"timeout"`
}

// Answer is one line of standard output.
type Answer struct {
	ID     int64          `json:"id"`
	Result map[string]any `json:"result,omitempty"`
	Error  *Failure       `json:"error,omitempty"`
}

// Failure is an error with the codes that the extension gave.
type Failure struct {
	Message string   `json:"message"`
	Codes   []string `json:"codes,omitempty"`
}

// Client performs commands against a seed.
type Client struct {
	objects dynamic.Interface
	now     func() time.Time
}

// NewClient returns a client of the seed that `config` leads to.
func NewClient(config *rest.Config) (*Client, error) {
	config = rest.AddUserAgent(config, "gardenlet-stand-in")
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Client{objects, time.Now}, nil
}

// Serve answers requests until the input ends; then it cancels what still waits.
func Serve(ctx context.Context, client *Client, input io.Reader, output io.Writer) error {
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
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		request, err := parse(line)
		if err != nil {
			answer(Answer{ID: request.ID, Error: &Failure{Message: err.Error()}})
			continue
		}
		running.Add(1)
		go func() {
			defer running.Done()
			result, err := client.Do(ctx, request)
			answer(Answer{request.ID, result, failure(err)})
		}()
	}
	return lines.Err()
}

// On an error the request still has its id where that could be read.
func parse(line []byte) (Request, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	var request Request
	if err := decoder.Decode(&request); err != nil {
		var id struct {
			ID int64 `json:"id"`
		}
		_ = json.Unmarshal(line, &id)
		return Request{ID: id.ID}, fmt.Errorf("not a request: %w", err)
	}
	return request, nil
}

func failure(err error) *Failure {
	if err == nil {
		return nil
	}
	failure := &Failure{Message: err.Error()}
	var coded codedError
	if errors.As(err, &coded) {
		failure.Codes = coded.codes
	}
	return failure
}

// Do performs one command. docs/landscape.md has the table of commands.
func (c *Client) Do(ctx context.Context, request Request) (map[string]any, error) {
	switch request.Command {
	case "hello":
		return map[string]any{"implementation": Implementation, "kinds": kinds()}, nil
	case "namespace":
		return nil, c.deployNamespace(ctx, request)
	case "cluster":
		return nil, c.deployCluster(ctx, request)
	case "cloudprovider":
		return nil, c.deployCloudProvider(ctx, request)
	case "deleteNamespace":
		return nil, c.deleteNamespace(ctx, request)
	}
	object, err := c.object(request)
	if err != nil {
		return nil, err
	}
	switch request.Command {
	case "deploy":
		return object.deploy(ctx, operationReconcile)
	case "restore":
		return object.restore(ctx)
	case "migrate":
		return nil, object.migrate(ctx)
	case "destroy":
		return nil, object.destroy(ctx)
	case "wait":
		return object.wait(ctx)
	case "waitMigrate":
		return nil, object.waitMigrate(ctx)
	case "waitCleanup":
		return nil, object.waitCleanup(ctx)
	}
	return nil, fmt.Errorf("unknown command %q", request.Command)
}
