package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	ecs "github.com/alibabacloud-go/ecs-20140526/v7/client"
	"github.com/alibabacloud-go/tea/dara"
	machine "github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	core "k8s.io/api/core/v1"
)

// The CSI driver whose volumes are disks.
const disks = "diskplugin.csi.alibabacloud.com"

// Machines of one cloud. An instance has the name of its machine and the tags of the machine's class.
type machines struct{ cloud *url.URL }

// CreateMachine creates one instance. Asked again for the same machine, the cloud answers with the same instance.
func (m *machines) CreateMachine(ctx context.Context, request *driver.CreateMachineRequest) (*driver.CreateMachineResponse, error) {
	spec, client, err := m.open(request.MachineClass, request.Secret)
	if err != nil {
		return nil, err
	}
	answer, err := client.RunInstancesWithContext(ctx, runInstances(spec, request.Machine, request.Secret.Data["userData"]), &dara.RuntimeOptions{})
	if err != nil {
		return nil, failure(err)
	}
	ids := answer.Body.InstanceIdSets.InstanceIdSet
	if len(ids) != 1 {
		return nil, status.Error(codes.Internal, fmt.Sprintf("one instance was asked for, and %d came", len(ids)))
	}
	id := *ids[0]
	return &driver.CreateMachineResponse{ProviderID: providerID(spec.Region, id), NodeName: nodeName(id)}, nil
}

// InitializeMachine has nothing to do.
func (m *machines) InitializeMachine(context.Context, *driver.InitializeMachineRequest) (*driver.InitializeMachineResponse, error) {
	return nil, status.Error(codes.Unimplemented, "an instance needs nothing after its creation")
}

// DeleteMachine deletes the instances of a machine, running or not.
func (m *machines) DeleteMachine(ctx context.Context, request *driver.DeleteMachineRequest) (*driver.DeleteMachineResponse, error) {
	spec, client, err := m.open(request.MachineClass, request.Secret)
	if err != nil {
		return nil, err
	}
	found, err := instances(ctx, client, spec, request.Machine)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return &driver.DeleteMachineResponse{}, nil
	}
	// DeleteInstance has no region, which one endpoint of all regions needs.
	deletion := &ecs.DeleteInstancesRequest{RegionId: dara.String(spec.Region), Force: dara.Bool(true)}
	for _, instance := range found {
		deletion.InstanceId = append(deletion.InstanceId, instance.InstanceId)
	}
	if _, err := client.DeleteInstancesWithContext(ctx, deletion, &dara.RuntimeOptions{}); err != nil && !isGone(err) {
		return nil, failure(err)
	}
	return &driver.DeleteMachineResponse{}, nil
}

// GetMachineStatus finds the instance of a machine.
func (m *machines) GetMachineStatus(ctx context.Context, request *driver.GetMachineStatusRequest) (*driver.GetMachineStatusResponse, error) {
	spec, client, err := m.open(request.MachineClass, request.Secret)
	if err != nil {
		return nil, err
	}
	found, err := instances(ctx, client, spec, request.Machine)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, status.Error(codes.NotFound, "no instance of machine "+request.Machine.Name)
	}
	id := *found[0].InstanceId
	return &driver.GetMachineStatusResponse{ProviderID: providerID(spec.Region, id), NodeName: nodeName(id)}, nil
}

// ListMachines lists the instances of a cluster: those with the tags that say whose they are.
func (m *machines) ListMachines(ctx context.Context, request *driver.ListMachinesRequest) (*driver.ListMachinesResponse, error) {
	spec, client, err := m.open(request.MachineClass, request.Secret)
	if err != nil {
		return nil, err
	}
	found, err := instances(ctx, client, spec, nil)
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, instance := range found {
		list[providerID(spec.Region, *instance.InstanceId)] = *instance.InstanceName
	}
	return &driver.ListMachinesResponse{MachineList: list}, nil
}

// GetVolumeIDs returns the ids of those volumes that are disks.
func (m *machines) GetVolumeIDs(_ context.Context, request *driver.GetVolumeIDsRequest) (*driver.GetVolumeIDsResponse, error) {
	answer := &driver.GetVolumeIDsResponse{}
	for _, spec := range request.PVSpecs {
		if spec.CSI != nil && spec.CSI.Driver == disks {
			answer.VolumeIDs = append(answer.VolumeIDs, spec.CSI.VolumeHandle)
		}
	}
	return answer, nil
}

// What a class says, and a client for the account of its Secret.
func (m *machines) open(class *machine.MachineClass, secret *core.Secret) (*providerSpec, *ecs.Client, error) {
	var spec providerSpec
	if err := json.Unmarshal(class.ProviderSpec.Raw, &spec); err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}
	client, err := connect(m.cloud, spec.Region, secret.Data)
	if err != nil {
		return nil, nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &spec, client, nil
}

func providerID(region, instance string) string { return region + "." + instance }

// The name that an instance gives itself, as a host and so as a Node.
func nodeName(instance string) string { return strings.ReplaceAll(instance, "-", "z") + "z" }
