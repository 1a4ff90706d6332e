package crds

import (
	"context"
	"fmt"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Install creates all definitions and waits until the API server serves the kinds.
func Install(ctx context.Context, config *rest.Config) error {
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	for _, definition := range All() {
		if _, err := definitions.Create(ctx, definition, metav1.CreateOptions{}); err != nil && !errors.IsAlreadyExists(err) {
			return fmt.Errorf("CustomResourceDefinition %s: %w", definition.Name, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for _, definition := range All() {
		for {
			now, err := definitions.Get(ctx, definition.Name, metav1.GetOptions{})
			if err != nil {
				return fmt.Errorf("CustomResourceDefinition %s: %w", definition.Name, err)
			}
			if established(now) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	return nil
}

func established(definition *apiextensions.CustomResourceDefinition) bool {
	for _, condition := range definition.Status.Conditions {
		if condition.Type == apiextensions.Established {
			return condition.Status == apiextensions.ConditionTrue
		}
	}
	return false
}
