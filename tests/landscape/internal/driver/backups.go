package driver

import (
	"context"
	"errors"
	"fmt"
	"time"

	gardenletconfig "github.com/gardener/gardener/pkg/apis/config/gardenlet/v1alpha1"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/extensions"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupbucket"
	"github.com/gardener/gardener/pkg/gardenlet/controller/backupentry"
	"github.com/gardener/gardener/pkg/utils/kubernetes/health"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The namespace of a seed in which gardenlet keeps its own, also that of the credentials and of the Shoot in the garden of a call.
const gardenNamespace = v1beta1constants.GardenNamespace

// The seed of this driver in the garden of a call, and the one to which a Shoot leaves.
const thisSeed, nextSeed = "seed", "next"

// A BackupBucket or BackupEntry that gardenlet's controllers make of the object of the garden with the same name. The garden
// is each call's own.
type backup struct {
	driver    *Driver
	request   Request
	extension extensionsv1alpha1.Object
	// The object of the garden, and when it is healthy.
	core   client.Object
	health health.Func
	// What else there is in the garden.
	others []client.Object
	// The Secret that gardenlet writes into the seed.
	secret     string
	reconciler func(garden client.Client) reconcile.Reconciler
}

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
	return &backup{
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
	return &backup{
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

// What people and gardener-apiserver ask for with the object of the garden.
type asked func(core client.Object)

func asItIs(client.Object) {}

func restored(core client.Object) {
	core.SetAnnotations(map[string]string{v1beta1constants.GardenerOperation: v1beta1constants.GardenerOperationRestore})
}

func leaving(core client.Object) {
	core.SetFinalizers([]string{gardencorev1beta1.GardenerName})
	if entry, ok := core.(*gardencorev1beta1.BackupEntry); ok {
		entry.Spec.SeedName, entry.Status.SeedName = new(nextSeed), new(thisSeed)
	}
}

func deleted(core client.Object) {
	core.SetFinalizers([]string{gardencorev1beta1.GardenerName})
	core.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
	// An entry stays for days else.
	core.SetAnnotations(map[string]string{gardencorev1beta1.BackupEntryForceDeletion: "true"})
}

// Has gardenlet's controller look once, and answers with the object of the garden: as it was given where it has gone.
func (b *backup) look(ctx context.Context, ask asked) (client.Object, error) {
	core, ok := b.core.DeepCopyObject().(client.Object)
	if !ok {
		return nil, fmt.Errorf("%T is no object", b.core)
	}
	ask(core)
	garden := fake.NewClientBuilder().WithScheme(kubernetes.GardenScheme).
		WithObjects(core).WithObjects(b.others...).WithStatusSubresource(core).Build()
	key := client.ObjectKeyFromObject(core)
	if _, err := b.reconciler(garden).Reconcile(ctx, reconcile.Request{NamespacedName: key}); err != nil {
		return nil, err
	}
	return core, client.IgnoreNotFound(garden.Get(ctx, key, core))
}

// The controller asks where something is different from what it wants. With `annotateOperation` the Secret loses its time: the
// controller takes it for one of a release that had none, and asks in any case.
func (b *backup) Deploy(ctx context.Context) error {
	if b.request.AnnotateOperation {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: b.secret, Namespace: gardenNamespace}}
		forget := fmt.Sprintf(`{"metadata":{"annotations":{%q:null}}}`, v1beta1constants.GardenerTimestamp)
		patch := client.RawPatch(types.MergePatchType, []byte(forget))
		if err := client.IgnoreNotFound(b.driver.live.Patch(ctx, secret, patch)); err != nil {
			return err
		}
	}
	_, err := b.look(ctx, asItIs)
	return err
}

// The controller itself waits for nothing: it looks when the object changes. Ready is what the wait of all kinds takes for it,
// and then the controller too.
func (b *backup) Wait(ctx context.Context) error {
	return extensions.WaitUntilExtensionObjectReady(ctx, b.driver.cached, logr.Discard(), b.extension, b.request.Kind,
		b.request.interval(), b.request.severeThreshold(), b.request.timeout(), func(ctx context.Context) error {
			core, err := b.look(ctx, asItIs)
			if err != nil {
				return err
			}
			return b.health(core)
		})
}

func (b *backup) Migrate(ctx context.Context) error {
	if err := b.moves(); err != nil {
		return err
	}
	_, err := b.look(ctx, leaving)
	return err
}

// Once the migration has succeeded, the controller deletes the object, and then the Secret.
func (b *backup) WaitMigrate(ctx context.Context) error {
	if err := b.moves(); err != nil {
		return err
	}
	if err := extensions.WaitUntilExtensionObjectMigrated(ctx, b.driver.cached, b.extension, b.request.Kind,
		b.request.interval(), b.request.timeout()); err != nil {
		return err
	}
	if _, err := b.look(ctx, leaving); err != nil {
		return err
	}
	return b.gone(ctx, leaving)
}

func (b *backup) Restore(ctx context.Context, _ *gardencorev1beta1.ShootState) error {
	if err := b.moves(); err != nil {
		return err
	}
	_, err := b.look(ctx, restored)
	return err
}

// Writes the Secret again first.
func (b *backup) Destroy(ctx context.Context) error {
	_, err := b.look(ctx, deleted)
	return err
}

func (b *backup) WaitCleanup(ctx context.Context) error { return b.gone(ctx, deleted) }

// Waits until the object has gone; the controller then deletes the Secret.
func (b *backup) gone(ctx context.Context, ask asked) error {
	if err := extensions.WaitUntilExtensionObjectDeleted(ctx, b.driver.cached, logr.Discard(), b.extension, b.request.Kind,
		b.request.interval(), b.request.timeout()); err != nil {
		return err
	}
	_, err := b.look(ctx, ask)
	return err
}

// The bucket of a seed stays with the seed.
func (b *backup) moves() error {
	if b.request.Kind == extensionsv1alpha1.BackupBucketResource {
		return errors.New("gardenlet neither migrates nor restores a BackupBucket")
	}
	return nil
}
