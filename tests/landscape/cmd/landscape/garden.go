package main

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"landscape/internal/launch"
)

// Fills a garden that has Gardener's own API with what the Shoot of the files refers to, so that a person may apply it there.
func fillGarden(ctx context.Context, landscape *launch.Landscape, found map[string]map[string]any) error {
	shoot := &unstructured.Unstructured{Object: found["Shoot"]}
	project := strings.TrimPrefix(shoot.GetNamespace(), "garden-")
	fmt.Println("creating Project", project, "with the CloudProfile and the credentials of the files in the garden")
	needed, err := extensionsOf(shoot)
	if err != nil {
		return err
	}
	if err := landscape.CreateProject(ctx, project, needed); err != nil {
		return err
	}
	var objects []map[string]any
	for _, kind := range []string{"CloudProfile", "Secret", "SecretBinding", "CredentialsBinding"} {
		if object := found[kind]; object != nil {
			objects = append(objects, object)
		}
	}
	return landscape.CreateInGarden(ctx, objects...)
}

// The extensions that a Shoot needs.
func extensionsOf(shoot *unstructured.Unstructured) ([]string, error) {
	text := func(fields ...string) string {
		found, _, _ := unstructured.NestedString(shoot.Object, fields...)
		return found
	}
	provider := text("spec", "provider", "type")
	if provider == "" {
		return nil, fmt.Errorf("the Shoot %s names no provider", shoot.GetName())
	}
	needed := []string{"Infrastructure/" + provider, "ControlPlane/" + provider, "Worker/" + provider}
	if network := text("spec", "networking", "type"); network != "" {
		needed = append(needed, "Network/"+network)
	}
	pools, _, err := unstructured.NestedSlice(shoot.Object, "spec", "provider", "workers")
	if err != nil {
		return nil, err
	}
	for _, pool := range pools {
		if pool, ok := pool.(map[string]any); ok {
			if image, _, _ := unstructured.NestedString(pool, "machine", "image", "name"); image != "" {
				needed = append(needed, "OperatingSystemConfig/"+image)
			}
		}
	}
	return needed, nil
}
