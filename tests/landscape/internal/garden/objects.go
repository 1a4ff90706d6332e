package garden

import (
	"context"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Create creates objects, as far as they are missing, one after the other. What gardener-apiserver has to know before it takes one is in
// its caches a moment after it was created: until then, it forbids the object, or finds no namespace.
func Create(ctx context.Context, config *rest.Config, objects ...map[string]any) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, wanted := range objects {
		made := &unstructured.Unstructured{Object: wanted}
		plural := strings.ToLower(made.GetKind()) + "s"
		kind := client.Resource(made.GroupVersionKind().GroupVersion().WithResource(plural))
		var place dynamic.ResourceInterface = kind
		if namespace := made.GetNamespace(); namespace != "" {
			place = kind.Namespace(namespace)
		}
		err := until(ctx, "there is "+made.GetKind()+" "+made.GetName(), func() (bool, error) {
			_, err := place.Create(ctx, made.DeepCopy(), metav1.CreateOptions{})
			isEarly := apierrors.IsForbidden(err) || apierrors.IsNotFound(err)
			return !isEarly, ignoreThere(err)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func ignoreThere(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// Asks until there is an end: no error, or one that stays.
func until(ctx context.Context, what string, ask func() (isEnd bool, err error)) error {
	for {
		isEnd, err := ask()
		if isEnd {
			return err
		}
		select {
		case <-ctx.Done():
			return &late{what, err}
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// What did not happen in time, and why at last.
type late struct {
	what string
	last error
}

func (l *late) Error() string { return "not so in time: " + l.what + ": " + l.last.Error() }

func (l *late) Unwrap() error { return l.last }
