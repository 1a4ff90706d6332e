// Package servers starts etcd and API servers on loopback.
package servers

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"

	"landscape/internal/process"
)

// Etcd is a running etcd. It keeps nothing on purpose: no fsync, and its folder is the landscape's.
type Etcd struct {
	Process *process.Process
	// URL is where clients reach etcd: plain HTTP on loopback.
	URL string
}

// StartEtcd starts etcd and waits until it is healthy.
func StartEtcd(ctx context.Context, program, folder string) (*Etcd, error) {
	client, err := freePort()
	if err != nil {
		return nil, err
	}
	peer, err := freePort()
	if err != nil {
		return nil, err
	}
	clients, peers := fmt.Sprintf("http://127.0.0.1:%d", client), fmt.Sprintf("http://127.0.0.1:%d", peer)
	started, err := process.Start("etcd", folder, program,
		"--name=landscape",
		"--data-dir="+filepath.Join(folder, "etcd"),
		"--listen-client-urls="+clients,
		"--advertise-client-urls="+clients,
		"--listen-peer-urls="+peers,
		"--initial-advertise-peer-urls="+peers,
		"--initial-cluster=landscape="+peers,
		"--unsafe-no-fsync",
		"--log-level=warn",
	)
	if err != nil {
		return nil, err
	}
	if err := ready(ctx, started, http.DefaultClient, clients+"/health"); err != nil {
		started.Stop(0)
		return nil, err
	}
	return &Etcd{Process: started, URL: clients}, nil
}
