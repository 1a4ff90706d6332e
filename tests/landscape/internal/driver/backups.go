package driver

import (
	"fmt"

	gardenletconfig "github.com/gardener/gardener/pkg/apis/config/gardenlet/v1alpha1"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupbucket"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupentry"
	"github.com/gardener/gardener/pkg/utils/kubernetes/health"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The namespace of a seed in which gardenlet keeps its own, also that of the credentials and of the Shoot in the garden of a call.
const gardenNamespace = v1beta1constants.GardenNamespace

// The seed of this driver in the garden of a call, and the one to which a Shoot leaves.
const thisSeed, nextSeed = "seed", "next"

func (d *Driver) backupBucket(request Request) (component.DeployMigrateWaiter, error) {
	if request.Spec.Class != "" {
		return d.bucketOfGarden(request)
	}
	if err := request.takes("type", "region", "providerConfig"); err != nil {
		return nil, err
	}
	credentials, err := credentialsOf(request)
	if err != nil {
		return nil, err
	}
	return &controlled{
		d, request, &extensionsv1alpha1.BackupBucket{ObjectMeta: metav1.ObjectMeta{Name: request.Name}},
		bucketInGarden(request, request.Name), health.CheckBackupBucket,
		[]client.Object{credentials}, "bucket-" + request.Name,
		func(garden client.Client) reconcile.Reconciler {
			return &backupbucket.Reconciler{
				GardenClient: garden, SeedClient: d.cached, Clock: clock.RealClock{}, Recorder: &events.FakeRecorder{},
				GardenNamespace: gardenNamespace, SeedName: thisSeed,
			}
		},
	}, nil
}

func (d *Driver) backupEntry(request Request) (component.DeployMigrateWaiter, error) {
	if request.Spec.Class != "" {
		return d.entryOfGarden(request)
	}
	if err := request.takes("type", "region", "providerConfig", "bucketName", "backupBucketProviderStatus"); err != nil {
		return nil, err
	}
	credentials, err := credentialsOf(request)
	if err != nil {
		return nil, err
	}
	bucket := bucketInGarden(request, request.Spec.BucketName)
	// gardenlet looks at no entry of another bucket.
	bucket.Status.LastOperation = &gardencorev1beta1.LastOperation{State: gardencorev1beta1.LastOperationStateSucceeded}
	bucket.Status.ProviderStatus = request.Spec.BackupBucketProviderStatus
	state := shootState(request)
	state.Name, state.Namespace = "shoot", gardenNamespace
	entry := &gardencorev1beta1.BackupEntry{
		ObjectMeta: metav1.ObjectMeta{
			Name: request.Name, Namespace: state.Namespace,
			OwnerReferences: []metav1.OwnerReference{{Kind: "Shoot", Name: state.Name}},
		},
		Spec: gardencorev1beta1.BackupEntrySpec{BucketName: bucket.Name, SeedName: new(thisSeed)},
	}
	return &controlled{
		d, request, &extensionsv1alpha1.BackupEntry{ObjectMeta: metav1.ObjectMeta{Name: request.Name}},
		entry, health.CheckBackupEntry,
		[]client.Object{credentials, bucket, state}, "entry-" + request.Name,
		func(garden client.Client) reconcile.Reconciler {
			return &backupentry.Reconciler{
				GardenClient: garden, SeedClient: d.cached, Clock: clock.RealClock{}, Recorder: &events.FakeRecorder{},
				Config:          gardenletconfig.BackupEntryControllerConfiguration{DeletionGracePeriodHours: new(0)},
				GardenNamespace: gardenNamespace, SeedName: thisSeed,
			}
		},
	}, nil
}

// The credentials as the garden has them.
func credentialsOf(request Request) (*corev1.Secret, error) {
	if len(request.Data) == 0 {
		return nil, fmt.Errorf("command %q of a %s lacks data, the credentials", request.Command, request.Kind)
	}
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "backup", Namespace: gardenNamespace}, Data: request.bytes()}, nil
}

// The bucket as the garden has it.
func bucketInGarden(request Request, name string) *gardencorev1beta1.BackupBucket {
	return &gardencorev1beta1.BackupBucket{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: gardencorev1beta1.BackupBucketSpec{
			Provider:       gardencorev1beta1.BackupBucketProvider{Type: request.Spec.Type, Region: request.Spec.Region},
			ProviderConfig: request.Spec.ProviderConfig,
			SeedName:       new(thisSeed),
			CredentialsRef: &corev1.ObjectReference{APIVersion: "v1", Kind: "Secret", Name: "backup", Namespace: gardenNamespace},
		},
	}
}
