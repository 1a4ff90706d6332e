// Package kinds creates Gardener's CustomResourceDefinitions in the seed.
package kinds

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// Install creates the definitions that lie in `folder` as YAML files, and waits until the API server serves the kinds.
func Install(ctx context.Context, config *rest.Config, folder string) error {
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no CustomResourceDefinition is in %s", folder)
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	var names []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var definition apiextensions.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &definition); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if _, err := definitions.Create(ctx, &definition, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		names = append(names, definition.Name)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for _, name := range names {
		for {
			now, err := definitions.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return fmt.Errorf("CustomResourceDefinition %s: %w", name, err)
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
