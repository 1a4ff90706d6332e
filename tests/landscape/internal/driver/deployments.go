package driver

import (
	"context"
	"errors"
	"fmt"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/component/nodemanagement/machinecontrollermanager"
	"github.com/gardener/gardener/pkg/controllerutils"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Deploys a Deployment of the control plane with a number of replicas.
func (d *Driver) scale(ctx context.Context, request Request) error {
	if request.Namespace == "" || request.Replicas == nil || *request.Replicas < 0 {
		return errors.New(`command "scale" lacks a namespace, or replicas`)
	}
	switch request.Deployment {
	case v1beta1constants.DeploymentNameMachineControllerManager:
		// With all that gardenlet has for it.
		manager, _, err := d.secrets(ctx, request.Namespace)
		if err != nil {
			return err
		}
		return machinecontrollermanager.New(d.live, request.Namespace, manager, machinecontrollermanager.Values{
			Image: "machine-controller-manager", Replicas: *request.Replicas,
		}).Deploy(ctx)
	case v1beta1constants.DeploymentNameKubeAPIServer:
		return d.scaleAPIServer(ctx, request)
	}
	return fmt.Errorf("no Deployment %q: one of %s, %s", request.Deployment,
		v1beta1constants.DeploymentNameKubeAPIServer, v1beta1constants.DeploymentNameMachineControllerManager)
}

// The Deployment of the API server has gardenlet's labels, and stands for the one that runs already.
func (d *Driver) scaleAPIServer(ctx context.Context, request Request) error {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: request.Deployment, Namespace: request.Namespace}}
	_, err := controllerutils.GetAndCreateOrMergePatch(ctx, d.live, deployment, func() error {
		labels := map[string]string{
			v1beta1constants.LabelApp:   v1beta1constants.LabelKubernetes,
			v1beta1constants.LabelRole:  v1beta1constants.LabelAPIServer,
			v1beta1constants.GardenRole: v1beta1constants.GardenRoleControlPlane,
		}
		deployment.Labels = labels
		deployment.Spec.Replicas = request.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: request.Deployment, Image: request.Deployment}}
		}
		return nil
	})
	return err
}
