package garden

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/client-go/rest"
)

// CreateProject creates a Project with its namespace, `garden-<name>`, as far as they are missing. gardener-controller-manager, which
// looks after Projects elsewhere, is missing.
func CreateProject(ctx context.Context, config *rest.Config, name string) error {
	namespace := "garden-" + name
	return Create(ctx, config, object{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": object{"name": namespace, "labels": object{
			"gardener.cloud/role": "project", "project.gardener.cloud/name": name,
		}},
	}, object{
		"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
		"metadata": object{"name": name},
		"spec":     object{"namespace": namespace},
	})
}

// RegisterExtensions says who would reconcile some kinds of extension resources, such as `Infrastructure/alicloud`: gardener-apiserver
// takes no Shoot that needs others.
func RegisterExtensions(ctx context.Context, config *rest.Config, extensions []string) error {
	var objects []map[string]any
	for _, extension := range extensions {
		kind, kindOf, ok := strings.Cut(extension, "/")
		if !ok {
			return fmt.Errorf("no extension: %q: write KIND/TYPE, such as Infrastructure/alicloud", extension)
		}
		// One object each: a kind and type must not be registered twice.
		objects = append(objects, object{
			"apiVersion": "core.gardener.cloud/v1beta1", "kind": "ControllerRegistration",
			"metadata": object{"name": strings.ToLower(kind + "-" + kindOf)},
			"spec":     object{"resources": []any{object{"kind": kind, "type": kindOf}}},
		})
	}
	return Create(ctx, config, objects...)
}
