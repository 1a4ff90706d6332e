package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"landscape/internal/process"
)

// How gardenlet's code waits for an Infrastructure, in milliseconds. gardenlet itself looks each 10 s, and gives up as here.
const (
	interval        = 1_000
	severeThreshold = 3 * 60_000
	timeout         = 10 * 60_000
)

// The commands by which gardenlet's code creates what a Shoot has in the seed up to its Infrastructure.
var creation = []string{"namespace", "cluster", "cloudprovider", "deploy"}

// Has gardenlet's code carry out commands for a Shoot and its Infrastructure: gardenlet-driver lies beside this program.
func gardenlet(
	ctx context.Context, kubeconfig, namespace, name string, found map[string]map[string]any, commands ...string,
) (err error) {
	data, err := secretData(found["Secret"])
	if err != nil {
		return err
	}
	path, err := beside("gardenlet-driver")
	if err != nil {
		return err
	}
	driver := exec.CommandContext(ctx, path, kubeconfig)
	log, err := os.OpenFile(process.LogPath("gardenlet-driver", filepath.Dir(kubeconfig)), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	driver.Stderr = log
	input, err := driver.StdinPipe()
	if err != nil {
		return err
	}
	output, err := driver.StdoutPipe()
	if err != nil {
		return err
	}
	if err := driver.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, input.Close(), driver.Wait()) }()
	requests, answers := json.NewEncoder(input), json.NewDecoder(output)
	for _, command := range commands {
		err := requests.Encode(map[string]any{
			"command": command, "kind": "Infrastructure", "namespace": namespace, "name": name,
			"shoot": found["Shoot"], "cloudProfile": found["CloudProfile"], "seed": found["Seed"], "data": data,
			"annotateOperation": true,
			"interval":          interval, "severeThreshold": severeThreshold, "timeout": timeout,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		var answer struct{ Error *struct{ Message string } }
		if err := answers.Decode(&answer); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		if answer.Error != nil {
			return fmt.Errorf("%s: %s", command, answer.Error.Message)
		}
	}
	return nil
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
