package garden

import (
	"context"
	"encoding/base64"

	"k8s.io/client-go/rest"

	"landscape/internal/servers"
)

// The kinds of each API group that the webhooks of a provider see (docs/admission.md).
var (
	judgedCore     = []any{"shoots", "cloudprofiles", "namespacedcloudprofiles", "secretbindings", "seeds", "backupbuckets"}
	judgedSecurity = []any{"credentialsbindings", "workloadidentities"}
	completed      = []any{"shoots", "cloudprofiles", "namespacedcloudprofiles", "namespacedcloudprofiles/status"}
)

// RegisterWebhooks has the API servers of a garden call the webhooks of a provider's admission.
func RegisterWebhooks(ctx context.Context, config *rest.Config, admission *servers.Admission, provider string) error {
	hook := func(name, path, label string, rules ...any) object {
		return object{
			"name":                    name + ".admission-" + provider + ".extensions.gardener.cloud",
			"admissionReviewVersions": []any{"v1"},
			"sideEffects":             "None",
			"failurePolicy":           "Fail",
			"timeoutSeconds":          int64(10),
			"matchPolicy":             "Exact",
			"objectSelector":          object{"matchLabels": object{label + ".gardener.cloud/" + provider: "true"}},
			"rules":                   rules,
			"clientConfig": object{
				"url": admission.URL + path, "caBundle": base64.StdEncoding.EncodeToString(admission.Authority),
			},
		}
	}
	rule := func(group, version string, resources []any) object {
		return object{
			"apiGroups": []any{group}, "apiVersions": []any{version}, "resources": resources,
			"operations": []any{"CREATE", "UPDATE"},
		}
	}
	configuration := func(kind string, hooks ...any) object {
		return object{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
			"metadata": object{"name": "gardener-extension-admission-" + provider}, "webhooks": hooks,
		}
	}
	const garden, secrets = "provider.extensions", "provider.shoot"
	return Create(ctx, config,
		configuration("MutatingWebhookConfiguration",
			hook("mutator", "/webhooks/mutate", garden, rule("core.gardener.cloud", "v1beta1", completed)),
		),
		configuration("ValidatingWebhookConfiguration",
			hook("validator", "/webhooks/validate", garden,
				rule("core.gardener.cloud", "v1beta1", judgedCore), rule("security.gardener.cloud", "v1alpha1", judgedSecurity)),
			hook("secrets.validator", "/webhooks/validate/secrets", secrets, rule("", "v1", []any{"secrets"})),
		),
	)
}
