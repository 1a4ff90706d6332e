package driver

import (
	"context"
	"errors"

	extensionscontroller "github.com/gardener/gardener/extensions/pkg/controller"
	extensionssecretsmanager "github.com/gardener/gardener/extensions/pkg/util/secret/manager"
	kubernetesutils "github.com/gardener/gardener/pkg/utils/kubernetes"
	secretsutils "github.com/gardener/gardener/pkg/utils/secrets"
	secretsmanager "github.com/gardener/gardener/pkg/utils/secrets/manager"
	"github.com/go-logr/logr"
	"k8s.io/utils/clock"
)

// Who manages the certificates of a control plane, and their names: as in the extension provider-alicloud.
const (
	identity          = "provider-alicloud-controlplane"
	authority         = "ca-provider-alicloud-controlplane"
	server            = "cloud-controller-manager"
	serverCertificate = server + "-server"
)

// Manages the certificates of a control plane by Gardener's own secrets manager of extensions: makes those that are missing
// or out of date, and deletes those that nothing needs any more; with `remove`, all.
func (d *Driver) manageSecrets(ctx context.Context, request Request) (map[string]any, error) {
	if request.Namespace == "" {
		return nil, errors.New(`command "secretsManager" lacks a namespace`)
	}
	cluster, err := extensionscontroller.GetCluster(ctx, d.live, request.Namespace)
	if err != nil {
		return nil, err
	}
	var configs []extensionssecretsmanager.SecretConfigWithOptions
	if !request.Remove {
		configs = certificates(request.Namespace)
	}
	manager, err := extensionssecretsmanager.SecretsManagerForCluster(ctx, logr.Discard(), clock.RealClock{}, d.live, cluster, identity, configs)
	if err != nil {
		return nil, err
	}
	made, err := extensionssecretsmanager.GenerateAllSecrets(ctx, manager, configs)
	if err != nil {
		return nil, err
	}
	if err := manager.Cleanup(ctx); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for name, secret := range made {
		names[name] = secret.Name
	}
	if bundle, ok := manager.Get(authority); ok {
		names[authority+"-bundle"] = bundle.Name
	}
	return map[string]any{"secrets": names}, nil
}

func certificates(namespace string) []extensionssecretsmanager.SecretConfigWithOptions {
	return []extensionssecretsmanager.SecretConfigWithOptions{
		{
			Config:  &secretsutils.CertificateSecretConfig{Name: authority, CommonName: authority, CertType: secretsutils.CACert},
			Options: []secretsmanager.GenerateOption{secretsmanager.Persist()},
		},
		{
			Config: &secretsutils.CertificateSecretConfig{
				Name: serverCertificate, CommonName: server, CertType: secretsutils.ServerCert, SkipPublishingCACertificate: true,
				DNSNames: kubernetesutils.DNSNamesForService(server, namespace),
			},
			Options: []secretsmanager.GenerateOption{secretsmanager.SignedByCA(authority)},
		},
	}
}
