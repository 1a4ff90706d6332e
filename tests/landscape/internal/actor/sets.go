package actor

import (
	"context"
	"log/slog"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Says of StatefulSets and DaemonSets that all is well with them: without Pods.
type sets struct{ client kubernetes.Interface }

func (s sets) register(ctx context.Context, log *slog.Logger, factory informers.SharedInformerFactory) {
	stateful, daemons, nodes := factory.Apps().V1().StatefulSets(), factory.Apps().V1().DaemonSets(), factory.Core().V1().Nodes()
	onChange(ctx, log, stateful.Informer(), func(ctx context.Context, key string) error {
		namespace, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		set, err := stateful.Lister().StatefulSets(namespace).Get(name)
		if err != nil {
			return gone(err)
		}
		return s.stateful(ctx, set)
	})
	add := onChange(ctx, log, daemons.Informer(), func(ctx context.Context, key string) error {
		namespace, name, err := cache.SplitMetaNamespaceKey(key)
		if err != nil {
			return err
		}
		set, err := daemons.Lister().DaemonSets(namespace).Get(name)
		if err != nil {
			return gone(err)
		}
		all, err := nodes.Lister().List(labels.Everything())
		if err != nil {
			return err
		}
		return s.daemons(ctx, set, len(all))
	})
	again := func(any) {
		all, err := daemons.Lister().List(labels.Everything())
		if err != nil {
			return
		}
		for _, set := range all {
			add(set.Namespace + "/" + set.Name)
		}
	}
	_, _ = nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: again, DeleteFunc: again})
}

func (s sets) stateful(ctx context.Context, set *apps.StatefulSet) error {
	replicas := replicas(set.Spec.Replicas)
	patch, err := statusPatch(set.Status, map[string]any{
		"observedGeneration": set.Generation,
		"replicas":           replicas, "currentReplicas": replicas, "updatedReplicas": replicas,
		"readyReplicas": replicas, "availableReplicas": replicas,
	})
	if patch == nil || err != nil {
		return err
	}
	_, err = s.client.AppsV1().StatefulSets(set.Namespace).
		Patch(ctx, set.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return gone(err)
}

// A DaemonSet is on each Node, whatever the Node's labels and taints are.
func (s sets) daemons(ctx context.Context, set *apps.DaemonSet, nodes int) error {
	patch, err := statusPatch(set.Status, map[string]any{
		"observedGeneration":     set.Generation,
		"desiredNumberScheduled": nodes, "currentNumberScheduled": nodes, "updatedNumberScheduled": nodes,
		"numberReady": nodes, "numberAvailable": nodes, "numberMisscheduled": 0, "numberUnavailable": 0,
	})
	if patch == nil || err != nil {
		return err
	}
	_, err = s.client.AppsV1().DaemonSets(set.Namespace).
		Patch(ctx, set.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return gone(err)
}
