// Package actor does what the controllers of a real cluster do and nobody does next to a bare kube-apiserver:
//
//   - Deployments, StatefulSets and DaemonSets become available and Nodes ready as soon as they exist (workloads.go, sets.go).
//   - A Deployment has as many Pods as it should, which never run: other Pods when its template changes (pods.go).
//   - A machine in the cloud registers its Node (nodes.go).
//   - A deleted Namespace loses its contents and is finalized (namespaces.go).
//   - An object goes when its last owner has gone, also in foreground deletion (owners.go).
//
// The actor does nothing else: no ReplicaSets, no Pods of StatefulSets and DaemonSets, no Endpoints, no tokens in Secrets, no
// orphaning deletion. It never touches an extension resource other than to collect it with its owner or its Namespace.
package actor

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Run acts in one cluster until the context ends. It returns an error only where it cannot begin.
func Run(ctx context.Context, log *slog.Logger, config *rest.Config) error {
	config = rest.AddUserAgent(config, "landscape-actor")
	config.WarningHandler = rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	workloads{client}.register(ctx, log, factory)
	sets{client}.register(ctx, log, factory)
	namespaces{client, objects}.register(ctx, log, factory)
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return fmt.Errorf("the actor cannot list %v", kind)
		}
	}
	return newOwners(log, client.Discovery(), objects).start(ctx)
}

// Calls `act` for every key that an informer reports, one after the other, and again where there is an error. The function
// that it returns adds a key.
func onChange(
	ctx context.Context, log *slog.Logger, informer cache.SharedIndexInformer, act func(context.Context, string) error,
) func(key string) {
	queue := newQueue[string]()
	add := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			queue.Add(key)
		}
	}
	// The error says that the informer has stopped, which it has not.
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, object any) { add(object) },
	})
	go work(ctx, log, queue, act)
	return queue.Add
}

func newQueue[K comparable]() workqueue.TypedRateLimitingInterface[K] {
	return workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[K](20*time.Millisecond, time.Second))
}

// Takes keys from a queue until the context ends.
func work[K comparable](ctx context.Context, log *slog.Logger, queue workqueue.TypedRateLimitingInterface[K], act func(context.Context, K) error) {
	go func() {
		<-ctx.Done()
		queue.ShutDown()
	}()
	for {
		key, stop := queue.Get()
		if stop {
			return
		}
		if err := act(ctx, key); err == nil {
			queue.Forget(key)
		} else if ctx.Err() == nil {
			if queue.NumRequeues(key) == 20 {
				log.Warn("the actor fails again and again", "key", key, "error", err)
			}
			queue.AddRateLimited(key)
		}
		queue.Done(key)
	}
}

// The resources that can be listed, watched and deleted. Where an API service does not answer, its resources are missing.
func deletable(client discovery.DiscoveryInterface) ([]resource, error) {
	lists, err := client.ServerPreferredResources()
	if err != nil && len(lists) == 0 {
		return nil, err
	}
	return resources(lists), nil
}
