// Package servers starts etcd and API servers on loopback. A server that has ended can be started again: it has the same
// port, data and credentials then.
package servers

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"landscape/internal/process"
)

// Etcd keeps nothing on purpose: no fsync, and its folder is the landscape's.
type Etcd struct {
	// URL is where clients reach etcd: plain HTTP on loopback.
	URL string

	program, folder string
	arguments       []string
}

// NewEtcd chooses the ports of an etcd.
func NewEtcd(program, folder string) (*Etcd, error) {
	client, err := freePort()
	if err != nil {
		return nil, err
	}
	peer, err := freePort()
	if err != nil {
		return nil, err
	}
	clients, peers := fmt.Sprintf("http://127.0.0.1:%d", client), fmt.Sprintf("http://127.0.0.1:%d", peer)
	return &Etcd{clients, program, folder, []string{
		"--name=landscape",
		"--data-dir=" + filepath.Join(folder, "etcd"),
		"--listen-client-urls=" + clients,
		"--advertise-client-urls=" + clients,
		"--listen-peer-urls=" + peers,
		"--initial-advertise-peer-urls=" + peers,
		"--initial-cluster=landscape=" + peers,
		"--unsafe-no-fsync",
		"--log-level=warn",
	}}, nil
}

// Name is `etcd`.
func (e *Etcd) Name() string { return "etcd" }

// Grace is short: etcd waits for its clients' watches to end, which they do not.
func (e *Etcd) Grace() time.Duration { return time.Second }

// Start starts etcd and waits until it is healthy. On an error nothing runs.
func (e *Etcd) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, e.Name(), e.folder, e.URL+"/health", e.program, e.arguments)
}

// Starts a program and waits until `url` answers with ok. On an error nothing runs.
func start(ctx context.Context, name, folder, url, program string, arguments []string) (*process.Process, error) {
	started, err := process.Start(name, folder, program, arguments...)
	if err != nil {
		return nil, err
	}
	if err := ready(ctx, started, http.DefaultClient, url); err != nil {
		started.Stop(0)
		return nil, err
	}
	return started, nil
}
