package main

import (
	"context"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// The kinds of extension resources that gardenlet's code creates here.
var extensionKinds = map[string]schema.GroupVersionResource{
	"Infrastructure": {Group: "extensions.gardener.cloud", Version: "v1alpha1", Resource: "infrastructures"},
	"ControlPlane":   {Group: "extensions.gardener.cloud", Version: "v1alpha1", Resource: "controlplanes"},
	"Worker":         {Group: "extensions.gardener.cloud", Version: "v1alpha1", Resource: "workers"},
}

// Prints a line each time the status of an extension resource says something else, until `ctx` ends.
func tellChanges(ctx context.Context, kubeconfig string, output io.Writer) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for kind, resource := range extensionKinds {
		informer := dynamicinformer.NewFilteredDynamicInformer(client, resource, metav1.NamespaceAll, 0, nil, nil).Informer()
		tell := func(object any, text string) {
			if object, ok := object.(*unstructured.Unstructured); ok && text != "" {
				fmt.Fprintf(output, "%s %s/%s: %s\n", kind, object.GetNamespace(), object.GetName(), text)
			}
		}
		_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(object any) { tell(object, lastOperation(object)) },
			UpdateFunc: func(old, object any) {
				if text := lastOperation(object); text != lastOperation(old) {
					tell(object, text)
				}
			},
			DeleteFunc: func(object any) { tell(object, "is gone") },
		})
		if err != nil {
			return err
		}
		go informer.RunWithContext(ctx)
	}
	return nil
}

// What the status of an extension resource says of the last operation; without one nothing.
func lastOperation(object any) string {
	found, ok := object.(*unstructured.Unstructured)
	if !ok {
		return ""
	}
	field := func(name string) any {
		value, _, _ := unstructured.NestedFieldNoCopy(found.Object, "status", "lastOperation", name)
		return value
	}
	if field("state") == nil {
		return ""
	}
	return fmt.Sprintf("%v %v, %v%%: %v", field("type"), field("state"), field("progress"), field("description"))
}
