package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/extensions/backupentry"
	"github.com/gardener/gardener/pkg/controllerutils"
	"github.com/gardener/gardener/pkg/extensions"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
)

// What gardener-operator makes for a garden, of class `garden`. Its package exports none of that, and deploys all else of a
// garden too: so the bucket is repeated after it, and the entry is the component that it uses, with its values.

// The operator moves nothing to another cluster.
var errStays = errors.New("gardener-operator neither migrates nor restores what is of class garden")

// Who is responsible, and the garden's own Secret, which all share.
func (r Request) ofGarden() (extensionsv1alpha1.DefaultSpec, corev1.SecretReference, error) {
	class, secret := extensionsv1alpha1.ExtensionClassGarden, corev1.SecretReference{Name: r.Spec.SecretName, Namespace: gardenNamespace}
	if r.Spec.Class != class {
		return extensionsv1alpha1.DefaultSpec{}, secret, fmt.Errorf("class %q: %q, which gardener-operator writes, or none, as gardenlet", r.Spec.Class, class)
	}
	if secret.Name == "" {
		return extensionsv1alpha1.DefaultSpec{}, secret, errors.New("the spec of class garden lacks the secretName of the garden")
	}
	switch r.Command {
	case "migrate", "waitMigrate", "restore":
		return extensionsv1alpha1.DefaultSpec{}, secret, errStays
	}
	return extensionsv1alpha1.DefaultSpec{Type: r.Spec.Type, ProviderConfig: r.Spec.ProviderConfig, Class: &class}, secret, nil
}

func (d *Driver) entryOfGarden(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("class", "type", "region", "providerConfig", "secretName", "bucketName", "backupBucketProviderStatus"); err != nil {
		return nil, err
	}
	of, secret, err := request.ofGarden()
	if err != nil {
		return nil, err
	}
	return backupentry.New(logr.Discard(), d.cached, clock.RealClock{}, &backupentry.Values{
		Name:                       request.Name,
		Type:                       of.Type,
		ProviderConfig:             of.ProviderConfig,
		Class:                      of.Class,
		Region:                     request.Spec.Region,
		SecretRef:                  secret,
		BucketName:                 request.Spec.BucketName,
		BackupBucketProviderStatus: request.Spec.BackupBucketProviderStatus,
	}, request.interval(), request.severeThreshold(), request.timeout()), nil
}

// The bucket of a garden.
type bucketOfGarden struct {
	driver  *Driver
	request Request
	bucket  *extensionsv1alpha1.BackupBucket
	spec    extensionsv1alpha1.BackupBucketSpec
}

func (d *Driver) bucketOfGarden(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("class", "type", "region", "providerConfig", "secretName"); err != nil {
		return nil, err
	}
	of, secret, err := request.ofGarden()
	if err != nil {
		return nil, err
	}
	return &bucketOfGarden{
		d, request, &extensionsv1alpha1.BackupBucket{ObjectMeta: metav1.ObjectMeta{Name: request.Name}},
		extensionsv1alpha1.BackupBucketSpec{DefaultSpec: of, Region: request.Spec.Region, SecretRef: secret},
	}, nil
}

func (b *bucketOfGarden) Deploy(ctx context.Context) error {
	_, err := controllerutils.GetAndCreateOrMergePatch(ctx, b.driver.cached, b.bucket, func() error {
		metav1.SetMetaDataAnnotation(&b.bucket.ObjectMeta, v1beta1constants.GardenerOperation, v1beta1constants.GardenerOperationReconcile)
		metav1.SetMetaDataAnnotation(&b.bucket.ObjectMeta, v1beta1constants.GardenerTimestamp, time.Now().UTC().Format(time.RFC3339Nano))
		b.bucket.Spec = b.spec
		return nil
	})
	return err
}

func (b *bucketOfGarden) Wait(ctx context.Context) error {
	return extensions.WaitUntilExtensionObjectReady(ctx, b.driver.cached, logr.Discard(), b.bucket, b.request.Kind,
		b.request.interval(), b.request.severeThreshold(), b.request.timeout(), nil)
}

func (b *bucketOfGarden) Destroy(ctx context.Context) error {
	return extensions.DeleteExtensionObject(ctx, b.driver.cached, b.bucket)
}

func (b *bucketOfGarden) WaitCleanup(ctx context.Context) error {
	return extensions.WaitUntilExtensionObjectDeleted(ctx, b.driver.cached, logr.Discard(), b.bucket, b.request.Kind,
		b.request.interval(), b.request.timeout())
}

func (*bucketOfGarden) Migrate(context.Context) error                                { return errStays }
func (*bucketOfGarden) WaitMigrate(context.Context) error                            { return errStays }
func (*bucketOfGarden) Restore(context.Context, *gardencorev1beta1.ShootState) error { return errStays }
