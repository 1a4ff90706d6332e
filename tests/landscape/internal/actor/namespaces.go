package actor

import (
	"context"
	"fmt"
	"log/slog"

	core "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
)

// Empties deleted Namespaces and lets them go.
type namespaces struct {
	client  kubernetes.Interface
	objects metadata.Interface
}

func (n namespaces) register(ctx context.Context, log *slog.Logger, factory informers.SharedInformerFactory) {
	informer := factory.Core().V1().Namespaces()
	onChange(ctx, log, informer.Informer(), func(ctx context.Context, name string) error {
		namespace, err := informer.Lister().Get(name)
		if err != nil {
			return gone(err)
		}
		if namespace.DeletionTimestamp == nil {
			return nil
		}
		return n.finalize(ctx, namespace)
	})
}

// Fails while objects are left, so that the caller tries again: finalizers may hold them for long.
func (n namespaces) finalize(ctx context.Context, namespace *core.Namespace) error {
	all, err := deletable(n.client.Discovery())
	if err != nil {
		return err
	}
	left := 0
	background := metav1.DeletePropagationBackground
	for _, each := range all {
		if !each.namespaced {
			continue
		}
		contents := n.objects.Resource(each.GroupVersionResource).Namespace(namespace.Name)
		list, err := contents.List(ctx, metav1.ListOptions{})
		if err != nil {
			if gone(err) == nil {
				continue
			}
			return err
		}
		for _, object := range list.Items {
			left++
			if object.DeletionTimestamp != nil {
				continue
			}
			err := contents.Delete(ctx, object.Name, metav1.DeleteOptions{PropagationPolicy: &background})
			if gone(err) != nil {
				return err
			}
		}
	}
	if left > 0 {
		return fmt.Errorf("%d objects are left in namespace %s", left, namespace.Name)
	}
	namespace = namespace.DeepCopy()
	namespace.Spec.Finalizers = nil
	_, err = n.client.CoreV1().Namespaces().Finalize(ctx, namespace, metav1.UpdateOptions{})
	return gone(err)
}
