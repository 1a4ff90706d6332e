package driver

import (
	"fmt"
	"maps"
	"slices"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/extensions/controlplane"
	"github.com/gardener/gardener/pkg/component/extensions/infrastructure"
	"github.com/gardener/gardener/pkg/component/extensions/worker"
	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
)

// How gardenlet makes the component of a kind.
var components = map[string]func(*Driver, Request) (component.DeployMigrateWaiter, error){
	extensionsv1alpha1.InfrastructureResource: (*Driver).infrastructure,
	extensionsv1alpha1.ControlPlaneResource:   (*Driver).controlPlane,
	extensionsv1alpha1.WorkerResource:         (*Driver).worker,
	extensionsv1alpha1.DNSRecordResource:      (*Driver).dnsRecord,
	extensionsv1alpha1.BackupBucketResource:   (*Driver).backupBucket,
	extensionsv1alpha1.BackupEntryResource:    (*Driver).backupEntry,
	extensionsv1alpha1.BastionResource:        (*Driver).bastion,
}

// Kinds whose objects have no namespace.
var global = []string{extensionsv1alpha1.BackupBucketResource, extensionsv1alpha1.BackupEntryResource}

func kinds() []string { return slices.Sorted(maps.Keys(components)) }

// gardenlet's component for the object of a request. It is made again for each command, as by a gardenlet that has restarted.
func (d *Driver) component(request Request) (component.DeployMigrateWaiter, error) {
	construct, ok := components[request.Kind]
	if !ok {
		return nil, fmt.Errorf("command %q, unknown kind %q: one of %v", request.Command, request.Kind, kinds())
	}
	if slices.Contains(global, request.Kind) {
		if request.Namespace != "" || request.Name == "" {
			return nil, fmt.Errorf("command %q of a %s has a namespace or lacks a name", request.Command, request.Kind)
		}
	} else if request.Namespace == "" || request.Name == "" {
		return nil, fmt.Errorf("command %q lacks a namespace or a name", request.Command)
	}
	return construct(d, request)
}

func (d *Driver) infrastructure(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("type", "region", "providerConfig", "sshPublicKey"); err != nil {
		return nil, err
	}
	spec := specOf(request, func(provider gardencorev1beta1.Provider) *runtime.RawExtension { return provider.InfrastructureConfig })
	return infrastructure.New(logr.Discard(), d.cached, &infrastructure.Values{
		Namespace:      request.Namespace,
		Name:           request.Name,
		Type:           spec.Type,
		ProviderConfig: spec.ProviderConfig,
		Region:         spec.Region,
		SSHPublicKey:   spec.SSHPublicKey,
		// gardenlet sets it in the restore phase.
		AnnotateOperation: request.AnnotateOperation || request.Command == "restore",
	}, request.interval(), request.severeThreshold(), request.timeout()), nil
}

func (d *Driver) controlPlane(request Request) (component.DeployMigrateWaiter, error) {
	if err := request.takes("type", "region", "providerConfig", "infrastructureProviderStatus"); err != nil {
		return nil, err
	}
	spec := specOf(request, func(provider gardencorev1beta1.Provider) *runtime.RawExtension { return provider.ControlPlaneConfig })
	return controlplane.New(logr.Discard(), d.cached, &controlplane.Values{
		Namespace:                    request.Namespace,
		Name:                         request.Name,
		Type:                         spec.Type,
		ProviderConfig:               spec.ProviderConfig,
		Region:                       spec.Region,
		InfrastructureProviderStatus: spec.InfrastructureProviderStatus,
	}, request.interval(), request.severeThreshold(), request.timeout()), nil
}

func (d *Driver) worker(request Request) (component.DeployMigrateWaiter, error) {
	// gardenlet gives a Worker no providerConfig.
	if err := request.takes("type", "region", "sshPublicKey", "infrastructureProviderStatus"); err != nil {
		return nil, err
	}
	spec := specOf(request, func(gardencorev1beta1.Provider) *runtime.RawExtension { return nil })
	values := &worker.Values{
		Namespace:                    request.Namespace,
		Name:                         request.Name,
		Type:                         spec.Type,
		Region:                       spec.Region,
		SSHPublicKey:                 spec.SSHPublicKey,
		InfrastructureProviderStatus: spec.InfrastructureProviderStatus,
	}
	if request.Shoot != nil {
		if err := fillPools(values, request.Shoot, request.CloudProfile); err != nil {
			return nil, err
		}
	}
	return worker.New(logr.Discard(), d.cached, values, request.interval(), request.severeThreshold(), request.timeout()), nil
}

// What a request says of the spec, and else its Shoot.
func specOf(request Request, providerConfig func(gardencorev1beta1.Provider) *runtime.RawExtension) Spec {
	spec := request.Spec
	if request.Shoot == nil {
		return spec
	}
	from := request.Shoot.Spec
	if spec.Type == "" {
		spec.Type = from.Provider.Type
	}
	if spec.Region == "" {
		spec.Region = from.Region
	}
	if spec.ProviderConfig == nil {
		spec.ProviderConfig = providerConfig(from.Provider)
	}
	return spec
}

// The part of a ShootState that is about the object of a request.
func shootState(request Request) *gardencorev1beta1.ShootState {
	return &gardencorev1beta1.ShootState{Spec: gardencorev1beta1.ShootStateSpec{
		Extensions: []gardencorev1beta1.ExtensionResourceState{{
			Kind: request.Kind, Name: &request.Name, State: request.State, Resources: request.Resources,
		}},
	}}
}
