package driver

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/gardener/gardener/pkg/client/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The Go module of gardenlet's packages.
const gardener = "github.com/gardener/gardener"

// Driver performs commands against a seed.
type Driver struct {
	// Reads from the API server, never from a cache.
	client client.Client
}

// New returns a driver for the seed that `config` leads to.
func New(config *rest.Config) (*Driver, error) {
	config = rest.AddUserAgent(config, "gardenlet")
	client, err := client.New(config, client.Options{Scheme: kubernetes.SeedScheme})
	if err != nil {
		return nil, err
	}
	return &Driver{client}, nil
}

// Performs one command. docs/landscape.md has the table of commands.
func (d *Driver) do(ctx context.Context, request Request) (map[string]any, error) {
	switch request.Command {
	case "hello":
		return map[string]any{"implementation": "gardenlet", "version": version(), "kinds": kinds()}, nil
	case "namespace":
		return nil, d.deployNamespace(ctx, request)
	case "cluster":
		return nil, d.deployCluster(ctx, request)
	case "cloudprovider":
		return nil, d.deployCloudProvider(ctx, request)
	case "deleteNamespace":
		return nil, d.deleteNamespace(ctx, request)
	}
	component, err := d.component(request)
	if err != nil {
		return nil, err
	}
	switch request.Command {
	case "wait", "waitMigrate", "waitCleanup":
		if request.Interval <= 0 || request.Timeout <= 0 {
			return nil, fmt.Errorf("command %q lacks an interval or a timeout", request.Command)
		}
	}
	switch request.Command {
	case "deploy":
		if err := component.Deploy(ctx); err != nil {
			return nil, err
		}
		return d.deployed(ctx, request)
	case "wait":
		if err := component.Wait(ctx); err != nil {
			return nil, err
		}
		return d.status(ctx, request)
	case "migrate":
		return nil, component.Migrate(ctx)
	case "waitMigrate":
		return nil, component.WaitMigrate(ctx)
	case "restore":
		if err := component.Restore(ctx, shootState(request)); err != nil {
			return nil, err
		}
		return d.deployed(ctx, request)
	case "destroy":
		return nil, component.Destroy(ctx)
	case "waitCleanup":
		return nil, component.WaitCleanup(ctx)
	}
	return nil, fmt.Errorf("unknown command %q", request.Command)
}

// The version of the Go module of gardenlet's packages.
func version() string {
	if about, ok := debug.ReadBuildInfo(); ok {
		for _, module := range about.Deps {
			if module.Path == gardener {
				return module.Version
			}
		}
	}
	return "unknown"
}
