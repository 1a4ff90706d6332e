package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"landscape/internal/launch"
)

// A line of standard output of `landscape start`. docs/landscape.md has the table of events.
type event struct {
	Event   string         `json:"event"`
	Step    string         `json:"step,omitempty"`
	Seed    string         `json:"seed,omitempty"`
	Shoot   string         `json:"shoot,omitempty"`
	Server  string         `json:"server,omitempty"`
	PIDs    map[string]int `json:"pids,omitempty"`
	Message string         `json:"message,omitempty"`
}

// A line of standard input of `landscape start`.
type command struct {
	// `restart`.
	Command string `json:"command"`
	// A name of `pids`.
	Server string `json:"server"`
}

func forTests(folder string) error {
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
		asked, err := perform(ctx, landscape, line)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			print(event{Event: "refused", Server: asked.Server, Message: err.Error()})
		default:
			print(event{Event: "restarted", Server: asked.Server, PIDs: landscape.PIDs()})
		}
	}
	if err := hold(folder, progress, ready, line); err != nil {
		print(event{Event: "error", Message: err.Error()})
		return err
	}
	print(event{Event: "stopped"})
	return nil
}

func perform(ctx context.Context, landscape *launch.Landscape, line []byte) (command, error) {
	var asked command
	if err := json.Unmarshal(line, &asked); err != nil {
		return asked, fmt.Errorf("not a command: %w", err)
	}
	if asked.Command != "restart" {
		return asked, fmt.Errorf("unknown command %q", asked.Command)
	}
	return asked, landscape.Restart(ctx, asked.Server)
}
