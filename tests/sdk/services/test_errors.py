"""What does not exist is not found, by the code that the cloud has for it; and other reasons to refuse."""

import pytest

from world import OTHER_ZONE, TRUST, ZONE

NOBODY = {
    "VpcId": "vpc-nobody",
    "VSwitchId": "vsw-nobody",
    "NatGatewayId": "ngw-nobody",
    "AllocationId": "eip-nobody",
    "SnatTableId": "stb-nobody",
    "SnatEntryId": "snat-nobody",
    "RouteTableId": "vtb-nobody",
    "RouteEntryId": "rte-nobody",
    "Ipv6GatewayId": "ipv6gw-nobody",
    "SecurityGroupId": "sg-nobody",
    "InstanceId": "i-nobody",
    "ImageId": "m-nobody",
    "LoadBalancerId": "lb-nobody",
    "RoleName": "nobody",
    "DomainName": "nobody.example",
    "RecordId": "1",
    "StackId": "11111111-2222-3333-4444-555555555555",
}
RULE = {"IpProtocol": "TCP", "PortRange": "22/22"}

# Service, action, the ids it is given, further parameters, and its answer.
UNKNOWN = [
    ("vpc", "DeleteVpc", "VpcId", {}, "InvalidVpcId.NotFound", 404),
    ("vpc", "ModifyVpcAttribute", "VpcId", {"VpcName": "name"}, "InvalidVpcId.NotFound", 404),
    ("vpc", "DescribeVpcAttribute", "VpcId", {}, "InvalidVpcId.NotFound", 404),
    ("vpc", "CreateVSwitch", "VpcId", {"ZoneId": ZONE, "CidrBlock": "10.0.0.0/24"}, "InvalidVpcId.NotFound", 404),
    ("vpc", "DeleteVSwitch", "VSwitchId", {}, "InvalidVSwitchId.NotFound", 404),
    ("vpc", "ModifyVSwitchAttribute", "VSwitchId", {"VSwitchName": "name"}, "InvalidVSwitchId.NotFound", 404),
    ("vpc", "DescribeVSwitchAttributes", "VSwitchId", {}, "InvalidVSwitchId.NotFound", 404),
    ("vpc", "CreateNatGateway", "VpcId VSwitchId", {"NatType": "Enhanced"}, "InvalidVpcId.NotFound", 404),
    ("vpc", "ModifyNatGatewayAttribute", "NatGatewayId", {"Name": "name"}, "InvalidNatGatewayId.NotFound", 404),
    ("vpc", "DeleteNatGateway", "NatGatewayId", {}, "InvalidNatGatewayId.NotFound", 404),
    ("vpc", "GetNatGatewayAttribute", "NatGatewayId", {}, "InvalidNatGatewayId.NotFound", 404),
    ("vpc", "ModifyEipAddressAttribute", "AllocationId", {"Bandwidth": "5"}, "InvalidAllocationId.NotFound", 404),
    (
        "vpc",
        "AssociateEipAddress",
        "AllocationId InstanceId",
        {"InstanceType": "Nat"},
        "InvalidAllocationId.NotFound",
        404,
    ),
    ("vpc", "UnassociateEipAddress", "AllocationId", {}, "InvalidAllocationId.NotFound", 404),
    ("vpc", "ReleaseEipAddress", "AllocationId", {}, "InvalidAllocationId.NotFound", 404),
    (
        "vpc",
        "CreateSnatEntry",
        "SnatTableId",
        {"SnatIp": "198.18.0.1", "SourceCIDR": "10.0.0.0/24"},
        "InvalidSnatTableId.NotFound",
        404,
    ),
    ("vpc", "DeleteSnatEntry", "SnatTableId SnatEntryId", {}, "InvalidSnatTableId.NotFound", 404),
    ("vpc", "CreateRouteTable", "VpcId", {}, "InvalidVpcId.NotFound", 404),
    (
        "vpc",
        "ModifyRouteTableAttributes",
        "RouteTableId",
        {"RouteTableName": "name"},
        "InvalidRouteTableId.NotFound",
        404,
    ),
    ("vpc", "DeleteRouteTable", "RouteTableId", {}, "InvalidRouteTableId.NotFound", 404),
    ("vpc", "UnassociateRouteTable", "RouteTableId VSwitchId", {}, "InvalidRouteTableId.NotFound", 404),
    (
        "vpc",
        "CreateRouteEntry",
        "RouteTableId",
        {"DestinationCidrBlock": "0.0.0.0/0", "NextHopType": "NatGateway", "NextHopId": "ngw-nobody"},
        "InvalidRouteTableId.NotFound",
        404,
    ),
    ("vpc", "DeleteRouteEntry", "RouteEntryId", {}, "InvalidRouteEntry.NotFound", 400),
    ("vpc", "CreateIpv6Gateway", "VpcId", {}, "InvalidVpcId.NotFound", 404),
    ("vpc", "DescribeIpv6GatewayAttribute", "Ipv6GatewayId", {}, "InvalidIpv6GatewayId.NotFound", 404),
    ("vpc", "DeleteIpv6Gateway", "Ipv6GatewayId", {}, "InvalidIpv6GatewayId.NotFound", 404),
    ("ecs", "CreateSecurityGroup", "VpcId", {}, "InvalidVpcId.NotFound", 404),
    (
        "ecs",
        "ModifySecurityGroupAttribute",
        "SecurityGroupId",
        {"SecurityGroupName": "name"},
        "InvalidSecurityGroupId.NotFound",
        404,
    ),
    ("ecs", "DescribeSecurityGroupAttribute", "SecurityGroupId", {}, "InvalidSecurityGroupId.NotFound", 404),
    (
        "ecs",
        "AuthorizeSecurityGroup",
        "SecurityGroupId",
        {**RULE, "SourceCidrIp": "10.0.0.0/8"},
        "InvalidSecurityGroupId.NotFound",
        404,
    ),
    (
        "ecs",
        "AuthorizeSecurityGroupEgress",
        "SecurityGroupId",
        {**RULE, "DestCidrIp": "10.0.0.0/8"},
        "InvalidSecurityGroupId.NotFound",
        404,
    ),
    ("ecs", "DeleteSecurityGroup", "SecurityGroupId", {}, "InvalidSecurityGroupId.NotFound", 404),
    ("ecs", "StartInstance", "InstanceId", {}, "InvalidInstanceId.NotFound", 404),
    ("ecs", "StopInstance", "InstanceId", {}, "InvalidInstanceId.NotFound", 404),
    ("ecs", "DeleteInstance", "InstanceId", {}, "InvalidInstanceId.NotFound", 404),
    ("ecs", "AllocatePublicIpAddress", "InstanceId", {}, "InvalidInstanceId.NotFound", 404),
    ("ecs", "CopyImage", "ImageId", {"DestinationRegionId": "cn-shanghai"}, "InvalidImageId.NotFound", 404),
    ("ecs", "DescribeImageSharePermission", "ImageId", {}, "InvalidImageId.NotFound", 404),
    ("slb", "DeleteLoadBalancer", "LoadBalancerId", {}, "InvalidLoadBalancerId.NotFound", 404),
    ("slb", "DescribeLoadBalancerAttribute", "LoadBalancerId", {}, "InvalidLoadBalancerId.NotFound", 404),
    ("slb", "DescribeVServerGroups", "LoadBalancerId", {}, "InvalidLoadBalancerId.NotFound", 404),
    ("nlb", "DeleteLoadBalancer", "LoadBalancerId", {}, "ResourceNotFound.loadBalancer", 404),
    ("nlb", "UpdateLoadBalancerProtection", "LoadBalancerId", {}, "ResourceNotFound.loadBalancer", 404),
    ("ram", "DeleteRole", "RoleName", {}, "EntityNotExist.Role", 404),
    ("resourcemanager", "DeleteRole", "RoleName", {}, "EntityNotExist.Role", 404),
    ("resourcemanager", "DeleteServiceLinkedRole", "RoleName", {}, "EntityNotExist.Role", 404),
    ("ros", "DeleteStack", "StackId", {}, "StackNotFound", 404),
    ("alidns", "DeleteDomain", "DomainName", {}, "InvalidDomainName.NoExist", 400),
    (
        "alidns",
        "AddDomainRecord",
        "DomainName",
        {"RR": "a", "Type": "A", "Value": "198.18.0.1"},
        "InvalidDomainName.NoExist",
        400,
    ),
    ("alidns", "DescribeDomainRecordInfo", "RecordId", {}, "DomainRecordNotBelongToUser", 400),
    (
        "alidns",
        "UpdateDomainRecord",
        "RecordId",
        {"RR": "a", "Type": "A", "Value": "198.18.0.1"},
        "DomainRecordNotBelongToUser",
        400,
    ),
    ("alidns", "DeleteSubDomainRecords", "DomainName", {"RR": "a"}, "InvalidDomainName.NoExist", 400),
]


@pytest.mark.parametrize(
    ("service", "action", "ids", "more", "code", "status"), UNKNOWN, ids=[f"{row[0]}-{row[1]}" for row in UNKNOWN]
)
def test_what_does_not_exist_is_not_found(cloud, service, action, ids, more, code, status):
    with cloud.refuses(code, status):
        cloud.call(service, action, {**{id: NOBODY[id] for id in ids.split()}, **more})
    assert cloud.simulator.inventory() == {}


def test_what_is_described_by_an_unknown_id_is_an_empty_list(cloud):
    for service, action, parameters in [
        ("vpc", "DescribeVpcs", {"VpcId": "vpc-nobody"}),
        ("vpc", "DescribeVSwitches", {"VSwitchId": "vsw-nobody"}),
        ("vpc", "DescribeNatGateways", {"NatGatewayId": "ngw-nobody"}),
        ("vpc", "DescribeEipAddresses", {"AllocationId": "eip-nobody"}),
        ("vpc", "DescribeRouteTableList", {"RouteTableId": "vtb-nobody"}),
        ("vpc", "DescribeIpv6Gateways", {"Ipv6GatewayId": "ipv6gw-nobody"}),
        ("ecs", "DescribeSecurityGroups", {"SecurityGroupId": "sg-nobody"}),
        ("ecs", "DescribeInstances", {"InstanceIds": '["i-nobody"]'}),
        ("ecs", "DescribeImages", {"ImageId": "m-nobody"}),
        ("slb", "DescribeLoadBalancers", {"LoadBalancerId": "lb-nobody"}),
        ("ros", "ListStacks", {"StackName": ["nobody"]}),
    ]:
        assert cloud.call(service, action, parameters)["TotalCount"] == 0, action


def test_quotas_are_kept(cloud, make):
    cloud.simulator.set(quotas={"vpcs": 1, "vswitches": 1})
    vpc = make.vpc()
    with cloud.refuses("QuotaExceeded.Vpc", 400):
        make.vpc()
    make.vswitch(vpc, "10.0.0.0/24")
    with cloud.refuses("QuotaExceeded.VSwitch", 400):
        make.vswitch(vpc, "10.0.1.0/24")


def test_protected_things_stay(cloud, make):
    it = make.gateway()
    for kind, id, action, parameters in [
        ("NATGW", it["nat"], "DeleteNatGateway", {"NatGatewayId": it["nat"], "Force": True}),
        ("EIP", make.eip()[0], "ReleaseEipAddress", None),
    ]:
        parameters = parameters or {"AllocationId": id}
        cloud.vpc("DeletionProtection", InstanceId=id, Type=kind, ProtectionEnable=True)
        with cloud.refuses("InvalidOperation.DeletionProtection", 400):
            cloud.vpc(action, **parameters)
        cloud.vpc("DeletionProtection", InstanceId=id, Type=kind, ProtectionEnable=False)
        cloud.vpc(action, **parameters)


def test_things_of_different_networks_do_not_go_together(cloud, make):
    (vpc, vswitch), (other, foreign) = make.network(), make.network()
    group = make.security_group(other)
    place = {"ImageId": make.image(), "InstanceType": make.instance_type()}
    with cloud.refuses("OperationDenied.InconsistentNetwork", 403):
        cloud.ecs("RunInstances", VSwitchId=vswitch, SecurityGroupId=group, **place)
    with cloud.refuses("OperationFailed.VswNotBelongToVpc", 400):
        cloud.vpc("CreateNatGateway", VpcId=vpc, VSwitchId=foreign, NatType="Enhanced")
    with cloud.refuses("Forbidden.NotInSameVpc", 404):
        cloud.vpc("AssociateRouteTable", RouteTableId=make.route_table(vpc), VSwitchId=foreign)
    with cloud.refuses("Mismatch.ZoneIdAndVswitchId", 400):
        zones = [{"ZoneId": OTHER_ZONE, "VSwitchId": vswitch}, {"ZoneId": ZONE, "VSwitchId": vswitch}]
        cloud.nlb("CreateLoadBalancer", AddressType="Internet", VpcId=vpc, ZoneMappings=zones)


@pytest.mark.parametrize("service", ["ram", "resourcemanager"])
def test_a_role_needs_a_name_and_whom_it_trusts(cloud, service):
    for name, document, code in [
        ("a b", TRUST, "InvalidParameter.RoleName.InvalidChars"),
        ("a" * 65, TRUST, "InvalidParameter.RoleName.Length"),
        ("a", "{", "MalformedPolicyDocument"),
    ]:
        with cloud.refuses(code, 400):
            cloud.call(service, "CreateRole", {"RoleName": name, "AssumeRolePolicyDocument": document})
