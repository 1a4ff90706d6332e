package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"landscape/internal/process"
)

// gardenlet-driver, which lies next to this program: it carries out one command after the other.
type driver struct {
	seed, shoot string
	// Nil until a command needs it, and after it has ended.
	running *conversation
}

type conversation struct {
	command  *exec.Cmd
	log      io.Closer
	input    io.Closer
	requests *json.Encoder
	answers  *json.Decoder
}

// Asks, and returns the answer. The program ends with `ctx`; after an error of the program itself the next command starts it again.
func (d *driver) ask(ctx context.Context, request map[string]any) (map[string]any, error) {
	if d.running == nil {
		running, err := startDriver(ctx, d.seed, d.shoot)
		if err != nil {
			return nil, err
		}
		d.running = running
	}
	var answer struct {
		Result map[string]any
		Error  *struct{ Message string }
	}
	if err := errors.Join(d.running.requests.Encode(request), d.running.answers.Decode(&answer)); err != nil {
		err = errors.Join(err, d.running.end())
		d.running = nil
		return nil, fmt.Errorf("%v: %w", request["command"], err)
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("%v: %s", request["command"], answer.Error.Message)
	}
	return answer.Result, nil
}

func startDriver(ctx context.Context, seed, shoot string) (*conversation, error) {
	path, err := beside("gardenlet-driver")
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(process.LogPath("gardenlet-driver", filepath.Dir(seed)), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, path, seed, shoot)
	command.Stderr = log
	input, err := command.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	if err := command.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return &conversation{command, log, input, json.NewEncoder(input), json.NewDecoder(output)}, nil
}

// The program ends with its input.
func (c *conversation) end() error {
	return errors.Join(c.input.Close(), c.command.Wait(), c.log.Close())
}

func (d *driver) close() error {
	if d.running == nil {
		return nil
	}
	return d.running.end()
}
