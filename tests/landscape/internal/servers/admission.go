package servers

import (
	"context"
	"fmt"
	"time"

	"landscape/internal/process"
)

// Admission is `trellis admission`: webhooks for the objects of a garden, which it registers itself.
type Admission struct {
	program, folder, health string
	arguments               []string
}

// NewAdmission chooses the ports of an admission. Of the options, Kubeconfig is that of the garden, and Namespace that of its
// certificates, its Lease and the ConfigMap which says what judges.
func NewAdmission(options TrellisOptions) (*Admission, error) {
	var ports [2]int
	for i := range ports {
		var err error
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	webhooks, health := fmt.Sprintf("%s:%d", loopback, ports[0]), fmt.Sprintf("%s:%d", loopback, ports[1])
	return &Admission{options.Program, options.Folder, "http://" + health + "/readyz", []string{
		"admission",
		"--provider=" + options.Provider,
		"--cloud=" + options.Cloud,
		"--kubeconfig=" + options.Kubeconfig,
		"--leader-election-namespace=" + options.Namespace,
		"--policy-config-map-namespace=" + options.Namespace,
		// API servers are processes of this machine, and know no Service.
		"--webhook-config-mode=url",
		"--webhook-config-url=" + webhooks,
		"--webhook-config-server-host=" + loopback,
		fmt.Sprintf("--webhook-config-server-port=%d", ports[0]),
		"--webhook-config-namespace=" + options.Namespace,
		"--shutdown-delay-seconds=0",
		"--metrics-bind-address=0",
		"--health-bind-address=" + health,
	}}, nil
}

// Name is `trellis-admission`.
func (a *Admission) Name() string { return "trellis-admission" }

// Grace is for the reviews that have arrived.
func (a *Admission) Grace() time.Duration { return 10 * time.Second }

// Start starts the admission and waits until it can judge. On an error nothing runs.
func (a *Admission) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, a.Name(), a.folder, a.health, a.program, a.arguments)
}
