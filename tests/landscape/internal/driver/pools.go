package driver

import (
	"fmt"

	"github.com/Masterminds/semver/v3"
	v1beta1helper "github.com/gardener/gardener/pkg/api/core/v1beta1/helper"
	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	clientkubernetes "github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/component/extensions/operatingsystemconfig"
	"github.com/gardener/gardener/pkg/component/extensions/worker"
)

// Gives a Worker what its pools follow from: the pools of the Shoot, and the machine types of the CloudProfile.
//
// No extension for operating systems runs here. The name of each pool's user data is what it would be with one that names
// its Secrets as most do, and nobody creates that Secret.
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
		key := operatingsystemconfig.KeyV2(version, nil, pool, values.NodeLocalDNSEnabled, kubelet, spec.Kubernetes.KubeProxy)
		userData := "osc-result-" + key + "-init"
		values.WorkerPoolNameToOperatingSystemConfigsMap[pool.Name] = &operatingsystemconfig.OperatingSystemConfigs{
			Init: operatingsystemconfig.Data{
				GardenerNodeAgentSecretName:   key,
				IncludeSecretNameInWorkerPool: true,
				SecretName:                    &userData,
			},
		}
	}
	return nil
}
