package launch

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// How often a follower looks at its Deployment.
const followInterval = 200 * time.Millisecond

// A goroutine that starts and stops the programs of a namespace.
type follower struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// FollowMachines looks after the machines of a namespace while its Deployment `machine-controller-manager` has replicas,
// as Gardener does, until StopMachines.
func (l *Landscape) FollowMachines(ctx context.Context, namespace, endpoint string) error {
	if namespace == "" || endpoint == "" {
		return errNoMachines
	}
	config, err := clientcmd.BuildConfigFromFlags("", l.Seed)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	this := &follower{cancel, make(chan struct{})}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.followers[namespace] != nil || l.hasMachines(namespace) {
		cancel()
		return errBusy(namespace)
	}
	l.followers[namespace] = this
	go func() {
		defer close(this.ended)
		err := l.follow(ctx, client, namespace, endpoint)
		if err != nil && ctx.Err() == nil {
			l.fail(err)
		}
	}()
	return nil
}

func (l *Landscape) follow(ctx context.Context, client kubernetes.Interface, namespace, endpoint string) error {
	isRunning := false
	for {
		deployment, err := client.AppsV1().Deployments(namespace).Get(ctx, machinePrograms[0], metav1.GetOptions{})
		// While the API server is away, everything stays as it is.
		if err == nil || apierrors.IsNotFound(err) {
			isWanted := err == nil && (deployment.Spec.Replicas == nil || *deployment.Spec.Replicas > 0)
			if isWanted != isRunning {
				if !isWanted {
					l.endMachines(namespace)
				} else if err := l.runMachines(ctx, namespace, endpoint); err != nil {
					return err
				}
				isRunning = isWanted
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followInterval):
		}
	}
}

var errNoMachines = errors.New("machines need a namespace and an endpoint")
