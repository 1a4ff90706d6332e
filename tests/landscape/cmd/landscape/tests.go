package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"landscape/internal/launch"
)

// A line of standard output of `landscape start`. docs/landscape.md has the table of events.
type event struct {
	Event     string         `json:"event"`
	Step      string         `json:"step,omitempty"`
	Seed      string         `json:"seed,omitempty"`
	Shoot     string         `json:"shoot,omitempty"`
	Server    string         `json:"server,omitempty"`
	Namespace string         `json:"namespace,omitempty"`
	PIDs      map[string]int `json:"pids,omitempty"`
	Message   string         `json:"message,omitempty"`
}

// A line of standard input of `landscape start`.
type command struct {
	Command string `json:"command"`
	// A name of `pids`, of `restart`.
	Server string `json:"server"`
	// Of `machines` and `stopMachines`.
	Namespace string `json:"namespace"`
	// The URL of a cloud, of `machines` and `admission`.
	Endpoint string `json:"endpoint"`
	// Whether the replicas of the Deployment `machine-controller-manager` say when, of `machines`.
	Follow bool `json:"follow"`
	// The name of a Project, of `project`.
	Project string `json:"project"`
	// The provider type, of `admission`.
	Provider string `json:"provider"`
	// What Shoots of the garden need, such as `Infrastructure/alicloud`, of `project`.
	Extensions []string `json:"extensions"`
}

// Starts a landscape, and takes commands.
func forTests(place place) error {
	var mutex sync.Mutex
	print := func(event event) {
		mutex.Lock()
		defer mutex.Unlock()
		_ = json.NewEncoder(os.Stdout).Encode(event)
	}
	progress := func(step string) { print(event{Event: "progress", Step: step}) }
	ready := func(_ context.Context, landscape *launch.Landscape) error {
		print(event{Event: "ready", Seed: landscape.Seed, Shoot: landscape.Shoot, PIDs: landscape.PIDs()})
		return nil
	}
	line := func(ctx context.Context, landscape *launch.Landscape, line []byte) {
		asked, done, err := perform(ctx, landscape, line)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			print(event{Event: "refused", Server: asked.Server, Namespace: asked.Namespace, Message: err.Error()})
		default:
			print(event{Event: done, Server: asked.Server, Namespace: asked.Namespace, PIDs: landscape.PIDs()})
		}
	}
	if err := hold(place, progress, ready, line); err != nil {
		print(event{Event: "error", Message: err.Error()})
		return err
	}
	print(event{Event: "stopped"})
	return nil
}

// Carries out a command. `done` is the event that says so.
func perform(ctx context.Context, landscape *launch.Landscape, line []byte) (asked command, done string, err error) {
	if err := json.Unmarshal(line, &asked); err != nil {
		return asked, "", fmt.Errorf("not a command: %w", err)
	}
	switch asked.Command {
	case "restart":
		return asked, "restarted", landscape.Restart(ctx, asked.Server)
	case "machines":
		look := landscape.RunMachines
		if asked.Follow {
			look = landscape.FollowMachines
		}
		return asked, "machinesStarted", look(ctx, asked.Namespace, asked.Endpoint)
	case "project":
		return asked, "projectCreated", landscape.CreateProject(ctx, asked.Project, asked.Extensions)
	case "admission":
		program := os.Getenv("TRELLIS")
		if program == "" {
			return asked, "", errors.New("nothing names the program: set TRELLIS")
		}
		return asked, "admissionStarted", landscape.Admit(ctx, program, asked.Provider, asked.Endpoint)
	case "stopMachines":
		return asked, "machinesStopped", landscape.StopMachines(asked.Namespace)
	}
	return asked, "", fmt.Errorf("unknown command %q", asked.Command)
}
