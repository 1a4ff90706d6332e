package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	gardeneraccess "github.com/gardener/gardener/pkg/component/gardener/access"
	"github.com/gardener/gardener/pkg/controllerutils"
	"github.com/gardener/gardener/pkg/utils/gardener/tokenrequest"
	"github.com/gardener/gardener/pkg/utils/retry"
	secretsutils "github.com/gardener/gardener/pkg/utils/secrets"
	secretsmanager "github.com/gardener/gardener/pkg/utils/secrets/manager"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// gardenlet's secrets manager of a namespace, which has the authority of the Shoot's API server: that one is not gardenlet's.
type secrets struct {
	secretsmanager.Interface
	authority *corev1.Secret
}

func (s secrets) Get(name string, options ...secretsmanager.GetOption) (*corev1.Secret, bool) {
	if name == v1beta1constants.SecretNameCACluster {
		return s.authority, true
	}
	return s.Interface.Get(name, options...)
}

// The secrets manager of a namespace, with the kubeconfig for tokens that control planes mount.
func (d *Driver) secrets(ctx context.Context, namespace string) (secretsmanager.Interface, *corev1.Secret, error) {
	if d.shoot == nil {
		return nil, nil, errors.New("this command needs the Shoot: start gardenlet-driver with both kubeconfigs")
	}
	manager, err := secretsmanager.New(ctx, logr.Discard(), clock.RealClock{}, d.live,
		v1beta1constants.SecretManagerIdentityGardenlet, secretsmanager.WithNamespaces(namespace))
	if err != nil {
		return nil, nil, err
	}
	authority := &corev1.Secret{Data: map[string][]byte{secretsutils.DataKeyCertificateBundle: d.shoot.CAData}}
	with := secrets{manager, authority}
	kubeconfig, err := tokenrequest.GenerateGenericTokenKubeconfig(ctx, with, namespace, d.address())
	return with, kubeconfig, err
}

// The address of the Shoot's API server, as gardenlet writes it: without a scheme.
func (d *Driver) address() string { return strings.TrimPrefix(d.shoot.Host, "https://") }

// Gives the people and programs that work in the namespace access to the Shoot's API server: the kubeconfig for tokens, whose name the
// Cluster says, and the Secrets `gardener` and `gardener-internal`, whose tokens gardener-resource-manager makes.
func (d *Driver) deployAccess(ctx context.Context, request Request) (map[string]any, error) {
	if request.Namespace == "" || request.Interval <= 0 || request.Timeout <= 0 {
		return nil, errors.New(`command "access" lacks a namespace, an interval or a timeout`)
	}
	manager, kubeconfig, err := d.secrets(ctx, request.Namespace)
	if err != nil {
		return nil, err
	}
	cluster := &extensionsv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: request.Namespace}}
	if _, err := controllerutils.GetAndCreateOrMergePatch(ctx, d.live, cluster, func() error {
		metav1.SetMetaDataAnnotation(&cluster.ObjectMeta, v1beta1constants.AnnotationKeyGenericTokenKubeconfigSecretName, kubeconfig.Name)
		return nil
	}); err != nil {
		return nil, err
	}
	access := gardeneraccess.New(d.live, request.Namespace, manager, gardeneraccess.Values{
		ServerInCluster: d.address(), ServerOutOfCluster: d.address(),
	})
	if err := access.Deploy(ctx); err != nil {
		return nil, err
	}
	for _, name := range []string{v1beta1constants.SecretNameGardener, v1beta1constants.SecretNameGardenerInternal} {
		if err := d.waitForAccess(ctx, request, name); err != nil {
			return nil, err
		}
	}
	return map[string]any{"genericKubeconfig": kubeconfig.Name}, nil
}

// Waits until a Secret has a kubeconfig whose user may do everything in the Shoot.
func (d *Driver) waitForAccess(ctx context.Context, request Request, name string) error {
	return retry.UntilTimeout(ctx, request.interval(), request.timeout(), func(ctx context.Context) (bool, error) {
		secret := &corev1.Secret{}
		if err := d.live.Get(ctx, client.ObjectKey{Namespace: request.Namespace, Name: name}, secret); err != nil {
			return retry.SevereError(err)
		}
		config, err := clientcmd.RESTConfigFromKubeConfig(secret.Data["kubeconfig"])
		if err != nil || config.BearerToken == "" {
			return retry.MinorError(fmt.Errorf("the kubeconfig of Secret %s has no token", name))
		}
		shoot, err := client.New(config, client.Options{})
		if err != nil {
			return retry.MinorError(err)
		}
		if err := shoot.List(ctx, &corev1.SecretList{}, client.Limit(1)); err != nil {
			return retry.MinorError(err)
		}
		return retry.Ok()
	})
}
