package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	config "github.com/gardener/gardener/pkg/apis/config/resourcemanager/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/cert"
	componentbaseconfig "k8s.io/component-base/config/v1alpha1"
	"sigs.k8s.io/yaml"

	"landscape/internal/process"
)

// How often gardener-resource-manager looks again at what it has applied. It takes no less.
const syncPeriod = 15 * time.Second

// ResourceManager is a gardener-resource-manager.
type ResourceManager struct {
	name, program, folder, health, config string
}

// ResourceManagerOptions says which ManagedResources a gardener-resource-manager applies.
type ResourceManagerOptions struct {
	Program, Folder string
	// Cluster names the target: `seed` or `shoot`.
	Cluster string
	// Class is that of the ManagedResources. DefaultResourceClass stands for those without one.
	Class string
	// Source and Target are kubeconfigs: of the ManagedResources, and of what they contain.
	Source, Target string
	// Tokens says whether to make the tokens that Secrets of the source ask for, in the target.
	Tokens bool
}

// DefaultResourceClass is the class of ManagedResources without one.
const DefaultResourceClass = config.DefaultResourceClass

// NewResourceManager chooses the ports of a gardener-resource-manager, and writes its configuration.
func NewResourceManager(options ResourceManagerOptions) (*ResourceManager, error) {
	name := options.Cluster + "-resource-manager"
	home := filepath.Join(options.Folder, name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	// No webhook is registered, and gardener-resource-manager serves them all the same.
	certificate, key, err := cert.GenerateSelfSignedCertKey("localhost", nil, nil)
	if err != nil {
		return nil, err
	}
	for name, text := range map[string][]byte{"tls.crt": certificate, "tls.key": key} {
		if err := os.WriteFile(filepath.Join(home, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	var ports [3]int
	for i := range ports {
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	server := func(port int) *config.Server { return &config.Server{BindAddress: loopback, Port: port} }
	period := &metav1.Duration{Duration: syncPeriod}
	connection := func(kubeconfig string) config.ClientConnection {
		return config.ClientConnection{ClientConnectionConfiguration: componentbaseconfig.ClientConnectionConfiguration{
			Kubeconfig: kubeconfig, QPS: 200, Burst: 400,
		}}
	}
	target, isElected := connection(options.Target), false
	webhooks := config.HTTPSServer{Server: *server(ports[0])}
	webhooks.TLS.ServerCertDir = home
	text, err := yaml.Marshal(config.ResourceManagerConfiguration{
		TypeMeta:               metav1.TypeMeta{APIVersion: config.SchemeGroupVersion.String(), Kind: "ResourceManagerConfiguration"},
		SourceClientConnection: connection(options.Source),
		TargetClientConnection: &target,
		LeaderElection:         componentbaseconfig.LeaderElectionConfiguration{LeaderElect: &isElected},
		LogFormat:              "text",
		Server:                 config.ServerConfiguration{Webhooks: webhooks, HealthProbes: server(ports[1]), Metrics: server(ports[2])},
		Controllers: config.ResourceManagerControllerConfiguration{
			ResourceClass:    &options.Class,
			GarbageCollector: config.GarbageCollectorControllerConfig{Enabled: true, SyncPeriod: period},
			Health:           config.HealthControllerConfig{SyncPeriod: period},
			ManagedResource:  config.ManagedResourceControllerConfig{SyncPeriod: period},
			TokenRequestor:   config.TokenRequestorControllerConfig{Enabled: options.Tokens},
		},
	})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(home, "config.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	health := fmt.Sprintf("http://%s:%d/readyz", loopback, ports[1])
	return &ResourceManager{name, options.Program, options.Folder, health, path}, nil
}

// Name is `<cluster>-resource-manager`.
func (m *ResourceManager) Name() string { return m.name }

// Grace is a bit more than gardener-resource-manager gives its controllers.
func (m *ResourceManager) Grace() time.Duration { return 8 * time.Second }

// Start starts gardener-resource-manager and waits until its caches are filled. On an error nothing runs.
func (m *ResourceManager) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, m.name, m.folder, m.health, m.program, []string{"--config=" + m.config})
}
