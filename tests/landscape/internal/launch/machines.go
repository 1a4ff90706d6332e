package launch

import (
	"context"
	"fmt"
	"path/filepath"

	"landscape/internal/servers"
)

// The programs that look after the machines of a namespace. Gardener has them in one Pod for each Shoot, of a Deployment with
// the name of the first.
var machinePrograms = []string{"machine-controller-manager", "machine-driver"}

// RunMachines looks after the machines of a namespace in the cloud at `endpoint`, until StopMachines.
func (l *Landscape) RunMachines(ctx context.Context, namespace, endpoint string) error {
	if namespace == "" || endpoint == "" {
		return errNoMachines
	}
	l.mutex.Lock()
	isBusy := l.followers[namespace] != nil || l.hasMachines(namespace)
	l.mutex.Unlock()
	if isBusy {
		return errBusy(namespace)
	}
	return l.runMachines(ctx, namespace, endpoint)
}

func (l *Landscape) runMachines(ctx context.Context, namespace, endpoint string) error {
	managers, err := servers.NewMachineManagers(servers.MachineOptions{
		Controller: l.machineController, Driver: l.machineDriver, Folder: filepath.Dir(l.Seed),
		Namespace: namespace, Seed: l.Seed, Shoot: l.Shoot, Endpoint: endpoint,
	})
	if err != nil {
		return err
	}
	both := make([]Server, len(managers))
	for i, manager := range managers {
		both[i] = manager
	}
	return l.Run(ctx, both...)
}

// StopMachines ends both programs of a namespace, and the process that follows its Deployment. Its machines stay.
func (l *Landscape) StopMachines(namespace string) error {
	l.mutex.Lock()
	follower, isBusy := l.followers[namespace], l.hasMachines(namespace)
	delete(l.followers, namespace)
	l.mutex.Unlock()
	if follower != nil {
		follower.cancel()
		<-follower.ended
	} else if !isBusy {
		return fmt.Errorf("nobody looks after the machines of %q", namespace)
	}
	l.endMachines(namespace)
	return nil
}

// Ends those programs of a namespace that run.
func (l *Landscape) endMachines(namespace string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, program := range machinePrograms {
		name := servers.MachineManagerName(program, namespace)
		if running, ok := l.running[name]; ok {
			running.stop()
			delete(l.running, name)
		}
	}
}

// Call it with the mutex held.
func (l *Landscape) hasMachines(namespace string) bool {
	_, ok := l.running[servers.MachineManagerName(machinePrograms[0], namespace)]
	return ok
}

func errBusy(namespace string) error {
	return fmt.Errorf("somebody looks after the machines of %s already", namespace)
}
