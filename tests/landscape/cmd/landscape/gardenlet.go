package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"landscape/internal/launch"
)

// How gardenlet's code waits, in milliseconds. gardenlet itself looks each 5 or 10 s, and gives up after such times.
const interval = 250

var waits = map[string]struct{ severeThreshold, timeout int }{
	"BackupBucket":   {30_000, 3 * 60_000},
	"BackupEntry":    {30_000, 3 * 60_000},
	"DNSRecord":      {15_000, 2 * 60_000},
	"Infrastructure": {3 * 60_000, 10 * 60_000},
	"ControlPlane":   {30_000, 3 * 60_000},
	"Worker":         {30_000, 10 * 60_000},
	"Bastion":        {30_000, 5 * 60_000},
	"":               {30_000, 5 * 60_000},
}

// The gardenlet of one Shoot.
type gardenlet struct {
	landscape *launch.Landscape
	driver    *driver
	// Nil where nobody reconciles.
	extension       *extension
	namespace, name string
	// The objects of the files by kind.
	found map[string]map[string]any
	// The credentials: one account has the Shoot, its domain and the backups.
	data map[string]string

	// What the Infrastructure says of the network, once it is ready.
	network map[string]any
	// What a migration takes along, while the Shoot is on its way.
	saved map[string]any
}

// Has gardenlet's code carry out a command for the Shoot. `further` are fields in addition to those of the Shoot, or in place of them.
func (g *gardenlet) do(ctx context.Context, command string, further map[string]any) (map[string]any, error) {
	request := map[string]any{
		"command": command, "namespace": g.namespace, "name": g.name,
		"shoot": g.found["Shoot"], "cloudProfile": g.found["CloudProfile"], "seed": g.found["Seed"],
		"interval": interval, "severeThreshold": waits[""].severeThreshold, "timeout": waits[""].timeout,
	}
	maps.Copy(request, further)
	return g.driver.ask(ctx, request)
}

// Has gardenlet's code carry out commands for an object, and returns what the last one answers.
func (g *gardenlet) of(ctx context.Context, object object, commands ...string) (result map[string]any, err error) {
	for _, command := range commands {
		if result, err = g.do(ctx, command, object.fields(g)); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// Changes the Shoot as a person or gardener-apiserver would.
func (g *gardenlet) change(value any, field ...string) error {
	if err := unstructured.SetNestedField(g.found["Shoot"], value, field...); err != nil {
		return fmt.Errorf("the Shoot: %w", err)
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
