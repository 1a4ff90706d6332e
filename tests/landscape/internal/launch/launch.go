// Package launch starts the whole landscape in the right order, restarts its servers, and ends it.
package launch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"landscape/internal/actor"
	"landscape/internal/garden"
	"landscape/internal/kinds"
	"landscape/internal/process"
	"landscape/internal/servers"
)

// Options says what to start and where.
type Options struct {
	// Folder takes the kubeconfigs, logs and data. It has to be empty or missing.
	Folder string
	// Paths of programs.
	KubeAPIServer, Etcd, ResourceManager, MachineController, MachineDriver string
	// GardenerAPIServer is the path of a program too. Where it is not empty, the garden has Gardener's own API.
	GardenerAPIServer string
	// Kinds is a folder with CustomResourceDefinitions.
	Kinds string
	// Shoot is the kubeconfig of another landscape's API server for Shoots, which this one has in place of its own: seeds that
	// trade a Shoot. It is empty elsewhere.
	Shoot string
	Log   *slog.Logger
	// Progress is called before each step.
	Progress func(step string)
}

// Landscape is what runs.
type Landscape struct {
	// Seed and Shoot are paths of the administrator's kubeconfigs. The seed is the garden too.
	Seed, Shoot string

	// Paths of programs.
	machineController, machineDriver string
	// The garden with Gardener's own API; nil elsewhere.
	garden *rest.Config

	cancel context.CancelFunc
	failed chan error
	// Held while servers start or stop.
	mutex sync.Mutex
	// By name.
	running map[string]*running
	// By namespace.
	followers map[string]*follower
	// How many stages there are.
	stages int
}

// A server, and the process that it has at present.
type running struct {
	server  Server
	process *process.Process
	// Servers of a stage need those of earlier ones.
	stage int
}

func (r *running) stop() { r.process.Stop(r.server.Grace()) }

// Server is what a landscape runs.
type Server interface {
	Name() string
	// Starts the server and waits until it is ready. On an error nothing runs.
	Start(ctx context.Context) (*process.Process, error)
	// How long the server has to end before it is killed.
	Grace() time.Duration
}

// Start starts etcd, then both API servers side by side, then the kinds, the actor and a gardener-resource-manager for each
// cluster, and writes the kubeconfigs last.
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
		Seed:              filepath.Join(folder, "seed.kubeconfig"),
		Shoot:             filepath.Join(folder, "shoot.kubeconfig"),
		machineController: options.MachineController,
		machineDriver:     options.MachineDriver,
		cancel:            cancel,
		failed:            make(chan error, 1),
		running:           map[string]*running{},
		followers:         map[string]*follower{},
	}
	if err := landscape.start(ctx, folder, options); err != nil {
		landscape.Stop()
		return nil, err
	}
	return landscape, nil
}

func (l *Landscape) start(ctx context.Context, folder string, options Options) error {
	options.Progress("etcd")
	etcd, err := servers.NewEtcd(options.Etcd, folder)
	if err != nil {
		return err
	}
	if err := l.Run(ctx, etcd); err != nil {
		return err
	}

	options.Progress("kube-apiservers of the seed and of the Shoot")
	names := []string{"seed", "shoot"}
	if options.Shoot != "" {
		names = names[:1]
	}
	var own []*servers.APIServer
	var all []Server
	for _, name := range names {
		aggregates := name == "seed" && options.GardenerAPIServer != ""
		server, err := servers.NewAPIServer(options.KubeAPIServer, folder, name, etcd.URL, aggregates)
		if err != nil {
			return err
		}
		own, all = append(own, server), append(all, server)
	}
	if err := l.Run(ctx, all...); err != nil {
		return err
	}
	seed := own[0]
	shoot := cluster{options.Shoot, nil}
	if options.Shoot == "" {
		shoot = cluster{own[1].Kubeconfig, own[1].Config}
	} else if shoot.config, err = clientcmd.BuildConfigFromFlags("", options.Shoot); err != nil {
		return err
	}

	options.Progress("Gardener's kinds")
	if err := kinds.Install(ctx, seed.Config, options.Kinds); err != nil {
		return err
	}
	if options.GardenerAPIServer != "" {
		options.Progress("gardener-apiserver")
		if err := l.serveGarden(ctx, folder, options.GardenerAPIServer, seed, etcd.URL); err != nil {
			return err
		}
	}
	options.Progress("the actor")
	for _, server := range own {
		if err := actor.Run(ctx, options.Log.With("server", server.Name()), server.Config); err != nil {
			return fmt.Errorf("the actor beside %s: %w", server.Name(), err)
		}
	}
	if err := actor.RegisterNodes(ctx, options.Log, seed.Config, shoot.config); err != nil {
		return fmt.Errorf("the actor beside both: %w", err)
	}
	options.Progress("gardener-resource-manager for the seed and for the Shoot")
	if err := l.manageResources(ctx, folder, options.ResourceManager, seed.Kubeconfig, shoot.kubeconfig); err != nil {
		return err
	}
	if err := servers.WriteKubeconfig(l.Shoot, "shoot", shoot.config); err != nil {
		return err
	}
	return servers.WriteKubeconfig(l.Seed, "seed", seed.Config)
}

// Starts Gardener's own API server next to that of the seed, which is the garden too.
func (l *Landscape) serveGarden(ctx context.Context, folder, program string, seed *servers.APIServer, etcd string) error {
	server, err := servers.NewGardenerAPIServer(program, folder, seed.Kubeconfig, etcd)
	if err != nil {
		return err
	}
	if err := l.Run(ctx, server); err != nil {
		return err
	}
	if err := garden.Register(ctx, seed.Config, server); err != nil {
		return err
	}
	l.garden = seed.Config
	return nil
}

// CreateProject creates a Project of the garden with its namespace, and registers extensions, as far as they are missing.
func (l *Landscape) CreateProject(ctx context.Context, name string, extensions []string) error {
	if l.garden == nil {
		return errNoGarden
	}
	if err := garden.RegisterExtensions(ctx, l.garden, extensions); err != nil {
		return err
	}
	return garden.CreateProject(ctx, l.garden, name)
}

// Admit starts `trellis admission` for a provider, which has the garden call its webhooks.
func (l *Landscape) Admit(ctx context.Context, program, provider, cloud string) error {
	if l.garden == nil {
		return errNoGarden
	}
	const namespace = "garden"
	err := garden.Create(ctx, l.garden, map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace},
	})
	if err != nil {
		return err
	}
	admission, err := servers.NewAdmission(servers.TrellisOptions{
		Program: program, Folder: filepath.Dir(l.Seed),
		Provider: provider, Kubeconfig: l.Seed, Namespace: namespace, Cloud: cloud,
	})
	if err != nil {
		return err
	}
	return l.Run(ctx, admission)
}

// CreateInGarden creates objects in the garden, as far as they are missing.
func (l *Landscape) CreateInGarden(ctx context.Context, objects ...map[string]any) error {
	if l.garden == nil {
		return errNoGarden
	}
	return garden.Create(ctx, l.garden, objects...)
}

var errNoGarden = errors.New("this landscape has no Gardener API: start it with --gardener")

// The API server of Shoots: the path of a kubeconfig, and what that says.
type cluster struct {
	kubeconfig string
	config     *rest.Config
}

// Starts what applies the ManagedResources of the seed's namespaces: those of class `seed` into the seed, as in each seed of
// Gardener, and those without a class into the Shoot. Gardener has one for each Shoot; here one looks at all namespaces.
func (l *Landscape) manageResources(ctx context.Context, folder, program, seed, shoot string) error {
	var managers []Server
	for _, each := range []struct{ cluster, class, target string }{{"seed", "seed", seed}, {"shoot", servers.DefaultResourceClass, shoot}} {
		manager, err := servers.NewResourceManager(servers.ResourceManagerOptions{
			Program: program, Folder: folder, Cluster: each.cluster, Class: each.class,
			Source: seed, Target: each.target, Tokens: each.cluster == "shoot",
		})
		if err != nil {
			return err
		}
		managers = append(managers, manager)
	}
	return l.Run(ctx, managers...)
}

// Run starts servers side by side, and waits until they are ready. They may need all that run already, and end before those.
func (l *Landscape) Run(ctx context.Context, servers ...Server) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	processes := make([]*process.Process, len(servers))
	errs := make([]error, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Add(1)
		go func() {
			defer all.Done()
			processes[i], errs[i] = server.Start(ctx)
		}()
	}
	all.Wait()
	for i, server := range servers {
		if errs[i] == nil {
			l.running[server.Name()] = &running{server, processes[i], l.stages}
			go l.watch(processes[i])
		}
	}
	l.stages++
	return errors.Join(errs...)
}

func (l *Landscape) watch(server *process.Process) {
	<-server.Done()
	if !server.Stopped() {
		l.fail(server.Err())
	}
}

// The first failure counts.
func (l *Landscape) fail(err error) {
	select {
	case l.failed <- err:
	default:
	}
}

// Failed receives an error when a server ends that nobody stopped, or does not start again.
func (l *Landscape) Failed() <-chan error { return l.failed }

// PIDs returns the process ids of the servers by name, for tests that freeze or kill one.
func (l *Landscape) PIDs() map[string]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	pids := map[string]int{}
	for name, running := range l.running {
		pids[name] = running.process.PID()
	}
	return pids
}

// Restart stops a server, starts it again at the same port, and waits until it is ready. A server that does not start again
// is a failure of the landscape too.
func (l *Landscape) Restart(ctx context.Context, name string) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	running, ok := l.running[name]
	if !ok {
		return fmt.Errorf("no server %q: one of %v", name, slices.Sorted(maps.Keys(l.running)))
	}
	running.stop()
	started, err := running.server.Start(ctx)
	if err != nil {
		delete(l.running, name)
		l.fail(err)
		return err
	}
	running.process = started
	go l.watch(started)
	return nil
}

// Stop ends everything: stage by stage, the last one first, and the servers of a stage side by side.
func (l *Landscape) Stop() {
	// What starts at this moment gives up.
	l.cancel()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for stage := l.stages - 1; stage >= 0; stage-- {
		var all sync.WaitGroup
		for _, running := range l.running {
			if running.stage != stage {
				continue
			}
			all.Add(1)
			go func() {
				defer all.Done()
				running.stop()
			}()
		}
		all.Wait()
	}
}
