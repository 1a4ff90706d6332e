package driver

import (
	"errors"
	"fmt"

	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	operationsv1alpha1 "github.com/gardener/gardener/pkg/apis/operations/v1alpha1"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/gardenlet/controller/bastion"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (d *Driver) bastion(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("type", "sshPublicKey", "ingress", "forceDeletion"); err != nil {
		return nil, err
	}
	if request.Shoot == nil {
		return nil, fmt.Errorf("command %q of a Bastion lacks the shoot", request.Command)
	}
	if request.AnnotateOperation {
		return nil, errors.New("gardenlet asks for a Bastion only where it is missing, its spec differs, or it failed for good")
	}
	shoot := request.Shoot.DeepCopy()
	shoot.Status.TechnicalID = request.Namespace
	providerType := request.Spec.Type
	if providerType == "" {
		providerType = shoot.Spec.Provider.Type
	}
	core := &operationsv1alpha1.Bastion{
		ObjectMeta: metav1.ObjectMeta{Name: request.Name, Namespace: shoot.Namespace},
		Spec: operationsv1alpha1.BastionSpec{
			ShootRef:     corev1.LocalObjectReference{Name: shoot.Name},
			ProviderType: &providerType,
			SSHPublicKey: string(request.Spec.SSHPublicKey),
		},
	}
	for _, cidr := range request.Spec.Ingress {
		core.Spec.Ingress = append(core.Spec.Ingress, operationsv1alpha1.BastionIngressPolicy{IPBlock: networkingv1.IPBlock{CIDR: cidr}})
	}
	if request.Spec.ForceDeletion {
		annotate(core, v1beta1constants.AnnotationConfirmationForceDeletion, "true")
	}
	return &controlled{
		d, request, &extensionsv1alpha1.Bastion{ObjectMeta: metav1.ObjectMeta{Name: request.Name, Namespace: request.Namespace}},
		core, isReachable, []client.Object{shoot}, "",
		func(garden client.Client) reconcile.Reconciler {
			return &bastion.Reconciler{GardenClient: garden, SeedClient: d.cached, Clock: clock.RealClock{}}
		},
	}, nil
}

// Whether the garden shows people that a Bastion is ready, and where.
func isReachable(core client.Object) error {
	found, ok := core.(*operationsv1alpha1.Bastion)
	if !ok {
		return fmt.Errorf("%T is no Bastion", core)
	}
	ready := v1beta1helper.GetCondition(found.Status.Conditions, operationsv1alpha1.BastionReady)
	if ready == nil || ready.Status != gardencorev1beta1.ConditionTrue || found.Status.Ingress == nil {
		return fmt.Errorf("the Bastion of the garden is not ready: condition %+v, ingress %+v", ready, found.Status.Ingress)
	}
	return nil
}
