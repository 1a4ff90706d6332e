package driver

import (
	"context"
	"time"

	config "github.com/gardener/gardener/pkg/apis/config/resourcemanager/v1alpha1"
	"github.com/gardener/gardener/pkg/resourcemanager/controller/garbagecollector"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Has gardener-resource-manager's collector look through the whole seed once. The process itself leaves alone for ten minutes
// what is new; here a request says how long.
func (d *Driver) collectGarbage(ctx context.Context, request Request) error {
	lifetime := time.Duration(request.MinimumAge) * time.Millisecond
	_, err := (&garbagecollector.Reconciler{
		TargetClient:          d.live,
		Config:                config.GarbageCollectorControllerConfig{SyncPeriod: &metav1.Duration{Duration: time.Hour}},
		Clock:                 clock.RealClock{},
		MinimumObjectLifetime: &lifetime,
	}).Reconcile(ctx, reconcile.Request{})
	return err
}
