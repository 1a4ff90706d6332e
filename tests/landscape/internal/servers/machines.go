package servers

import (
	"context"
	"fmt"
	"time"

	"landscape/internal/process"
)

// MachineManager is one of the two programs that look after the machines of a Shoot.
type MachineManager struct {
	name, program, folder, health string
	arguments                     []string
}

// MachineOptions says whose machines to look after.
type MachineOptions struct {
	// Controller and Driver are paths of programs: `machine-controller-manager` looks after MachineDeployments and
	// MachineSets, and `machine-driver` after Machines and MachineClasses.
	Controller, Driver, Folder string
	// Namespace is that of the Machines in the seed. Nodes are in the Shoot.
	Namespace, Seed, Shoot string
	// Endpoint is the URL of the cloud.
	Endpoint string
}

// Where Gardener waits for minutes and hours, so that a test sees what comes then.
var impatience = []string{
	"--machine-creation-timeout=1m",
	"--machine-health-timeout=30s",
	"--machine-drain-timeout=10s",
	"--machine-safety-orphan-vms-period=30s",
}

// NewMachineManagers chooses the ports of both programs.
func NewMachineManagers(options MachineOptions) ([]*MachineManager, error) {
	var managers []*MachineManager
	for _, each := range []struct {
		name, program string
		further       []string
	}{
		{"machine-controller-manager", options.Controller, nil},
		{"machine-driver", options.Driver, append([]string{"--endpoint=" + options.Endpoint}, impatience...)},
	} {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		managers = append(managers, &MachineManager{
			name: MachineManagerName(each.name, options.Namespace), program: each.program, folder: options.Folder,
			health: fmt.Sprintf("http://%s:%d/healthz", loopback, port),
			arguments: append([]string{
				"--namespace=" + options.Namespace,
				"--control-kubeconfig=" + options.Seed,
				"--target-kubeconfig=" + options.Shoot,
				"--address=" + loopback,
				fmt.Sprintf("--port=%d", port),
				"--leader-elect=false",
				"--kube-api-qps=100",
				"--kube-api-burst=200",
				"--v=3",
			}, each.further...),
		})
	}
	return managers, nil
}

// MachineManagerName is the name of one of the programs of a namespace, which its log has too.
func MachineManagerName(program, namespace string) string { return namespace + "-" + program }

// Name is `<namespace>-<program>`.
func (m *MachineManager) Name() string { return m.name }

// Grace is short: the programs keep nothing, and do not listen to SIGTERM.
func (m *MachineManager) Grace() time.Duration { return time.Second }

// Start starts the program and waits until it answers. On an error nothing runs.
func (m *MachineManager) Start(ctx context.Context) (*process.Process, error) {
	return start(ctx, m.name, m.folder, m.health, m.program, m.arguments)
}
