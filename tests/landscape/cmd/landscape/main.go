// Command landscape starts etcd, two API servers, the actor and Gardener's own programs, and ends them when its parent goes.
//
//	landscape start [--gardener] FOLDER [SHOOT-KUBECONFIG]   for tests: prints events as lines of JSON
//	landscape try [--gardener] FOLDER FILE...                for a person: applies a Shoot with what belongs to it, and says what to try
//
// With --gardener, the garden has Gardener's own API.
// Kubernetes' programs come from KUBEBUILDER_ASSETS where that is set, and else from the folder in LANDSCAPE_SERVERS, or
// from `servers` next to this program; Gardener's from `gardener` next to this program. Where TRELLIS names the program `trellis`, `try`
// also runs a simulated cloud and the extension.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"landscape/internal/launch"
	"landscape/internal/process"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == process.GuardCommand {
		os.Exit(process.Guard(os.Args[2], os.Args[3:]))
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "landscape:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	isGarden := len(arguments) > 1 && arguments[1] == "--gardener"
	if isGarden {
		arguments = slices.Delete(arguments, 1, 2)
	}
	switch {
	case len(arguments) == 2 && arguments[0] == "start":
		return forTests(place{arguments[1], "", isGarden})
	case len(arguments) == 3 && arguments[0] == "start":
		return forTests(place{arguments[1], arguments[2], isGarden})
	case len(arguments) > 2 && arguments[0] == "try":
		return forPerson(place{arguments[1], "", isGarden}, arguments[2:])
	}
	return errors.New("usage: landscape start [--gardener] FOLDER [SHOOT-KUBECONFIG] | landscape try [--gardener] FOLDER FILE...")
}

// Where a landscape is, and of what kind.
type place struct {
	folder string
	// The kubeconfig of another landscape's API server for Shoots, which this one has in place of its own.
	shoot string
	// Whether the garden has Gardener's own API.
	isGarden bool
}

// Starts the landscape, calls `ready`, and ends it when the parent has gone, standard input has ended, a signal comes, or a
// server fails. Then lines of standard input go to `line`, each in a goroutine of its own.
func hold(
	place place, progress func(string), ready func(context.Context, *launch.Landscape) error,
	line func(context.Context, *launch.Landscape, []byte),
) error {
	// A write to a pipe that nobody reads any more must not end this program before it has stopped the servers.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Lines that come before the landscape is ready wait here.
	lines := make(chan []byte, 16)
	gone := process.OrphanedOrEOF(func(line []byte) {
		select {
		case lines <- line:
		case <-ctx.Done():
		}
	})
	go func() {
		<-gone
		cancel()
	}()
	programs, err := serverPrograms()
	if err != nil {
		return err
	}
	ours, err := beside("")
	if err != nil {
		return err
	}
	gardener := ""
	if place.isGarden {
		gardener = filepath.Join(ours, "gardener", "gardener-apiserver")
	}
	landscape, err := launch.Start(ctx, launch.Options{
		Folder:            place.folder,
		KubeAPIServer:     filepath.Join(programs, "kube-apiserver"),
		Etcd:              filepath.Join(programs, "etcd"),
		ResourceManager:   filepath.Join(ours, "gardener", "gardener-resource-manager"),
		MachineController: filepath.Join(ours, "gardener", "machine-controller-manager"),
		MachineDriver:     filepath.Join(ours, "machine-driver"),
		GardenerAPIServer: gardener,
		Kinds:             filepath.Join(ours, "kinds"),
		Log:               slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Shoot:             place.shoot,
		Progress:          progress,
	})
	if err != nil && ctx.Err() != nil {
		// People who stop the landscape while it starts have no error to see.
		return nil
	}
	if err != nil {
		return err
	}
	is := make(chan error, 1)
	go func() { is <- ready(ctx, landscape) }()
	defer landscape.Stop()
	defer cancel()
	// Nil until the landscape is ready.
	var asked <-chan []byte
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-landscape.Failed():
			return err
		case err := <-is:
			if ctx.Err() == nil && err != nil {
				return err
			}
			asked = lines
		case text := <-asked:
			go line(ctx, landscape, text)
		}
	}
}

// The folder with kube-apiserver and etcd.
func serverPrograms() (string, error) {
	for _, variable := range []string{"KUBEBUILDER_ASSETS", "LANDSCAPE_SERVERS"} {
		if folder := os.Getenv(variable); folder != "" {
			return folder, nil
		}
	}
	return beside("servers")
}

// The path of what lies next to this program.
func beside(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(self), name), nil
}
