package driver

import (
	"context"
	"errors"
	"fmt"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	resourcesv1alpha1 "github.com/gardener/gardener/pkg/apis/resources/v1alpha1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/controllerutils"
	"github.com/gardener/gardener/pkg/extensions"
	"github.com/gardener/gardener/pkg/utils/retry"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	podsecurity "k8s.io/pod-security-admission/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The namespace of a Shoot in the seed, with the labels that webhooks and ManagedResources select.
func (d *Driver) deployNamespace(ctx context.Context, request Request) error {
	if request.Namespace == "" {
		return errors.New(`command "namespace" lacks a namespace`)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: request.Namespace}}
	_, err := controllerutils.GetAndCreateOrMergePatch(ctx, d.live, namespace, func() error {
		label := func(key, value string) {
			if value != "" {
				metav1.SetMetaDataLabel(&namespace.ObjectMeta, key, value)
			}
		}
		label(v1beta1constants.GardenRole, v1beta1constants.GardenRoleShoot)
		label(podsecurity.EnforceLevelLabel, string(podsecurity.LevelPrivileged))
		label(resourcesv1alpha1.HighAvailabilityConfigConsider, "true")
		if seed := request.Seed; seed != nil {
			label(v1beta1constants.LabelSeedProvider, seed.Spec.Provider.Type)
			label(v1beta1constants.LabelBackupProvider, seed.Spec.Provider.Type)
			if seed.Spec.Backup != nil {
				label(v1beta1constants.LabelBackupProvider, seed.Spec.Backup.Provider)
			}
		}
		if shoot := request.Shoot; shoot != nil {
			label(v1beta1constants.LabelShootProvider, shoot.Spec.Provider.Type)
			if networking := shoot.Spec.Networking; networking != nil && networking.Type != nil {
				label(v1beta1constants.LabelNetworkingProvider, *networking.Type)
			}
			metav1.SetMetaDataAnnotation(&namespace.ObjectMeta, v1beta1constants.ShootUID, string(shoot.Status.UID))
		}
		return nil
	})
	return err
}

// The Cluster of a Shoot: what an extension may know of the garden.
func (d *Driver) deployCluster(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.Shoot == nil || request.CloudProfile == nil {
		return errors.New(`command "cluster" lacks a namespace, a shoot or a cloudProfile`)
	}
	if request.Shoot.Status.TechnicalID == "" {
		request.Shoot.Status.TechnicalID = request.Namespace
	}
	seed := request.Seed
	if seed == nil {
		// Only the Cluster of a self-hosted Shoot may lack one.
		seed = &gardencorev1beta1.Seed{ObjectMeta: metav1.ObjectMeta{Name: "seed"}}
		seed.Spec.Provider.Type, seed.Spec.Provider.Region = request.Shoot.Spec.Provider.Type, request.Shoot.Spec.Region
	}
	return extensions.SyncClusterResourceToSeed(ctx, d.live, request.Namespace, request.Shoot, request.CloudProfile, seed)
}

// The Secret with the credentials of the Shoot's account.
func (d *Driver) deployCloudProvider(ctx context.Context, request Request) error {
	if request.Namespace == "" || len(request.Data) == 0 {
		return errors.New(`command "cloudprovider" lacks a namespace or data`)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Name: v1beta1constants.SecretNameCloudProvider, Namespace: request.Namespace,
	}}
	_, err := controllerutils.GetAndCreateOrMergePatch(ctx, d.live, secret, func() error {
		secret.Labels = map[string]string{v1beta1constants.GardenerPurpose: v1beta1constants.SecretNameCloudProvider}
		secret.Type = corev1.SecretTypeOpaque
		if secret.Data == nil {
			secret.Data = map[string][]byte{}
		}
		for key, value := range request.Data {
			secret.Data[key] = []byte(value)
		}
		return nil
	})
	return err
}

// Deletes the namespace and then the Cluster, and waits until both have gone.
func (d *Driver) deleteNamespace(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.Interval <= 0 || request.Timeout <= 0 {
		return errors.New(`command "deleteNamespace" lacks a namespace, an interval or a timeout`)
	}
	name := metav1.ObjectMeta{Name: request.Namespace}
	// The namespace goes first: what is left in it may need its Cluster.
	if err := d.delete(ctx, request, "namespace", &corev1.Namespace{ObjectMeta: name}); err != nil {
		return err
	}
	return d.delete(ctx, request, "Cluster", &extensionsv1alpha1.Cluster{ObjectMeta: name})
}

func (d *Driver) delete(ctx context.Context, request Request, kind string, object client.Object) error {
	if err := client.IgnoreNotFound(d.live.Delete(ctx, object, kubernetes.DefaultDeleteOptions...)); err != nil {
		return err
	}
	return retry.UntilTimeout(ctx, request.interval(), request.timeout(), func(ctx context.Context) (bool, error) {
		err := d.live.Get(ctx, client.ObjectKeyFromObject(object), object)
		if apierrors.IsNotFound(err) {
			return retry.Ok()
		}
		if err != nil {
			return retry.SevereError(err)
		}
		return retry.MinorError(fmt.Errorf("%s %s is still present", kind, request.Namespace))
	})
}
