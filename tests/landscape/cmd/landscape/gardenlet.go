package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"landscape/internal/launch"
	"landscape/internal/process"
)

// How gardenlet's code waits, in milliseconds. gardenlet itself looks each 5 or 10 s, and gives up as here.
const interval = 1_000

var waits = map[string]struct{ severeThreshold, timeout int }{
	"Infrastructure": {3 * 60_000, 10 * 60_000},
	"ControlPlane":   {30_000, 3 * 60_000},
	"Worker":         {30_000, 10 * 60_000},
}

// The gardenlet of one Shoot.
type gardenlet struct {
	landscape       *launch.Landscape
	namespace, name string
	// The objects of the files by kind.
	found map[string]map[string]any
}

// Has gardenlet's code carry out commands, and returns what the last one answers: gardenlet-driver lies next to this program.
// `further` are fields in addition to those of the Shoot.
func (g *gardenlet) do(ctx context.Context, kind string, further map[string]any, commands ...string) (result map[string]any, err error) {
	data, err := secretData(g.found["Secret"])
	if err != nil {
		return nil, err
	}
	path, err := beside("gardenlet-driver")
	if err != nil {
		return nil, err
	}
	driver := exec.CommandContext(ctx, path, g.landscape.Seed, g.landscape.Shoot)
	log, err := os.OpenFile(process.LogPath("gardenlet-driver", filepath.Dir(g.landscape.Seed)), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	driver.Stderr = log
	input, err := driver.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := driver.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := driver.Start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, input.Close(), driver.Wait()) }()
	requests, answers := json.NewEncoder(input), json.NewDecoder(output)
	for _, command := range commands {
		request := map[string]any{
			"command": command, "kind": kind, "namespace": g.namespace, "name": g.name,
			"shoot": g.found["Shoot"], "cloudProfile": g.found["CloudProfile"], "seed": g.found["Seed"],
			"annotateOperation": true,
			"interval":          interval, "severeThreshold": waits[kind].severeThreshold, "timeout": waits[kind].timeout,
		}
		if command == "cloudprovider" {
			request["data"] = data
		}
		maps.Copy(request, further)
		if err := requests.Encode(request); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		var answer struct {
			Result map[string]any
			Error  *struct{ Message string }
		}
		if err := answers.Decode(&answer); err != nil {
			return nil, fmt.Errorf("%s: %w", command, err)
		}
		if answer.Error != nil {
			return nil, fmt.Errorf("%s: %s", command, answer.Error.Message)
		}
		result = answer.Result
	}
	return result, nil
}

// What a Secret has in `data` and `stringData`, decoded.
func secretData(secret map[string]any) (map[string]string, error) {
	found, _, err := unstructured.NestedStringMap(secret, "stringData")
	if err != nil {
		return nil, err
	}
	data, _, err := unstructured.NestedStringMap(secret, "data")
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = map[string]string{}
	}
	for key, value := range data {
		decoded, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			return nil, fmt.Errorf("key %s of the Secret is not base64", key)
		}
		found[key] = string(decoded)
	}
	return found, nil
}
