package landscape_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

func seedClient(t *testing.T) dynamic.Interface {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", shared.Seed)
	if err != nil {
		t.Fatal(err)
	}
	// The client's own limit of five requests a second would be slower than the waits.
	config.QPS, config.Burst = 200, 400
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

var (
	infrastructures = resource("extensions.gardener.cloud", "v1alpha1", "infrastructures")
	controlPlanes   = resource("extensions.gardener.cloud", "v1alpha1", "controlplanes")
	workers         = resource("extensions.gardener.cloud", "v1alpha1", "workers")
	clusters        = resource("extensions.gardener.cloud", "v1alpha1", "clusters")
	namespaces      = resource("", "v1", "namespaces")
	secrets         = resource("", "v1", "secrets")
)

const finalizer = "extensions.gardener.cloud/test"

// An extension as small as can be. `fails` holds the text of an error while it should fail.
type extension struct {
	client dynamic.ResourceInterface
	fails  atomic.Pointer[string]
	codes  []string
}

func startExtension(t *testing.T, namespace string) *extension {
	t.Helper()
	return startExtensionOf(t, infrastructures, namespace)
}

func startExtensionOf(t *testing.T, kind schema.GroupVersionResource, namespace string) *extension {
	t.Helper()
	this := &extension{client: seedClient(t).Resource(kind).Namespace(namespace)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			list, err := this.client.List(ctx, metav1.ListOptions{})
			if err == nil {
				for i := range list.Items {
					this.act(ctx, &list.Items[i])
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return this
}

func (e *extension) act(ctx context.Context, object *unstructured.Unstructured) {
	operation := object.GetAnnotations()["gardener.cloud/operation"]
	kind := map[string]string{"reconcile": "Reconcile", "migrate": "Migrate", "restore": "Restore"}[operation]
	deleting := object.GetDeletionTimestamp() != nil
	if deleting {
		kind = "Delete"
	}
	if kind == "" {
		return
	}
	patch := func(part fields, subresources ...string) {
		text, err := json.Marshal(part)
		if err != nil {
			panic(err)
		}
		_, _ = e.client.Patch(ctx, object.GetName(), types.MergePatchType, text, metav1.PatchOptions{}, subresources...)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	status := fields{
		"observedGeneration": object.GetGeneration(),
		"lastError":          nil,
		"lastOperation":      fields{"type": kind, "state": "Succeeded", "progress": 100, "description": "done", "lastUpdateTime": now},
		"providerStatus":     fields{"vpc": fields{"id": "vpc-1"}},
	}
	if object.GetKind() == "Bastion" {
		status["ingress"] = fields{"ip": "192.0.2.1"}
	}
	if text := e.fails.Load(); text != nil {
		status["lastError"] = fields{"description": *text, "codes": e.codes, "lastUpdateTime": now}
		status["lastOperation"] = fields{"type": kind, "state": "Error", "progress": 50, "description": *text, "lastUpdateTime": now}
		patch(fields{"status": status}, "status")
		return
	}
	if !deleting && kind != "Migrate" {
		patch(fields{"metadata": fields{"finalizers": []string{finalizer}}})
	}
	patch(fields{"status": status}, "status")
	if deleting || kind == "Migrate" {
		patch(fields{"metadata": fields{"finalizers": nil}})
	}
	patch(fields{"metadata": fields{"annotations": fields{"gardener.cloud/operation": nil}}})
}

func shoot() fields {
	return fields{
		"metadata": fields{"name": "one", "namespace": "garden-dev"},
		"spec": fields{
			"region":     "eu-central-1",
			"networking": fields{"type": "calico"},
			"provider":   fields{"type": "alicloud", "infrastructureConfig": fields{"networks": fields{"zones": []any{}}}},
		},
	}
}

// A Shoot with what a ControlPlane and a Worker follow from, and its CloudProfile.
func shootWithPool() (shootOf, profile fields) {
	shootOf = shoot()
	provider := shootOf["spec"].(fields)["provider"].(fields)
	provider["controlPlaneConfig"] = fields{"zone": "a"}
	provider["workers"] = []fields{{
		"name": "pool", "minimum": 1, "maximum": 2,
		"machine": fields{"type": "large", "image": fields{"name": "linux", "version": "1.2.3"}},
	}}
	shootOf["spec"].(fields)["kubernetes"] = fields{"version": "1.33.2"}
	return shootOf, fields{"spec": fields{"machineTypes": []fields{{"name": "large", "cpu": "2", "gpu": "0", "memory": "8Gi"}}}}
}

// Fields of every command on the Infrastructure of a namespace, with short times.
func of(namespace string) fields {
	return fields{
		"kind": "Infrastructure", "namespace": namespace, "name": "one",
		"interval": 20, "severeThreshold": 100, "timeout": patience.Milliseconds(),
	}
}

func with(base, further fields) fields {
	all := fields{}
	for _, each := range []fields{base, further} {
		for name, value := range each {
			all[name] = value
		}
	}
	return all
}
