package actor

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A resource of the API server whose objects can be collected.
type resource struct {
	schema.GroupVersionResource
	kind       string
	namespaced bool
}

// Objects of these groups or resources own nothing, are owned by nothing, and change all the time.
var ignored = []schema.GroupResource{
	{Resource: "events"},
	{Group: "events.k8s.io", Resource: "events"},
}

func resources(lists []*metav1.APIResourceList) []resource {
	var found []resource
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, each := range list.APIResources {
			all := !slices.ContainsFunc([]string{"list", "watch", "delete"}, func(verb string) bool {
				return !slices.Contains(each.Verbs, verb)
			})
			full := version.WithResource(each.Name)
			if all && !slices.Contains(ignored, full.GroupResource()) {
				found = append(found, resource{full, each.Kind, each.Namespaced})
			}
		}
	}
	return found
}
