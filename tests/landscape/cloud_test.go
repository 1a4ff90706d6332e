package landscape_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	"github.com/alibabacloud-go/darabonba-openapi/v2/utils"
	"github.com/alibabacloud-go/tea/dara"

	"landscape/internal/servers"
)

const region, zone = "eu-central-1", "eu-central-1a"

var key = servers.AccessKey{ID: "LTAI5tLandscape", Secret: "of the landscape"}

// A simulated cloud.
type cloud struct {
	t      *testing.T
	url    string
	client *openapi.Client
}

func startCloud(t *testing.T) *cloud {
	t.Helper()
	if os.Getenv("TRELLIS") == "" {
		t.Fatal("TRELLIS has to name the program: `make test-landscape` does")
	}
	simulator, err := servers.NewSimulator(os.Getenv("TRELLIS"), t.TempDir(), key)
	if err != nil {
		t.Fatal(err)
	}
	process, err := simulator.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Stop(simulator.Grace()) })
	client, err := openapi.NewClient(&openapi.Config{
		AccessKeyId: &key.ID, AccessKeySecret: &key.Secret, RegionId: dara.String(region),
		Endpoint: dara.String(simulator.URL[len("http://"):]), Protocol: dara.String("HTTP"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &cloud{t, simulator.URL, client}
}

// Calls an action of a version of an API, and returns the body of the answer.
func (c *cloud) call(version, action string, parameters map[string]string) fields {
	c.t.Helper()
	query := map[string]*string{"RegionId": dara.String(region)}
	for name, value := range parameters {
		query[name] = dara.String(value)
	}
	answer, err := c.client.CallApi(&utils.Params{
		Action: dara.String(action), Version: dara.String(version), Protocol: dara.String("HTTP"), Pathname: dara.String("/"),
		Method: dara.String("POST"), AuthType: dara.String("AK"), Style: dara.String("RPC"),
		ReqBodyType: dara.String("formData"), BodyType: dara.String("json"),
	}, &utils.OpenApiRequest{Query: query}, &dara.RuntimeOptions{})
	if err != nil {
		c.t.Fatalf("%s: %v", action, err)
	}
	return answer["body"].(fields)
}

const vpcs, instances = "2016-04-28", "2014-05-26"

// A VSwitch and a security group for instances.
func (c *cloud) network() (vswitch, group string) {
	c.t.Helper()
	vpc := c.call(vpcs, "CreateVpc", map[string]string{"CidrBlock": "10.0.0.0/8"})["VpcId"].(string)
	// The cloud has no VSwitch in a VPC that is not there yet.
	time.Sleep(time.Second)
	vswitch = c.call(vpcs, "CreateVSwitch", map[string]string{"VpcId": vpc, "ZoneId": zone, "CidrBlock": "10.1.0.0/16"})["VSwitchId"].(string)
	group = c.call(instances, "CreateSecurityGroup", map[string]string{"VpcId": vpc})["SecurityGroupId"].(string)
	return vswitch, group
}

// The names of the instances, with their statuses.
func (c *cloud) instances() map[string]string {
	c.t.Helper()
	found := map[string]string{}
	for page := 1; ; page++ {
		answer := c.call(instances, "DescribeInstances", map[string]string{"PageSize": "100", "PageNumber": strconv.Itoa(page)})
		list := answer["Instances"].(fields)["Instance"].([]any)
		if len(list) == 0 {
			return found
		}
		for _, each := range list {
			found[each.(fields)["InstanceName"].(string)] = each.(fields)["Status"].(string)
		}
	}
}
