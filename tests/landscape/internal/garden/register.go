// Package garden makes a kube-apiserver and a gardener-apiserver into a garden.
package garden

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"landscape/internal/servers"
)

// How long anything may take on a busy machine.
const patience = time.Minute

var (
	apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
	shoots      = schema.GroupVersionResource{Group: "core.gardener.cloud", Version: "v1beta1", Resource: "shoots"}
)

// What gardener-apiserver serves (`AllGardenerAPIGroupVersions` of its package `apiserver`).
var versions = []schema.GroupVersion{
	{Group: "core.gardener.cloud", Version: "v1"},
	{Group: "core.gardener.cloud", Version: "v1beta1"},
	{Group: "operations.gardener.cloud", Version: "v1alpha1"},
	{Group: "security.gardener.cloud", Version: "v1alpha1"},
	{Group: "seedmanagement.gardener.cloud", Version: "v1alpha1"},
}

type object = map[string]any

// Register lets a kube-apiserver serve Gardener's kinds, and waits until it does.
func Register(ctx context.Context, config *rest.Config, server *servers.GardenerAPIServer) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	service := object{
		"apiVersion": "v1", "kind": "Service",
		"metadata": object{"name": servers.GardenerService, "namespace": servers.GardenerNamespace},
		"spec":     object{"type": "ExternalName", "externalName": "localhost"},
	}
	objects := []object{service}
	for _, version := range versions {
		objects = append(objects, object{
			"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": object{"name": version.Version + "." + version.Group},
			"spec": object{
				"group": version.Group, "version": version.Version,
				"groupPriorityMinimum": int64(9_000), "versionPriority": int64(100),
				"caBundle": base64.StdEncoding.EncodeToString(server.Authority),
				"service": object{
					"name": servers.GardenerService, "namespace": servers.GardenerNamespace, "port": int64(server.Port),
				},
			},
		})
	}
	if err := Create(ctx, config, objects...); err != nil {
		return err
	}
	return until(ctx, "Gardener's API is served", func() (bool, error) {
		err := served(ctx, client)
		return err == nil, err
	})
}

// Whether every API is available, and Shoots can be listed.
func served(ctx context.Context, client dynamic.Interface) error {
	list, err := client.Resource(apiServices).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, registered := range list.Items {
		if err := available(&registered); err != nil {
			return err
		}
	}
	_, err = client.Resource(shoots).List(ctx, metav1.ListOptions{Limit: 1})
	return err
}

func available(registration *unstructured.Unstructured) error {
	conditions, _, err := unstructured.NestedSlice(registration.Object, "status", "conditions")
	if err != nil {
		return err
	}
	for _, each := range conditions {
		condition, ok := each.(object)
		if ok && condition["type"] == "Available" && condition["status"] == "True" {
			return nil
		}
	}
	return fmt.Errorf("the APIService %s is not available: %v", registration.GetName(), conditions)
}
