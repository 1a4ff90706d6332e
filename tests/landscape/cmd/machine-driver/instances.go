package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	ecs "github.com/alibabacloud-go/ecs-20140526/v7/client"
	"github.com/alibabacloud-go/tea/dara"
	machine "github.com/gardener/machine-controller-manager/pkg/apis/machine/v1alpha1"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
)

// The `providerSpec` of a MachineClass. Fields that are missing are left to the cloud.
type providerSpec struct {
	ImageID                 string            `json:"imageID"`
	InstanceType            string            `json:"instanceType"`
	Region                  string            `json:"region"`
	ZoneID                  string            `json:"zoneID"`
	SecurityGroupID         string            `json:"securityGroupID"`
	VSwitchID               string            `json:"vSwitchID"`
	PrivateIPAddress        string            `json:"privateIPAddress"`
	SystemDisk              *disk             `json:"systemDisk"`
	DataDisks               []disk            `json:"dataDisks"`
	InstanceChargeType      string            `json:"instanceChargeType"`
	InternetChargeType      string            `json:"internetChargeType"`
	InternetMaxBandwidthIn  *int32            `json:"internetMaxBandwidthIn"`
	InternetMaxBandwidthOut *int32            `json:"internetMaxBandwidthOut"`
	SpotStrategy            string            `json:"spotStrategy"`
	IoOptimized             string            `json:"IoOptimized"`
	Tags                    map[string]string `json:"tags"`
	KeyPairName             string            `json:"keyPairName"`
}

type disk struct {
	Name               string `json:"name"`
	Category           string `json:"category"`
	Description        string `json:"description"`
	Encrypted          bool   `json:"encrypted"`
	DeleteWithInstance *bool  `json:"deleteWithInstance"`
	Size               int32  `json:"size"`
}

func connect(cloud *url.URL, region string, secret map[string][]byte) (*ecs.Client, error) {
	key := func(name string) *string {
		for _, name := range []string{"alicloudA" + name, "a" + name} {
			if value := strings.TrimSpace(string(secret[name])); value != "" {
				return &value
			}
		}
		return nil
	}
	id, text := key("ccessKeyID"), key("ccessKeySecret")
	if id == nil || text == nil {
		return nil, errors.New("the Secret lacks accessKeyID or accessKeySecret")
	}
	return ecs.NewClient(&openapi.Config{
		AccessKeyId: id, AccessKeySecret: text, RegionId: &region,
		Endpoint: &cloud.Host, Protocol: dara.String(strings.ToUpper(cloud.Scheme)),
	})
}

// The request for the instance of a machine.
func runInstances(spec *providerSpec, of *machine.Machine, userData []byte) *ecs.RunInstancesRequest {
	request := &ecs.RunInstancesRequest{
		// One machine never becomes two instances, however often its creation is tried.
		ClientToken:             dara.String(string(of.UID)),
		RegionId:                given(spec.Region),
		ZoneId:                  given(spec.ZoneID),
		ImageId:                 given(spec.ImageID),
		InstanceType:            given(spec.InstanceType),
		InstanceName:            given(of.Name),
		SecurityGroupId:         given(spec.SecurityGroupID),
		VSwitchId:               given(spec.VSwitchID),
		PrivateIpAddress:        given(spec.PrivateIPAddress),
		InstanceChargeType:      given(spec.InstanceChargeType),
		InternetChargeType:      given(spec.InternetChargeType),
		InternetMaxBandwidthIn:  spec.InternetMaxBandwidthIn,
		InternetMaxBandwidthOut: spec.InternetMaxBandwidthOut,
		SpotStrategy:            given(spec.SpotStrategy),
		IoOptimized:             given(spec.IoOptimized),
		KeyPairName:             given(spec.KeyPairName),
		UserData:                dara.String(base64.StdEncoding.EncodeToString(userData)),
	}
	if spec.SystemDisk != nil {
		request.SystemDisk = &ecs.RunInstancesRequestSystemDisk{
			Category: given(spec.SystemDisk.Category), Size: dara.String(strconv.Itoa(int(spec.SystemDisk.Size))),
		}
	}
	for _, each := range spec.DataDisks {
		request.DataDisk = append(request.DataDisk, &ecs.RunInstancesRequestDataDisk{
			DiskName: dara.String(of.Name + "-" + each.Name + "-data-disk"), Description: given(each.Description),
			Category: given(each.Category), Size: dara.Int32(each.Size),
			Encrypted: dara.String(strconv.FormatBool(each.Encrypted)), DeleteWithInstance: each.DeleteWithInstance,
		})
	}
	for _, key := range slices.Sorted(maps.Keys(spec.Tags)) {
		request.Tag = append(request.Tag, &ecs.RunInstancesRequestTag{Key: dara.String(key), Value: dara.String(spec.Tags[key])})
	}
	return request
}

// The instances of a cluster; of one machine only, where there is one: by its id where it has that, and else by its name.
func instances(ctx context.Context, client *ecs.Client, spec *providerSpec, of *machine.Machine) ([]*ecs.DescribeInstancesResponseBodyInstancesInstance, error) {
	request := &ecs.DescribeInstancesRequest{RegionId: given(spec.Region), MaxResults: dara.Int32(100)}
	for _, key := range slices.Sorted(maps.Keys(spec.Tags)) {
		if strings.HasPrefix(key, "kubernetes.io/cluster/") || strings.HasPrefix(key, "kubernetes.io/role/") {
			request.Tag = append(request.Tag, &ecs.DescribeInstancesRequestTag{Key: dara.String(key), Value: dara.String(spec.Tags[key])})
		}
	}
	if len(request.Tag) != 2 {
		return nil, status.Error(codes.InvalidArgument, "a class needs a tag kubernetes.io/cluster/… and one kubernetes.io/role/…")
	}
	if of != nil {
		if _, id, ok := strings.Cut(of.Spec.ProviderID, "."); ok {
			ids, err := json.Marshal([]string{id})
			if err != nil {
				return nil, status.Error(codes.Internal, err.Error())
			}
			request.InstanceIds = dara.String(string(ids))
		} else {
			request.InstanceName = given(of.Name)
		}
	}
	var found []*ecs.DescribeInstancesResponseBodyInstancesInstance
	for {
		answer, err := client.DescribeInstancesWithContext(ctx, request, &dara.RuntimeOptions{})
		if err != nil {
			return nil, failure(err)
		}
		found = append(found, answer.Body.Instances.Instance...)
		if dara.StringValue(answer.Body.NextToken) == "" {
			return found, nil
		}
		request.NextToken = answer.Body.NextToken
	}
}

func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
