package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"landscape/internal/process"
)

// How many seconds of the simulated cloud pass in one: a network takes some seconds, so that a person sees it come.
const cloudClock = 10

// AccessKey is what a client of the cloud signs with.
type AccessKey struct{ ID, Secret string }

// Simulator is `trellis simulate`: a cloud on loopback.
type Simulator struct {
	// URL is where the cloud is: plain HTTP on loopback.
	URL string

	program, folder string
	arguments       []string
}

// Image is a custom image that machines are made of.
type Image struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Region string `json:"region"`
}

// NewSimulator chooses the port of a simulated cloud, and writes a file with its one account, which has `key` and `images`.
func NewSimulator(program, folder string, key AccessKey, images ...Image) (*Simulator, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	accounts, err := json.Marshal(map[string]any{"accounts": []any{map[string]any{
		"id":         "1000000000000001",
		"accessKeys": []any{map[string]any{"id": key.ID, "secret": key.Secret}},
		"images":     append([]Image{}, images...),
	}}})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "accounts.json")
	if err := os.WriteFile(path, accounts, 0o600); err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	return &Simulator{"http://" + address, program, folder, []string{
		"simulate",
		"--listen=" + address,
		"--accounts=" + path,
		fmt.Sprintf("--clock=%d", cloudClock),
	}}, nil
}

// Name is `trellis-simulate`.
func (s *Simulator) Name() string { return "trellis-simulate" }

// Grace is for calls that are being answered.
func (s *Simulator) Grace() time.Duration { return 5 * time.Second }

// Start starts the simulator and waits until it answers. On an error nothing runs.
func (s *Simulator) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, s.Name(), s.folder, s.URL+"/_simulator/health", s.program, s.arguments)
}

// Trellis is `trellis run`: the extension.
type Trellis struct {
	// Metrics and Health are addresses that answer with plain HTTP on loopback, Log is the path of the log.
	Metrics, Health, Log string

	program, folder string
	arguments       []string
}

// TrellisOptions says where an extension works.
type TrellisOptions struct {
	// Program is the path of `trellis`. Its policies are next to it, or where TRELLIS_POLICIES says.
	Program, Folder string
	// Provider is the type of the Shoots, Namespace that of the Lease and the heartbeat, Cloud the address of a simulator.
	Provider, Kubeconfig, Namespace, Cloud string
}

// NewTrellis chooses the ports of an extension.
func NewTrellis(options TrellisOptions) (*Trellis, error) {
	metrics, err := freePort()
	if err != nil {
		return nil, err
	}
	health, err := freePort()
	if err != nil {
		return nil, err
	}
	webhooks, err := freePort()
	if err != nil {
		return nil, err
	}
	trellis := &Trellis{
		Metrics: fmt.Sprintf("http://127.0.0.1:%d/metrics", metrics),
		Health:  fmt.Sprintf("http://127.0.0.1:%d/readyz", health),
		program: options.Program,
		folder:  options.Folder,
		arguments: []string{
			"run",
			"--provider=" + options.Provider,
			"--cloud=" + options.Cloud,
			"--kubeconfig=" + options.Kubeconfig,
			"--leader-election-namespace=" + options.Namespace,
			"--heartbeat-namespace=" + options.Namespace,
			// API servers are processes of this machine, and know no Service.
			"--webhook-config-mode=url",
			fmt.Sprintf("--webhook-config-url=127.0.0.1:%d", webhooks),
			"--webhook-config-server-host=127.0.0.1",
			fmt.Sprintf("--webhook-config-server-port=%d", webhooks),
			"--webhook-config-namespace=" + options.Namespace,
			"--shutdown-delay-seconds=0",
			fmt.Sprintf("--metrics-bind-address=127.0.0.1:%d", metrics),
			fmt.Sprintf("--health-bind-address=127.0.0.1:%d", health),
		},
	}
	trellis.Log = process.LogPath(trellis.Name(), options.Folder)
	return trellis, nil
}

// Name is `trellis-run`.
func (t *Trellis) Name() string { return "trellis-run" }

// Grace is for the answers of calls in flight, which are recorded.
func (t *Trellis) Grace() time.Duration { return 10 * time.Second }

// Start starts the extension and waits until it can work. On an error nothing runs.
func (t *Trellis) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, t.Name(), t.folder, t.Health, t.program, t.arguments)
}
