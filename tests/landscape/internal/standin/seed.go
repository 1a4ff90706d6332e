package standin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"landscape/internal/crds"
)

const gardenVersion = "core.gardener.cloud/v1beta1"

var (
	namespaceResource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	secretResource    = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	clusterResource   = schema.GroupVersionResource{Group: crds.Group, Version: crds.Version, Resource: "clusters"}
)

// The namespace of a Shoot in the seed, with the labels that webhooks and ManagedResources select.
func (c *Client) deployNamespace(ctx context.Context, request Request) error {
	if request.Namespace == "" {
		return errors.New(`command "namespace" lacks a namespace`)
	}
	labels := map[string]any{"gardener.cloud/role": "shoot", "pod-security.kubernetes.io/enforce": "privileged"}
	label := func(key string, object map[string]any, path ...string) {
		if value, found, _ := unstructured.NestedString(object, path...); found && value != "" {
			labels[key] = value
		}
	}
	label("shoot.gardener.cloud/provider", request.Shoot, "spec", "provider", "type")
	label("networking.shoot.gardener.cloud/provider", request.Shoot, "spec", "networking", "type")
	label("seed.gardener.cloud/provider", request.Seed, "spec", "provider", "type")
	return apply(ctx, c.objects.Resource(namespaceResource), map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": request.Namespace, "labels": labels},
	})
}

// The Cluster of a Shoot: what an extension may know of the garden.
func (c *Client) deployCluster(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.Shoot == nil || request.CloudProfile == nil {
		return errors.New(`command "cluster" lacks a namespace, a shoot or a cloudProfile`)
	}
	shoot := embedded("Shoot", request.Shoot)
	if _, found, _ := unstructured.NestedString(shoot, "status", "technicalID"); !found {
		if err := unstructured.SetNestedField(shoot, request.Namespace, "status", "technicalID"); err != nil {
			return err
		}
	}
	spec := map[string]any{"shoot": shoot, "cloudProfile": embedded("CloudProfile", request.CloudProfile)}
	if request.Seed != nil {
		spec["seed"] = embedded("Seed", request.Seed)
	}
	return replaceSpec(ctx, c.objects.Resource(clusterResource), map[string]any{
		"apiVersion": crds.Group + "/" + crds.Version, "kind": "Cluster",
		"metadata": map[string]any{"name": request.Namespace},
		"spec":     spec,
	})
}

// A copy of an object as a Cluster holds it.
func embedded(kind string, object map[string]any) map[string]any {
	copied := (&unstructured.Unstructured{Object: object}).DeepCopy().Object
	copied["apiVersion"], copied["kind"] = gardenVersion, kind
	unstructured.RemoveNestedField(copied, "metadata", "managedFields")
	return copied
}

// The Secret with the credentials of the Shoot's account.
func (c *Client) deployCloudProvider(ctx context.Context, request Request) error {
	if request.Namespace == "" || len(request.Data) == 0 {
		return errors.New(`command "cloudprovider" lacks a namespace or data`)
	}
	data := map[string]any{}
	for key, value := range request.Data {
		data[key] = base64.StdEncoding.EncodeToString([]byte(value))
	}
	return apply(ctx, c.objects.Resource(secretResource).Namespace(request.Namespace), map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "Opaque",
		"metadata": map[string]any{
			"name": secretName, "namespace": request.Namespace,
			"labels": map[string]any{"gardener.cloud/purpose": "cloudprovider"},
		},
		"data": data,
	})
}

// Deletes the Cluster and the namespace, and waits until both have gone.
func (c *Client) deleteNamespace(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.Interval <= 0 || request.Timeout <= 0 {
		return errors.New(`command "deleteNamespace" lacks a namespace, an interval or a timeout`)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(request.Timeout)*time.Millisecond)
	defer cancel()
	// The namespace goes first: what is left in it may need its Cluster.
	for _, resource := range []schema.GroupVersionResource{namespaceResource, clusterResource} {
		client := c.objects.Resource(resource)
		if err := ignoreNotFound(client.Delete(ctx, request.Namespace, metav1.DeleteOptions{})); err != nil {
			return err
		}
		for {
			_, err := client.Get(ctx, request.Namespace, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s %s is still present after %d ms", resource.Resource, request.Namespace, request.Timeout)
			case <-time.After(time.Duration(request.Interval) * time.Millisecond):
			}
		}
	}
	return nil
}

// Creates an object, or merges the fields given into it.
func apply(ctx context.Context, client dynamic.ResourceInterface, fields map[string]any) error {
	object := &unstructured.Unstructured{Object: fields}
	_, err := client.Create(ctx, object, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	patch, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	_, err = client.Patch(ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// Creates an object, or replaces its spec: fields that the new spec lacks go.
func replaceSpec(ctx context.Context, client dynamic.ResourceInterface, fields map[string]any) error {
	object := &unstructured.Unstructured{Object: fields}
	_, err := client.Create(ctx, object, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	existing, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	if err != nil {
		return err
	}
	existing.Object = maps.Clone(existing.Object)
	existing.Object["spec"] = fields["spec"]
	_, err = client.Update(ctx, existing, metav1.UpdateOptions{})
	return err
}

// SecretData returns what a Secret has in `data` and `stringData`, decoded.
func SecretData(secret map[string]any) (map[string]string, error) {
	found, _, err := unstructured.NestedStringMap(secret, "stringData")
	if err != nil {
		return nil, err
	}
	data, _, err := unstructured.NestedStringMap(secret, "data")
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = map[string]string{}
	}
	for key, value := range data {
		decoded, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			return nil, fmt.Errorf("key %s of the Secret is not base64", key)
		}
		found[key] = string(decoded)
	}
	return found, nil
}
