package garden

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

var (
	namespaces    = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	projects      = schema.GroupVersionResource{Group: "core.gardener.cloud", Version: "v1beta1", Resource: "projects"}
	registrations = schema.GroupVersionResource{Group: "core.gardener.cloud", Version: "v1beta1", Resource: "controllerregistrations"}
)

func isThere(err error) bool { return apierrors.IsAlreadyExists(err) }

// CreateProject creates a Project with its namespace, `garden-<name>`, as far as they are missing. gardener-controller-manager, which
// looks after Projects elsewhere, is missing.
func CreateProject(ctx context.Context, config *rest.Config, name string) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := "garden-" + name
	err = create(ctx, client.Resource(namespaces), object{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": object{"name": namespace, "labels": object{
			"gardener.cloud/role": "project", "project.gardener.cloud/name": name,
		}},
	})
	if err != nil {
		return err
	}
	return create(ctx, client.Resource(projects), object{
		"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
		"metadata": object{"name": name},
		"spec":     object{"namespace": namespace},
	})
}

// RegisterExtensions says who would reconcile some kinds of extension resources, such as `Infrastructure/alicloud`: gardener-apiserver
// takes no Shoot that needs others.
func RegisterExtensions(ctx context.Context, config *rest.Config, extensions []string) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, extension := range extensions {
		kind, kindOf, ok := strings.Cut(extension, "/")
		if !ok {
			return fmt.Errorf("no extension: %q: write KIND/TYPE, such as Infrastructure/alicloud", extension)
		}
		// One object each: a kind and type must not be registered twice.
		err := create(ctx, client.Resource(registrations), object{
			"apiVersion": "core.gardener.cloud/v1beta1", "kind": "ControllerRegistration",
			"metadata": object{"name": strings.ToLower(kind + "-" + kindOf)},
			"spec":     object{"resources": []any{object{"kind": kind, "type": kindOf}}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
