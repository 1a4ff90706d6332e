package driver

import (
	"context"
	"fmt"
	"time"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// How long the cache may be behind the API server.
const cacheLimit = time.Minute

// The object of a request. An error of the reader is returned as it is.
func get(ctx context.Context, reader client.Client, request Request) (extensionsv1alpha1.Object, error) {
	made, err := reader.Scheme().New(extensionsv1alpha1.SchemeGroupVersion.WithKind(request.Kind))
	if err != nil {
		return nil, err
	}
	object, ok := made.(extensionsv1alpha1.Object)
	if !ok {
		return nil, fmt.Errorf("%T is no extension resource", made)
	}
	return object, reader.Get(ctx, client.ObjectKey{Namespace: request.Namespace, Name: request.Name}, object)
}

// Waits until the second in which the last operation of an object, as the object says, is over.
//
// gardenlet compares whole seconds. A caller that asks within that second may take the success of the last operation for the answer, after
// the extension has removed the annotation and before it says that it begins. gardenlet asks once in minutes, and tests at once.
func (d *Driver) laterSecond(ctx context.Context, request Request) error {
	object, err := get(ctx, d.live, request)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	last := object.GetExtensionStatus().GetLastOperation()
	if last == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(time.Until(last.LastUpdateTime.Add(time.Second)), time.Second)):
		return nil
	}
}

// What to answer when gardenlet's code has written an object, or failed to with `err`.
//
// gardenlet's waits know the timestamp that gardenlet wrote, and so no older state in the cache. Here each command has a
// component of its own, so the cache must have caught up before the next one.
func (d *Driver) written(ctx context.Context, request Request, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, cacheLimit)
	defer cancel()
	live, err := get(ctx, d.live, request)
	if err != nil {
		// Deleted already, or never there.
		return nil, client.IgnoreNotFound(err)
	}
	for {
		cached, err := get(ctx, d.cached, request)
		if client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil && caughtUp(cached, live) {
			return map[string]any{"uid": live.GetUID(), "generation": live.GetGeneration()}, nil
		}
		// Another write may have come, or the object may have gone.
		if live, err = get(ctx, d.live, request); err != nil {
			return nil, client.IgnoreNotFound(err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the cache has not caught up with %s %s/%s: %w", request.Kind, request.Namespace, request.Name, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func caughtUp(cached, live client.Object) bool {
	const timestamp = v1beta1constants.GardenerTimestamp
	return cached.GetUID() == live.GetUID() &&
		cached.GetGeneration() >= live.GetGeneration() &&
		cached.GetAnnotations()[timestamp] == live.GetAnnotations()[timestamp]
}

// What to answer when gardenlet's code has found an object ready, or not with `err`.
func (d *Driver) status(ctx context.Context, request Request, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	object, err := get(ctx, d.cached, request)
	if err != nil {
		return nil, err
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	return map[string]any{"status": fields["status"]}, nil
}
