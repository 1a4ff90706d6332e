package driver

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/gardener/gardener/pkg/client/kubernetes"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The Go module of gardenlet's packages.
const gardener = "github.com/gardener/gardener"

// Driver performs commands against a seed.
type Driver struct {
	// Reads from the API server.
	live client.Client
	// Reads from a cache, as gardenlet's components do: while the API server is away, they wait on.
	cached client.Client
	// Nil where commands need no Shoot.
	shoot *rest.Config
}

// New returns a driver for the seed that `config` leads to, and, where `shoot` is not nil, for the API server of Shoots. Its
// cache ends with the context.
func New(ctx context.Context, config, shoot *rest.Config) (*Driver, error) {
	config = rest.AddUserAgent(config, "gardenlet")
	objects, err := cache.New(config, cache.Options{Scheme: kubernetes.SeedScheme})
	if err != nil {
		return nil, err
	}
	go func() {
		// It returns at once only where it runs already.
		_ = objects.Start(ctx)
	}()
	// A read of a cache that has not begun is an error.
	if !objects.WaitForCacheSync(ctx) {
		return nil, context.Cause(ctx)
	}
	live, err := client.New(config, client.Options{Scheme: kubernetes.SeedScheme})
	if err != nil {
		return nil, err
	}
	// A command may need the Secret that the last one wrote, and the cache of Secrets may not have it yet.
	reads := &client.CacheOptions{Reader: objects, DisableFor: []client.Object{&corev1.Secret{}}}
	cached, err := client.New(config, client.Options{Scheme: kubernetes.SeedScheme, Cache: reads})
	if err != nil {
		return nil, err
	}
	return &Driver{live, cached, shoot}, nil
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
	case "access":
		return d.deployAccess(ctx, request)
	case "scale":
		return nil, d.scale(ctx, request)
	case "userData":
		return d.deployUserData(ctx, request)
	case "secretsManager":
		return d.manageSecrets(ctx, request)
	case "collectGarbage":
		return nil, d.collectGarbage(ctx, request)
	case "saveState":
		return d.saveState(ctx, request)
	case "restoreState":
		return nil, d.restoreState(ctx, request)
	case "forgetMachines":
		return nil, d.forgetMachines(ctx, request)
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
		if err := d.laterSecond(ctx, request); err != nil {
			return nil, err
		}
		return d.written(ctx, request, component.Deploy(ctx))
	case "wait":
		return d.status(ctx, request, component.Wait(ctx))
	case "migrate":
		_, err := d.written(ctx, request, component.Migrate(ctx))
		return nil, err
	case "waitMigrate":
		return nil, component.WaitMigrate(ctx)
	case "restore":
		return d.written(ctx, request, component.Restore(ctx, shootState(request)))
	case "destroy":
		_, err := d.written(ctx, request, component.Destroy(ctx))
		return nil, err
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
