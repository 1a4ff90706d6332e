"""What is needed by something else cannot be deleted; in the right order all goes."""

import pytest

pytestmark = pytest.mark.service("vpc")

# The cloud names what depends, in more than one spelling.
VIOLATION = "DependencyViolation"


def violates(cloud, service, action, **parameters):
    """Asserts that a deletion is refused for what depends, and changes nothing."""
    before = cloud.simulator.inventory()
    with pytest.raises(cloud.client.Error) as caught:
        cloud.call(service, action, parameters)
    code, status = cloud.client.outcome(caught.value)
    assert code.startswith(VIOLATION), code
    assert 400 <= status < 500
    assert cloud.simulator.inventory() == before
    return code


def test_a_network_goes_in_the_right_order_alone(cloud, make):
    empty = cloud.simulator.inventory()
    it = make.gateway()
    vpc, vswitch, nat, table = it["vpc"], it["vswitch"], it["nat"], it["table"]
    entry = make.snat(table, it["address"], SourceVSwitchId=vswitch)
    group = make.security_group(vpc)
    route_table = make.route_table(vpc)
    route = make.route(route_table, nat)
    cloud.vpc("AssociateRouteTable", RouteTableId=route_table, VSwitchId=vswitch)
    cloud.step()

    for action, parameters in [
        ("DeleteVpc", {"VpcId": vpc}),
        ("DeleteVSwitch", {"VSwitchId": vswitch}),
        ("DeleteNatGateway", {"NatGatewayId": nat}),
    ]:
        violates(cloud, "vpc", action, **parameters)
    with cloud.refuses("InvalidIpStatus.HasBeenUsedBySnatTable", 400):
        cloud.vpc("UnassociateEipAddress", AllocationId=it["eip"], InstanceId=nat, InstanceType="Nat")
    with cloud.refuses("IncorrectEipStatus", 400):
        cloud.vpc("ReleaseEipAddress", AllocationId=it["eip"])

    for action, parameters in [
        ("DeleteSnatEntry", {"SnatTableId": table, "SnatEntryId": entry}),
        ("UnassociateEipAddress", {"AllocationId": it["eip"], "InstanceId": nat, "InstanceType": "Nat"}),
        ("ReleaseEipAddress", {"AllocationId": it["eip"]}),
        ("DeleteRouteEntry", {"RouteEntryId": route}),
        ("DeleteNatGateway", {"NatGatewayId": nat}),
        ("UnassociateRouteTable", {"RouteTableId": route_table, "VSwitchId": vswitch}),
        ("DeleteVSwitch", {"VSwitchId": vswitch}),
        ("DeleteRouteTable", {"RouteTableId": route_table}),
    ]:
        cloud.vpc(action, **parameters)
        cloud.step()
    assert violates(cloud, "vpc", "DeleteVpc", VpcId=vpc) == "DependencyViolation.SecurityGroup"
    cloud.ecs("DeleteSecurityGroup", SecurityGroupId=group)
    cloud.vpc("DeleteVpc", VpcId=vpc)
    cloud.step()
    assert cloud.simulator.inventory() == empty


def test_a_gateway_goes_with_what_it_has_when_forced(cloud, make):
    it = make.gateway()
    make.snat(it["table"], it["address"], SourceVSwitchId=it["vswitch"])
    cloud.vpc("DeleteNatGateway", NatGatewayId=it["nat"], Force=True)
    cloud.step()
    assert cloud.vpc("DescribeNatGateways", VpcId=it["vpc"])["TotalCount"] == 0
    eip = cloud.vpc("DescribeEipAddresses", AllocationId=it["eip"])["EipAddresses"]["EipAddress"][0]
    assert (eip["Status"], eip["InstanceId"]) == ("Available", "")


def test_a_vpc_does_not_take_what_is_in_it_along(cloud, make):
    vpc, _ = make.network()
    violates(cloud, "vpc", "DeleteVpc", VpcId=vpc, ForceDelete=True)


@pytest.mark.parametrize("holder", ["vswitch", "route table", "ipv6 gateway", "security group"])
def test_a_vpc_stays_while_something_is_in_it(cloud, make, holder):
    vpc = make.vpc(EnableIpv6=True)
    hold, release = {
        "vswitch": (make.vswitch, lambda id: cloud.vpc("DeleteVSwitch", VSwitchId=id)),
        "route table": (make.route_table, lambda id: cloud.vpc("DeleteRouteTable", RouteTableId=id)),
        "ipv6 gateway": (make.ipv6_gateway, lambda id: cloud.vpc("DeleteIpv6Gateway", Ipv6GatewayId=id)),
        "security group": (make.security_group, lambda id: cloud.ecs("DeleteSecurityGroup", SecurityGroupId=id)),
    }[holder]
    id = hold(vpc)
    violates(cloud, "vpc", "DeleteVpc", VpcId=vpc)
    release(id)
    cloud.step()
    cloud.vpc("DeleteVpc", VpcId=vpc)
    cloud.step()
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 0


def test_what_an_instance_is_in_stays(cloud, make):
    vpc, vswitch = make.network()
    group = make.security_group(vpc)
    instance = make.instance(vswitch, group)
    violates(cloud, "vpc", "DeleteVSwitch", VSwitchId=vswitch)
    violates(cloud, "ecs", "DeleteSecurityGroup", SecurityGroupId=group)
    with cloud.refuses("IncorrectInstanceStatus", 403):
        cloud.ecs("DeleteInstance", InstanceId=instance)
    cloud.ecs("DeleteInstance", InstanceId=instance, Force=True)
    cloud.step()
    cloud.ecs("DeleteSecurityGroup", SecurityGroupId=group)
    cloud.vpc("DeleteVSwitch", VSwitchId=vswitch)


def test_a_security_group_stays_while_rules_of_another_name_it(cloud, make):
    vpc = make.vpc()
    named, naming = make.security_group(vpc), make.security_group(vpc)
    rule = {"IpProtocol": "TCP", "PortRange": "22/22", "SourceGroupId": named}
    cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=naming, **rule)
    violates(cloud, "ecs", "DeleteSecurityGroup", SecurityGroupId=named)
    cloud.ecs("RevokeSecurityGroup", SecurityGroupId=naming, **rule)
    cloud.ecs("DeleteSecurityGroup", SecurityGroupId=named)


@pytest.mark.parametrize("service", ["slb", "nlb"])
def test_a_vswitch_stays_while_a_load_balancer_is_in_it(cloud, make, service):
    vpc, vswitch = make.network()
    if service == "slb":
        more = {"VpcId": vpc, "VSwitchId": vswitch, "AddressType": "intranet", "LoadBalancerSpec": "slb.s1.small"}
        balancer = cloud.slb("CreateLoadBalancer", **more)["LoadBalancerId"]
    else:
        zones = [{"ZoneId": "cn-shanghai-b", "VSwitchId": vswitch}]
        other = make.vswitch(vpc, "10.251.0.0/24", ZoneId="cn-shanghai-g")
        zones.append({"ZoneId": "cn-shanghai-g", "VSwitchId": other})
        more = {"VpcId": vpc, "AddressType": "Intranet", "ZoneMappings": zones}
        balancer = cloud.nlb("CreateLoadBalancer", **more)["LoadbalancerId"]
    cloud.step()
    violates(cloud, "vpc", "DeleteVSwitch", VSwitchId=vswitch)
    cloud.call(service, "DeleteLoadBalancer", {"LoadBalancerId": balancer})
    cloud.step()
    cloud.vpc("DeleteVSwitch", VSwitchId=vswitch)


def test_what_is_on_its_way_is_left_alone(cloud, make):
    vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    with pytest.raises(cloud.client.Error) as caught:
        cloud.vpc("DeleteVpc", VpcId=vpc)
    assert "Status" in cloud.client.outcome(caught.value)[0]
    cloud.step()
    vswitch = cloud.vpc("CreateVSwitch", VpcId=vpc, ZoneId="cn-shanghai-b", CidrBlock="10.0.0.0/24")["VSwitchId"]
    with pytest.raises(cloud.client.Error) as caught:
        cloud.vpc("CreateNatGateway", VpcId=vpc, VSwitchId=vswitch, NatType="Enhanced")
    assert "status" in cloud.client.outcome(caught.value)[0].lower()
