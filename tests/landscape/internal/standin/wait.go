package standin

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// The fields of a status that say how an object is.
type status struct {
	ObservedGeneration int64 `json:"observedGeneration"`
	LastOperation      *struct {
		State          string      `json:"state"`
		Type           string      `json:"type"`
		LastUpdateTime metav1.Time `json:"lastUpdateTime"`
	} `json:"lastOperation"`
	LastError *struct {
		Description string   `json:"description"`
		Codes       []string `json:"codes"`
	} `json:"lastError"`
}

func statusOf(object *unstructured.Unstructured) status {
	var found status
	if fields, ok := object.Object["status"].(map[string]any); ok {
		// The API server has checked the types of these fields.
		_ = runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &found)
	}
	return found
}

// An error of the extension, with its codes.
type codedError struct {
	text  string
	codes []string
}

func (e codedError) Error() string { return e.text }

// Why an object is not ready, or nil. The order of the checks is gardenlet's.
func health(object *unstructured.Unstructured) error {
	status := statusOf(object)
	if status.LastError != nil {
		return codedError{"error during reconciliation: " + status.LastError.Description, status.LastError.Codes}
	}
	if generation := object.GetGeneration(); status.ObservedGeneration != generation {
		return fmt.Errorf("observed generation outdated (%d/%d)", status.ObservedGeneration, generation)
	}
	if operation, ok := object.GetAnnotations()[annotationOperation]; ok {
		return fmt.Errorf("operation %q is not yet picked up", operation)
	}
	if status.LastOperation == nil {
		return errors.New("no last operation is recorded yet")
	}
	if status.LastOperation.State != "Succeeded" {
		return fmt.Errorf("state is not Succeeded but %s", status.LastOperation.State)
	}
	if timestamp, ok := object.GetAnnotations()[annotationTimestamp]; ok {
		asked, err := time.Parse(time.RFC3339Nano, timestamp)
		if err != nil {
			return fmt.Errorf("annotation %s: %w", annotationTimestamp, err)
		}
		updated := status.LastOperation.LastUpdateTime.UTC()
		if asked = asked.Truncate(time.Second).UTC(); asked.After(updated) {
			return fmt.Errorf("asked at %s, last updated at %s", asked.Format(time.RFC3339), updated.Format(time.RFC3339))
		}
	}
	return nil
}

// Waits until the object is ready and returns its status. An error of the extension ends the wait once the threshold has
// passed; anything else, once the timeout has.
func (o *object) wait(ctx context.Context) (map[string]any, error) {
	var result map[string]any
	attempts := int64(0)
	err := o.poll(ctx, func(object *unstructured.Unstructured, err error) (bool, error) {
		attempts++
		if err != nil {
			return !apierrors.IsNotFound(err), err
		}
		if err := health(object); err != nil {
			var coded codedError
			severe := errors.As(err, &coded) && attempts > o.request.SevereThreshold/o.request.Interval
			return severe, err
		}
		if status, ok := object.Object["status"].(map[string]any); ok {
			result = map[string]any{"status": status}
		}
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("Error while waiting for %s to become ready: %w", o.key(), err)
	}
	return result, nil
}

// Waits until the object has been migrated. An object that is not there has been.
func (o *object) waitMigrate(ctx context.Context) error {
	err := o.poll(ctx, func(object *unstructured.Unstructured, err error) (bool, error) {
		if err != nil {
			return true, ignoreNotFound(err)
		}
		status := statusOf(object)
		if last := status.LastOperation; last != nil && last.Type == "Migrate" && last.State == "Succeeded" {
			return true, nil
		}
		if status.LastError != nil {
			return false, codedError{status.LastError.Description, status.LastError.Codes}
		}
		return false, errors.New("not migrated yet")
	})
	if err != nil {
		return fmt.Errorf("Error while waiting for %s to be successfully migrated: %w", o.key(), err)
	}
	return nil
}

// Waits until the object has gone.
func (o *object) waitCleanup(ctx context.Context) error {
	err := o.poll(ctx, func(object *unstructured.Unstructured, err error) (bool, error) {
		if err != nil {
			return true, ignoreNotFound(err)
		}
		if last := statusOf(object).LastError; last != nil {
			return false, codedError{last.Description, last.Codes}
		}
		return false, errors.New("still present")
	})
	if err != nil {
		return fmt.Errorf("Failed to delete %s: %w", o.key(), err)
	}
	return nil
}

// Looks at the object until `look` says that it is done, or the timeout has passed: then the last error counts.
func (o *object) poll(ctx context.Context, look func(*unstructured.Unstructured, error) (bool, error)) error {
	if o.request.Interval <= 0 || o.request.Timeout <= 0 {
		return fmt.Errorf("command %q lacks an interval or a timeout", o.request.Command)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(o.request.Timeout)*time.Millisecond)
	defer cancel()
	var last error
	for {
		object, err := o.get(ctx)
		if ctx.Err() != nil && last != nil {
			return last
		}
		done, err := look(object, err)
		if done {
			return err
		}
		last = err
		select {
		case <-ctx.Done():
			return last
		case <-time.After(time.Duration(o.request.Interval) * time.Millisecond):
		}
	}
}
