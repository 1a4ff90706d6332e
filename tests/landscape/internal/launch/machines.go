package launch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"landscape/internal/servers"
)

// The programs that look after the machines of a namespace. Gardener has them in one Pod for each Shoot.
var machinePrograms = []string{"machine-controller-manager", "machine-driver"}

// RunMachines looks after the machines of a namespace in the cloud at `endpoint`, until StopMachines.
func (l *Landscape) RunMachines(ctx context.Context, namespace, endpoint string) error {
	if namespace == "" || endpoint == "" {
		return errors.New("machines need a namespace and an endpoint")
	}
	managers, err := servers.NewMachineManagers(servers.MachineOptions{
		Controller: l.machineController, Driver: l.machineDriver, Folder: filepath.Dir(l.Seed),
		Namespace: namespace, Seed: l.Seed, Shoot: l.Shoot, Endpoint: endpoint,
	})
	if err != nil {
		return err
	}
	l.mutex.Lock()
	_, ok := l.running[managers[0].Name()]
	l.mutex.Unlock()
	if ok {
		return fmt.Errorf("somebody looks after the machines of %s already", namespace)
	}
	both := make([]Server, len(managers))
	for i, manager := range managers {
		both[i] = manager
	}
	return l.Run(ctx, both...)
}

// StopMachines ends both programs of a namespace. Its machines stay.
func (l *Landscape) StopMachines(namespace string) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, program := range machinePrograms {
		name := servers.MachineManagerName(program, namespace)
		running, ok := l.running[name]
		if !ok {
			return fmt.Errorf("nobody looks after the machines of %q", namespace)
		}
		running.stop()
		delete(l.running, name)
	}
	return nil
}
