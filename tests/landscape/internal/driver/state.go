package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/utils/gardener/shootstate"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// What gardenlet saves of a namespace when its Shoot leaves the seed: the spec of a ShootState. The garden that keeps that
// is this call's own.
func (d *Driver) saveState(ctx context.Context, request Request) (map[string]any, error) {
	if request.Namespace == "" {
		return nil, errors.New(`command "saveState" lacks a namespace`)
	}
	garden := fake.NewClientBuilder().WithScheme(kubernetes.GardenScheme).Build()
	shoot := &gardencorev1beta1.Shoot{ObjectMeta: metav1.ObjectMeta{Name: "shoot", Namespace: "garden"}}
	if err := shootstate.Deploy(ctx, clock.RealClock{}, garden, d.live, shoot, request.Namespace, true); err != nil {
		return nil, err
	}
	state := &gardencorev1beta1.ShootState{}
	if err := garden.Get(ctx, client.ObjectKeyFromObject(shoot), state); err != nil {
		return nil, err
	}
	answer := map[string]any{"shootState": state.Spec}
	for _, each := range state.Spec.Gardener {
		if each.Type == v1beta1constants.DataTypeMachineState {
			answer["machineState"] = each.Data
		}
	}
	return answer, nil
}

// Creates the Secrets that a ShootState has, as gardenlet does before it restores anything else. Those that exist stay.
func (d *Driver) restoreState(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.ShootState == nil {
		return errors.New(`command "restoreState" lacks a namespace or a shootState`)
	}
	for _, each := range request.ShootState.Gardener {
		if each.Type != v1beta1constants.DataTypeSecret {
			continue
		}
		var state shootstate.SecretState
		if err := json.Unmarshal(each.Data.Raw, &state); err != nil {
			return fmt.Errorf("the state of Secret %s: %w", each.Name, err)
		}
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: each.Name, Namespace: request.Namespace, Labels: each.Labels},
			Data:       state.Data, Immutable: state.Immutable, Type: state.Type,
		}
		if err := client.IgnoreAlreadyExists(d.live.Create(ctx, secret)); err != nil {
			return err
		}
	}
	return nil
}
