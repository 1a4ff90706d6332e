package driver

import (
	"context"
	"fmt"
	"maps"
	"time"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/extensions"
	"github.com/gardener/gardener/pkg/utils/kubernetes/health"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// An object that gardenlet's controllers make of the object of the garden with the same name. The garden is each call's own.
type controlled struct {
	driver    *Driver
	request   Request
	extension extensionsv1alpha1.Object
	// The object of the garden, and when it is healthy.
	core   client.Object
	health health.Func
	// What else there is in the garden.
	others []client.Object
	// The Secret that gardenlet writes into the seed; empty where it writes none.
	secret     string
	reconciler func(garden client.Client) reconcile.Reconciler
}

// What people and gardener-apiserver ask for with the object of the garden.
type asked func(core client.Object)

func asItIs(client.Object) {}

func restored(core client.Object) {
	annotate(core, v1beta1constants.GardenerOperation, v1beta1constants.GardenerOperationRestore)
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
	annotate(core, gardencorev1beta1.BackupEntryForceDeletion, "true")
}

func annotate(core client.Object, key, value string) {
	annotations := map[string]string{key: value}
	maps.Copy(annotations, core.GetAnnotations())
	core.SetAnnotations(annotations)
}

// Has gardenlet's controller look once, and answers with the object of the garden: as it was given where it has gone.
func (c *controlled) look(ctx context.Context, ask asked) (client.Object, error) {
	core, ok := c.core.DeepCopyObject().(client.Object)
	if !ok {
		return nil, fmt.Errorf("%T is no object", c.core)
	}
	ask(core)
	garden := fake.NewClientBuilder().WithScheme(kubernetes.GardenScheme).
		WithObjects(core).WithObjects(c.others...).WithStatusSubresource(core).Build()
	key := client.ObjectKeyFromObject(core)
	if _, err := c.reconciler(garden).Reconcile(ctx, reconcile.Request{NamespacedName: key}); err != nil {
		return nil, err
	}
	return core, client.IgnoreNotFound(garden.Get(ctx, key, core))
}

// The controller asks where something is different from what it wants. With `annotateOperation` the Secret loses its time: the
// controller takes it for one of a release that had none, and asks in any case.
func (c *controlled) Deploy(ctx context.Context) error {
	if c.request.AnnotateOperation {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: c.secret, Namespace: gardenNamespace}}
		forget := fmt.Sprintf(`{"metadata":{"annotations":{%q:null}}}`, v1beta1constants.GardenerTimestamp)
		patch := client.RawPatch(types.MergePatchType, []byte(forget))
		if err := client.IgnoreNotFound(c.driver.live.Patch(ctx, secret, patch)); err != nil {
			return err
		}
	}
	_, err := c.look(ctx, asItIs)
	return err
}

// The controller itself waits for nothing: it looks when the object changes. Ready is what the wait of all kinds takes for it,
// and then the controller too.
func (c *controlled) Wait(ctx context.Context) error {
	return extensions.WaitUntilExtensionObjectReady(ctx, c.driver.cached, logr.Discard(), c.extension, c.request.Kind,
		c.request.interval(), c.request.severeThreshold(), c.request.timeout(), func(ctx context.Context) error {
			core, err := c.look(ctx, asItIs)
			if err != nil {
				return err
			}
			return c.health(core)
		})
}

func (c *controlled) Migrate(ctx context.Context) error {
	if err := c.moves(); err != nil {
		return err
	}
	_, err := c.look(ctx, leaving)
	return err
}

// Once the migration has succeeded, the controller deletes the object, and then the Secret.
func (c *controlled) WaitMigrate(ctx context.Context) error {
	if err := c.moves(); err != nil {
		return err
	}
	if err := extensions.WaitUntilExtensionObjectMigrated(ctx, c.driver.cached, c.extension, c.request.Kind,
		c.request.interval(), c.request.timeout()); err != nil {
		return err
	}
	if _, err := c.look(ctx, leaving); err != nil {
		return err
	}
	return c.gone(ctx, leaving)
}

func (c *controlled) Restore(ctx context.Context, _ *gardencorev1beta1.ShootState) error {
	if err := c.moves(); err != nil {
		return err
	}
	_, err := c.look(ctx, restored)
	return err
}

// Writes the Secret again first.
func (c *controlled) Destroy(ctx context.Context) error {
	_, err := c.look(ctx, deleted)
	return err
}

func (c *controlled) WaitCleanup(ctx context.Context) error { return c.gone(ctx, deleted) }

// Waits until the object has gone; the controller then deletes the Secret.
func (c *controlled) gone(ctx context.Context, ask asked) error {
	if err := extensions.WaitUntilExtensionObjectDeleted(ctx, c.driver.cached, logr.Discard(), c.extension, c.request.Kind,
		c.request.interval(), c.request.timeout()); err != nil {
		return err
	}
	_, err := c.look(ctx, ask)
	return err
}

// The bucket of a seed stays with the seed, and a bastion goes with the control plane.
func (c *controlled) moves() error {
	switch kind := c.request.Kind; kind {
	case extensionsv1alpha1.BackupBucketResource, extensionsv1alpha1.BastionResource:
		return fmt.Errorf("gardenlet neither migrates nor restores a %s", kind)
	}
	return nil
}
