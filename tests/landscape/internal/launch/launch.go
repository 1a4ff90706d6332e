// Package launch starts the whole landscape in the right order, and ends it.
package launch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"landscape/internal/actor"
	"landscape/internal/crds"
	"landscape/internal/process"
	"landscape/internal/servers"
)

// Options says what to start and where.
type Options struct {
	// Folder takes the kubeconfigs, logs and data. It has to be empty or missing.
	Folder string
	// KubeAPIServer and Etcd are paths of programs.
	KubeAPIServer, Etcd string
	Log                 *slog.Logger
	// Progress is called before each step.
	Progress func(step string)
}

// Landscape is what runs.
type Landscape struct {
	// Seed and Shoot are paths of the administrator's kubeconfigs. The seed is the garden too.
	Seed, Shoot string
	// PIDs of the servers, for tests that freeze or kill one.
	PIDs map[string]int

	// The servers in the order in which they started.
	servers []*process.Process
	cancel  context.CancelFunc
	failed  chan error
}

// Start starts etcd, then both API servers side by side, then the kinds and the actor, and writes the kubeconfigs last.
func Start(ctx context.Context, options Options) (*Landscape, error) {
	if entries, err := os.ReadDir(options.Folder); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty: give a folder of its own to each landscape", options.Folder)
	}
	if err := os.MkdirAll(options.Folder, 0o700); err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(options.Folder)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	landscape := &Landscape{
		Seed:   filepath.Join(folder, "seed.kubeconfig"),
		Shoot:  filepath.Join(folder, "shoot.kubeconfig"),
		PIDs:   map[string]int{},
		cancel: cancel,
		failed: make(chan error, 3),
	}
	if err := landscape.start(ctx, folder, options); err != nil {
		landscape.Stop()
		return nil, err
	}
	return landscape, nil
}

func (l *Landscape) start(ctx context.Context, folder string, options Options) error {
	options.Progress("etcd")
	etcd, err := servers.StartEtcd(ctx, options.Etcd, folder)
	if err != nil {
		return err
	}
	l.keep("etcd", etcd.Process)

	options.Progress("kube-apiservers of the seed and of the Shoot")
	names := []string{"seed", "shoot"}
	started := make([]*servers.APIServer, len(names))
	errs := make([]error, len(names))
	var both sync.WaitGroup
	for i, name := range names {
		both.Add(1)
		go func() {
			defer both.Done()
			started[i], errs[i] = servers.StartAPIServer(ctx, options.KubeAPIServer, folder, name, etcd.URL)
		}()
	}
	both.Wait()
	for i, name := range names {
		if started[i] != nil {
			l.keep(name+"-apiserver", started[i].Process)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}

	options.Progress("kinds of extensions.gardener.cloud")
	if err := crds.Install(ctx, started[0].Config); err != nil {
		return err
	}
	options.Progress("the actor")
	for i, name := range names {
		if err := actor.Run(ctx, options.Log.With("cluster", name), started[i].Config); err != nil {
			return fmt.Errorf("the actor in the %s: %w", name, err)
		}
	}
	if err := servers.WriteKubeconfig(l.Shoot, "shoot", started[1].Config); err != nil {
		return err
	}
	return servers.WriteKubeconfig(l.Seed, "seed", started[0].Config)
}

func (l *Landscape) keep(name string, server *process.Process) {
	l.servers = append(l.servers, server)
	l.PIDs[name] = server.PID()
	go func() {
		<-server.Done()
		l.failed <- server.Err()
	}()
}

// Failed receives an error when a server ends that nobody stopped.
func (l *Landscape) Failed() <-chan error { return l.failed }

// Stop ends everything: what started last ends first, and API servers side by side.
func (l *Landscape) Stop() {
	l.cancel()
	if len(l.servers) == 0 {
		return
	}
	var all sync.WaitGroup
	for _, server := range l.servers[1:] {
		all.Add(1)
		go func() {
			defer all.Done()
			server.Stop(10 * time.Second)
		}()
	}
	all.Wait()
	l.servers[0].Stop(5 * time.Second)
}
