// Package crds defines the kinds of `extensions.gardener.cloud/v1alpha1` that the landscape's API server has.
//
// The definitions are Trellis's own, after what the contract of extensions says of each field. They are not Gardener's
// files: what those refuse or drop beyond this is not noticed here.
package crds

import (
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Group and Version are those of all kinds.
const (
	Group   = "extensions.gardener.cloud"
	Version = "v1alpha1"
)

// All returns the definitions, in the order in which to create them.
func All() []*apiextensions.CustomResourceDefinition {
	typeColumn := column("Type", ".spec.type")
	regionColumn := column("Region", ".spec.region")
	statusColumn := column("Status", ".status.lastOperation.state")

	cluster := define("Cluster", "", apiextensions.ClusterScoped, object(schemas{
		"cloudProfile": anyObject(),
		"seed":         anyObject(),
		"shoot":        anyObject(),
	}, "cloudProfile", "shoot"), nil)

	infrastructure := define("Infrastructure", "infra", apiextensions.NamespaceScoped,
		spec(schemas{"sshPublicKey": bytes()}),
		status(schemas{
			"nodesCIDR":   text(),
			"egressCIDRs": list(text()),
			"networking":  object(schemas{"pods": list(text()), "nodes": list(text()), "services": list(text())}),
		}), typeColumn, regionColumn, statusColumn)

	controlPlane := define("ControlPlane", "cp", apiextensions.NamespaceScoped,
		spec(schemas{"infrastructureProviderStatus": anyObject()}),
		status(nil), typeColumn, regionColumn, statusColumn)

	worker := define("Worker", "", apiextensions.NamespaceScoped,
		spec(schemas{
			"infrastructureProviderStatus": anyObject(),
			"sshPublicKey":                 bytes(),
			"pools":                        list(pool()),
		}, "pools"),
		status(schemas{
			"machineDeployments": list(object(schemas{
				"name":                         text(),
				"minimum":                      integer("int32"),
				"maximum":                      integer("int32"),
				"priority":                     integer("int32"),
				"autoPreserveFailedMachineMax": integer("int32"),
			}, "name", "minimum", "maximum")),
			"machineDeploymentsLastUpdateTime": instant(),
			"inPlaceUpdates":                   object(schemas{"workerPoolToHashMap": mapOf(text())}),
		}), typeColumn, regionColumn, statusColumn)

	return []*apiextensions.CustomResourceDefinition{cluster, infrastructure, controlPlane, worker}
}

// Plural returns the plural of a kind in URLs.
func Plural(kind string) string { return strings.ToLower(kind) + "s" }

func define(
	kind, short string,
	scope apiextensions.ResourceScope,
	spec apiextensions.JSONSchemaProps,
	status *apiextensions.JSONSchemaProps,
	columns ...apiextensions.CustomResourceColumnDefinition,
) *apiextensions.CustomResourceDefinition {
	names := apiextensions.CustomResourceDefinitionNames{
		Kind: kind, ListKind: kind + "List", Plural: Plural(kind), Singular: strings.ToLower(kind),
	}
	if short != "" {
		names.ShortNames = []string{short}
	}
	properties := schemas{"spec": spec}
	version := apiextensions.CustomResourceDefinitionVersion{Name: Version, Served: true, Storage: true}
	if status != nil {
		properties["status"] = *status
		version.Subresources = &apiextensions.CustomResourceSubresources{
			Status: &apiextensions.CustomResourceSubresourceStatus{},
		}
	}
	age := column("Age", ".metadata.creationTimestamp")
	age.Type = "date"
	version.AdditionalPrinterColumns = append(columns, age)
	root := object(properties, "spec")
	version.Schema = &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &root}
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: names.Plural + "." + Group},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: Group, Names: names, Scope: scope,
			Versions: []apiextensions.CustomResourceDefinitionVersion{version},
		},
	}
}

func column(name, path string) apiextensions.CustomResourceColumnDefinition {
	return apiextensions.CustomResourceColumnDefinition{Name: name, Type: "string", JSONPath: path}
}
