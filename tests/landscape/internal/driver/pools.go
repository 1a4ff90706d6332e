package driver

import (
	"context"
	"errors"
	"fmt"

	"github.com/Masterminds/semver/v3"
	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	clientkubernetes "github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/component/extensions/operatingsystemconfig"
	"github.com/gardener/gardener/pkg/component/extensions/worker"
	"github.com/gardener/gardener/pkg/controllerutils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Gives a Worker what its pools follow from: the pools of the Shoot, and the machine types of the CloudProfile.
//
// No extension for operating systems runs here. The name of each pool's user data is what it would be with one that names
// its Secrets as most do; the command `userData` creates that Secret.
func fillPools(values *worker.Values, shoot *gardencorev1beta1.Shoot, profile *gardencorev1beta1.CloudProfile) error {
	// gardener-apiserver would have done so, and gardenlet relies on it.
	clientkubernetes.GardenScheme.Default(shoot)
	spec := shoot.Spec
	kubernetes, err := semver.NewVersion(spec.Kubernetes.Version)
	if err != nil {
		return fmt.Errorf("spec.kubernetes.version of the Shoot: %w", err)
	}
	values.Workers = spec.Provider.Workers
	values.KubernetesVersion = kubernetes
	values.KubeletConfig = spec.Kubernetes.Kubelet
	values.NodeLocalDNSEnabled = v1beta1helper.IsNodeLocalDNSEnabled(spec.SystemComponents)
	if profile != nil {
		values.MachineTypes = profile.Spec.MachineTypes
	}
	values.WorkerPoolNameToOperatingSystemConfigsMap = map[string]*operatingsystemconfig.OperatingSystemConfigs{}
	for i := range spec.Provider.Workers {
		pool := &spec.Provider.Workers[i]
		// A plugin of gardener-apiserver would have chosen one.
		if pool.Machine.Image == nil || pool.Machine.Image.Version == nil {
			return fmt.Errorf("pool %s of the Shoot lacks the version of its machine image", pool.Name)
		}
		version, err := v1beta1helper.CalculateEffectiveKubernetesVersion(kubernetes, pool.Kubernetes)
		if err != nil {
			return fmt.Errorf("pool %s of the Shoot: %w", pool.Name, err)
		}
		kubelet := v1beta1helper.CalculateEffectiveKubeletConfiguration(spec.Kubernetes.Kubelet, pool.Kubernetes)
		key := operatingsystemconfig.Key(version, nil, pool, values.NodeLocalDNSEnabled, kubelet, spec.Kubernetes.KubeProxy)
		userData := "osc-result-" + key + "-init"
		values.WorkerPoolNameToOperatingSystemConfigsMap[pool.Name] = &operatingsystemconfig.OperatingSystemConfigs{
			Init: operatingsystemconfig.Data{
				GardenerNodeAgentSecretName: key,
				SecretName:                  &userData,
			},
		}
	}
	return nil
}

// What a machine is given at its start, where a request does not say. machine-controller-manager replaces what is in angle
// brackets.
const cloudConfig = "#!/bin/sh\nnode-agent --bootstrap-token '<<BOOTSTRAP_TOKEN>>' --machine '<<MACHINE_NAME>>'\n"

// Creates the Secrets with the user data of the pools of a Shoot, which their Worker names, and answers with their names by
// pool. With `data`, the user data is `cloud_config` of that.
func (d *Driver) deployUserData(ctx context.Context, request Request) (map[string]any, error) {
	if request.Namespace == "" || request.Shoot == nil {
		return nil, errors.New(`command "userData" lacks a namespace or a shoot`)
	}
	var values worker.Values
	if err := fillPools(&values, request.Shoot, nil); err != nil {
		return nil, err
	}
	names := map[string]any{}
	for pool, configs := range values.WorkerPoolNameToOperatingSystemConfigsMap {
		name := *configs.Init.SecretName
		names[pool] = name
		text := request.Data[extensionsv1alpha1.OperatingSystemConfigSecretDataKey]
		if text == "" {
			text = cloudConfig
		}
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: request.Namespace}}
		_, err := controllerutils.GetAndCreateOrMergePatch(ctx, d.live, secret, func() error {
			secret.Data = map[string][]byte{extensionsv1alpha1.OperatingSystemConfigSecretDataKey: []byte(text)}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return map[string]any{"secrets": names}, nil
}
