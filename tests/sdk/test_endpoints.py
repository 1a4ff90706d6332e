"""The cloud's own addresses: each service and region has its own, and all lead here."""

import pytest

from signed import Acs3

REGIONS = ["cn-shanghai", "eu-central-1", "ap-southeast-1"]


@pytest.mark.usefixtures("redirected")
@pytest.mark.parametrize("region", REGIONS)
def test_services_are_where_the_sdk_looks_for_them(cloud, region):
    there = cloud.another(region=region, host="")
    if cloud.generation.startswith("old"):
        services = ["vpc", "ecs"]
    else:
        services = ["vpc", "ecs", "slb"]
        assert there.sts("GetCallerIdentity")["AccountId"] == "1000000000000001"
        assert there.resourcemanager("ListRoles")["TotalCount"] == 0
        assert there.ram("ListRoles")["Roles"]["Role"] == []
        assert there.alidns("DescribeDomains")["TotalCount"] == 0
        assert there.ros("ListStacks")["TotalCount"] == 0
        assert there.nlb("ListLoadBalancers")["TotalCount"] == 0
    vpc = there.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    for service in services:
        assert there.call(service, "DescribeRegions" if service != "slb" else "DescribeLoadBalancers", {})
    assert [row["VpcId"] for row in there.vpc("DescribeVpcs")["Vpcs"]["Vpc"]] == [vpc]
    assert list(cloud.simulator.inventory()["1000000000000001"]) == [region]


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("host", ["vpc.{}.aliyuncs.com", "vpc-vpc.{}.aliyuncs.com:443"])
def test_a_host_names_the_region_where_nothing_else_does(simulator, region, host):
    request = Acs3(more={"host": host.format(region)}).request(simulator, "DescribeVSwitches", {"RegionId": ""})
    assert request.send(simulator).status == 200
    assert simulator.calls()[-1]["region"] == region
