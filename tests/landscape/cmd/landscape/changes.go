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

// The kinds of extension resources that gardenlet's code creates here, with the names of their collections.
var extensionKinds = map[string]string{
	"BackupBucket":   "backupbuckets",
	"BackupEntry":    "backupentries",
	"DNSRecord":      "dnsrecords",
	"Infrastructure": "infrastructures",
	"ControlPlane":   "controlplanes",
	"Worker":         "workers",
	"Bastion":        "bastions",
}

// Prints a line each time the status of an extension resource says something else, until `ctx` ends.
func showChanges(ctx context.Context, kubeconfig string, output io.Writer) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for kind, collection := range extensionKinds {
		resource := schema.GroupVersionResource{Group: "extensions.gardener.cloud", Version: "v1alpha1", Resource: collection}
		informer := dynamicinformer.NewFilteredDynamicInformer(client, resource, metav1.NamespaceAll, 0, nil, nil).Informer()
		show := func(object any, text string) {
			if object, ok := object.(*unstructured.Unstructured); ok && text != "" {
				fmt.Fprintf(output, "%s %s: %s\n", kind, cache.MetaObjectToName(object), text)
			}
		}
		_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(object any) { show(object, lastOperation(object)) },
			UpdateFunc: func(old, object any) {
				if text := lastOperation(object); text != lastOperation(old) {
					show(object, text)
				}
			},
			DeleteFunc: func(object any) { show(object, "is gone") },
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
