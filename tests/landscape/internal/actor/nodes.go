package actor

import (
	"context"
	"log/slog"

	machine "github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// RegisterNodes does for each machine that exists in the cloud what its kubelet would: it creates the Node in the Shoot.
//
// machine-controller-manager deletes the Node of a machine when it has deleted the machine from the cloud, and nobody else
// does: the machines of a Shoot that moves leave the seed, and stay in the cloud. No kubelet sends heartbeats here, and
// nobody misses them.
func RegisterNodes(ctx context.Context, log *slog.Logger, seed, shoot *rest.Config) error {
	machines, err := dynamic.NewForConfig(rest.AddUserAgent(seed, "landscape-actor"))
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(rest.AddUserAgent(shoot, "landscape-actor"))
	if err != nil {
		return err
	}
	informers := dynamicinformer.NewDynamicSharedInformerFactory(machines, 0)
	informer := informers.ForResource(machine.SchemeGroupVersion.WithResource("machines"))
	onChange(ctx, log, informer.Informer(), func(ctx context.Context, key string) error {
		object, err := informer.Lister().Get(key)
		if err != nil {
			return gone(err)
		}
		return registerNode(ctx, client, object)
	})
	informers.Start(ctx.Done())
	return nil
}

func registerNode(ctx context.Context, client kubernetes.Interface, object runtime.Object) error {
	found, ok := object.(*unstructured.Unstructured)
	if !ok {
		return nil
	}
	var from machine.Machine
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(found.Object, &from); err != nil {
		return err
	}
	name := from.Labels[machine.NodeLabelKey]
	if name == "" || from.Spec.ProviderID == "" || from.DeletionTimestamp != nil {
		return nil
	}
	labels := map[string]string{core.LabelHostname: name}
	for key, value := range from.Spec.NodeTemplateSpec.Labels {
		labels[key] = value
	}
	_, err := client.CoreV1().Nodes().Create(ctx, &core.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels, Annotations: from.Spec.NodeTemplateSpec.Annotations},
		Spec:       core.NodeSpec{ProviderID: from.Spec.ProviderID, Taints: from.Spec.NodeTemplateSpec.Spec.Taints},
	}, metav1.CreateOptions{})
	if errors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
