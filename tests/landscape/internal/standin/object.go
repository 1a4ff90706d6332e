package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"landscape/internal/crds"
)

const (
	annotationOperation       = "gardener.cloud/operation"
	annotationTimestamp       = "gardener.cloud/timestamp"
	annotationConfirmDeletion = "confirmation.gardener.cloud/deletion"

	operationReconcile    = "reconcile"
	operationRestore      = "restore"
	operationMigrate      = "migrate"
	operationWaitForState = "wait-for-state"

	secretName = "cloudprovider"
)

// How a kind takes its `providerConfig` from the Shoot, where it does.
var providerConfigs = map[string][]string{
	"Infrastructure": {"spec", "provider", "infrastructureConfig"},
	"ControlPlane":   {"spec", "provider", "controlPlaneConfig"},
	"Worker":         nil,
}

func kinds() []string {
	var names []string
	for name := range providerConfigs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// An extension resource in a namespace of a Shoot.
type object struct {
	request Request
	client  dynamic.ResourceInterface
	now     func() time.Time
}

func (c *Client) object(request Request) (*object, error) {
	if _, ok := providerConfigs[request.Kind]; !ok {
		return nil, fmt.Errorf("command %q, unknown kind %q: one of %v", request.Command, request.Kind, kinds())
	}
	if request.Namespace == "" || request.Name == "" {
		return nil, fmt.Errorf("command %q lacks a namespace or a name", request.Command)
	}
	resource := schema.GroupVersionResource{Group: crds.Group, Version: crds.Version, Resource: crds.Plural(request.Kind)}
	return &object{request, c.objects.Resource(resource).Namespace(request.Namespace), c.now}, nil
}

func (o *object) key() string {
	return fmt.Sprintf("%s %s/%s", o.request.Kind, o.request.Namespace, o.request.Name)
}

func (o *object) get(ctx context.Context) (*unstructured.Unstructured, error) {
	return o.client.Get(ctx, o.request.Name, metav1.GetOptions{})
}

// Creates the object, or patches what differs. The spec is replaced as a whole.
func (o *object) deploy(ctx context.Context, operation string) (map[string]any, error) {
	spec, err := o.spec()
	if err != nil {
		return nil, err
	}
	existing, err := o.get(ctx)
	if errors.IsNotFound(err) {
		existing = &unstructured.Unstructured{Object: map[string]any{}}
		existing.SetAPIVersion(crds.Group + "/" + crds.Version)
		existing.SetKind(o.request.Kind)
		existing.SetNamespace(o.request.Namespace)
		existing.SetName(o.request.Name)
		o.annotate(existing, operation)
		existing.Object["spec"] = spec
		existing, err = o.client.Create(ctx, existing, metav1.CreateOptions{})
		if err != nil {
			return nil, err
		}
		return deployed(existing), nil
	}
	if err != nil {
		return nil, err
	}
	after := existing.DeepCopy()
	o.annotate(after, operation)
	after.Object["spec"] = spec
	after, err = o.patch(ctx, existing, after)
	if err != nil {
		return nil, err
	}
	return deployed(after), nil
}

func deployed(object *unstructured.Unstructured) map[string]any {
	return map[string]any{"uid": object.GetUID(), "generation": object.GetGeneration()}
}

// What follows from the Shoot, and what the caller gives.
func (o *object) spec() (map[string]any, error) {
	spec := map[string]any{"secretRef": map[string]any{"name": secretName, "namespace": o.request.Namespace}}
	if shoot := o.request.Shoot; shoot != nil {
		take := func(field string, path ...string) error {
			value, found, err := unstructured.NestedFieldCopy(shoot, path...)
			if err == nil && found {
				spec[field] = value
			}
			return err
		}
		if err := take("type", "spec", "provider", "type"); err != nil {
			return nil, err
		}
		if err := take("region", "spec", "region"); err != nil {
			return nil, err
		}
		if path := providerConfigs[o.request.Kind]; path != nil {
			if err := take("providerConfig", path...); err != nil {
				return nil, err
			}
		}
	}
	for field, value := range o.request.Spec {
		spec[field] = value
	}
	return spec, nil
}

// Sets the operation. An Infrastructure that needs none gets none: a Shoot is reconciled more often than its
// Infrastructure.
func (o *object) annotate(object *unstructured.Unstructured, operation string) {
	if o.request.Kind == "Infrastructure" && operation == operationReconcile && !o.request.AnnotateOperation && !needsOperation(object) {
		return
	}
	o.setOperation(object, operation)
}

// Whether the last operation did not succeed, or is older than what was last asked for.
func needsOperation(object *unstructured.Unstructured) bool {
	last := statusOf(object).LastOperation
	if last == nil {
		return false
	}
	if last.State != "Succeeded" {
		return true
	}
	timestamp, ok := object.GetAnnotations()[annotationTimestamp]
	if !ok {
		return false
	}
	asked, err := time.Parse(time.RFC3339Nano, timestamp)
	return err != nil || asked.Truncate(time.Second).After(last.LastUpdateTime.Time)
}

func (o *object) setOperation(object *unstructured.Unstructured, operation string) {
	setAnnotation(object, annotationOperation, operation)
	setAnnotation(object, annotationTimestamp, o.now().UTC().Format(time.RFC3339Nano))
}

func setAnnotation(object *unstructured.Unstructured, key, value string) {
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[key] = value
	object.SetAnnotations(annotations)
}

// Asks for a migration. An object that is not there needs none.
func (o *object) migrate(ctx context.Context) error {
	existing, err := o.get(ctx)
	if err != nil {
		return ignoreNotFound(err)
	}
	after := existing.DeepCopy()
	o.setOperation(after, operationMigrate)
	_, err = o.patch(ctx, existing, after)
	return ignoreNotFound(err)
}

// Creates the object inert, gives it its state, and only then asks for the restoration.
func (o *object) restore(ctx context.Context) (map[string]any, error) {
	if _, err := o.deploy(ctx, operationWaitForState); err != nil {
		return nil, err
	}
	existing, err := o.get(ctx)
	if err != nil {
		return nil, err
	}
	status := map[string]any{}
	if _, has, _ := unstructured.NestedMap(existing.Object, "status", "state"); !has && o.request.State != nil {
		status["state"] = o.request.State
	}
	if o.request.Resources != nil {
		status["resources"] = o.request.Resources
	}
	if len(status) > 0 {
		patch, err := json.Marshal(map[string]any{"status": status})
		if err != nil {
			return nil, err
		}
		existing, err = o.client.Patch(ctx, o.request.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		if err != nil {
			return nil, err
		}
	}
	after := existing.DeepCopy()
	o.setOperation(after, operationRestore)
	after, err = o.patch(ctx, existing, after)
	if err != nil {
		return nil, err
	}
	return deployed(after), nil
}

// Confirms the deletion, then deletes. Both do nothing where there is no object.
func (o *object) destroy(ctx context.Context) error {
	existing, err := o.get(ctx)
	if err != nil {
		return ignoreNotFound(err)
	}
	after := existing.DeepCopy()
	setAnnotation(after, annotationConfirmDeletion, "true")
	setAnnotation(after, annotationTimestamp, o.now().UTC().Format(time.RFC3339Nano))
	if _, err := o.patch(ctx, existing, after); err != nil {
		return ignoreNotFound(err)
	}
	return ignoreNotFound(o.client.Delete(ctx, o.request.Name, metav1.DeleteOptions{}))
}

// A merge patch of what differs.
func (o *object) patch(ctx context.Context, before, after *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	from, err := before.MarshalJSON()
	if err != nil {
		return nil, err
	}
	to, err := after.MarshalJSON()
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.CreateMergePatch(from, to)
	if err != nil {
		return nil, err
	}
	if string(patch) == "{}" {
		return before, nil
	}
	return o.client.Patch(ctx, o.request.Name, types.MergePatchType, patch, metav1.PatchOptions{})
}

func ignoreNotFound(err error) error {
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}
