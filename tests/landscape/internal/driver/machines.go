package driver

import (
	"context"
	"errors"
	"fmt"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/controllerutils"
	gardenerutils "github.com/gardener/gardener/pkg/utils/gardener"
	machinev1alpha1 "github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Lets go of all machines of a namespace whose Shoot has left the seed, and leaves them in the cloud. It repeats
// `ShallowDeleteMachineResources` of gardenlet's package `botanist`, which deploys all else of a Shoot too.
func (d *Driver) forgetMachines(ctx context.Context, request Request) error {
	if request.Namespace == "" {
		return errors.New(`command "forgetMachines" lacks a namespace`)
	}
	purpose := func(purpose string) client.ListOption {
		return client.MatchingLabels{v1beta1constants.GardenerPurpose: purpose}
	}
	for _, each := range []struct {
		list    client.ObjectList
		options []client.ListOption
		isKept  bool
	}{
		{list: &machinev1alpha1.MachineList{}},
		{list: &machinev1alpha1.MachineSetList{}},
		{list: &machinev1alpha1.MachineDeploymentList{}},
		{list: &machinev1alpha1.MachineClassList{}},
		{&corev1.SecretList{}, []client.ListOption{purpose(v1beta1constants.GardenPurposeMachineClass)}, false},
		{&corev1.SecretList{}, []client.ListOption{purpose(v1beta1constants.SecretNameCloudProvider)}, true},
	} {
		if err := d.live.List(ctx, each.list, append(each.options, client.InNamespace(request.Namespace))...); err != nil {
			return err
		}
		err := meta.EachListItem(each.list, func(item runtime.Object) error {
			object, ok := item.(client.Object)
			if !ok {
				return fmt.Errorf("%T is no object", item)
			}
			err := controllerutils.RemoveFinalizers(ctx, d.live, object,
				"machine.sapcloud.io/machine-controller-manager", "machine.sapcloud.io/machine-controller")
			if err != nil || each.isKept {
				return err
			}
			return client.IgnoreNotFound(d.live.Delete(ctx, object))
		})
		if err != nil {
			return err
		}
	}
	return gardenerutils.WaitUntilMachineResourcesDeleted(ctx, logr.Discard(), d.live, request.Namespace)
}
