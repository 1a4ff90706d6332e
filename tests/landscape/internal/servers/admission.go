package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"landscape/internal/process"
)

// Admission is `trellis admission`: webhooks for the objects of a garden.
type Admission struct {
	// URL is where webhooks are, without the path: HTTPS on loopback.
	URL string
	// Authority is the certificate that the API server has to trust, in PEM.
	Authority []byte

	program, folder, health string
	arguments               []string
}

// AdmissionOptions says what is judged, and where.
type AdmissionOptions struct {
	// Program is the path of `trellis`. Its policies are beside it, or where TRELLIS_POLICIES says.
	Program, Folder string
	// Provider is the type of the objects, Kubeconfig that of the garden, Namespace that of the ConfigMap which says what judges, and
	// Cloud the address of a simulator.
	Provider, Kubeconfig, Namespace, Cloud string
}

// NewAdmission chooses the ports and the certificate of an admission.
func NewAdmission(options AdmissionOptions) (*Admission, error) {
	var ports [2]int
	for i := range ports {
		var err error
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	admission := &Admission{program: options.Program, folder: options.Folder}
	home := filepath.Join(options.Folder, admission.Name())
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	authority, err := newAuthority(admission.Name())
	if err != nil {
		return nil, err
	}
	if _, _, err := authority.issue(home, "tls", loopback); err != nil {
		return nil, err
	}
	admission.Authority = authority.text
	admission.URL = fmt.Sprintf("https://%s:%d", loopback, ports[0])
	admission.health = fmt.Sprintf("http://%s:%d/readyz", loopback, ports[1])
	admission.arguments = []string{
		"admission",
		"--provider=" + options.Provider,
		"--cloud=" + options.Cloud,
		"--kubeconfig=" + options.Kubeconfig,
		"--policy-config-map-namespace=" + options.Namespace,
		"--webhook-config-server-host=" + loopback,
		fmt.Sprintf("--webhook-config-server-port=%d", ports[0]),
		"--webhook-config-cert-dir=" + home,
		"--shutdown-delay-seconds=0",
		"--metrics-bind-address=0",
		fmt.Sprintf("--health-bind-address=%s:%d", loopback, ports[1]),
	}
	return admission, nil
}

// Name is `trellis-admission`.
func (a *Admission) Name() string { return "trellis-admission" }

// Grace is for the reviews that have arrived.
func (a *Admission) Grace() time.Duration { return 10 * time.Second }

// Start starts the admission and waits until it can judge. On an error nothing runs.
func (a *Admission) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, a.Name(), a.folder, a.health, a.program, a.arguments)
}
