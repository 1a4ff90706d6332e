"""NAT gateways, their addresses and SNAT entries."""

import pytest

pytestmark = pytest.mark.service("vpc")


def eip_of(cloud, **filters):
    return cloud.vpc("DescribeEipAddresses", **filters)["EipAddresses"]["EipAddress"][0]


def test_an_address_is_bound_and_freed(cloud, make):
    vpc, vswitch = make.network()
    nat, _ = make.nat(vpc, vswitch)
    eip, address = make.eip()
    binding = {"AllocationId": eip, "InstanceId": nat, "InstanceType": "Nat"}
    for action, during, after, holder in [
        ("AssociateEipAddress", "Associating", "InUse", nat),
        ("UnassociateEipAddress", "Unassociating", "Available", ""),
    ]:
        cloud.vpc(action, **binding)
        assert eip_of(cloud, AllocationId=eip)["Status"] == during
        cloud.step()
        row = eip_of(cloud, EipAddress=address)
        assert (row["Status"], row["InstanceId"]) == (after, holder)


def test_a_gateway_shows_its_addresses_and_tables(cloud, make):
    it = make.gateway()
    row = cloud.vpc("DescribeNatGateways", NatGatewayId=it["nat"])["NatGateways"]["NatGateway"][0]
    assert [(ip["AllocationId"], ip["IpAddress"]) for ip in row["IpLists"]["IpList"]] == [(it["eip"], it["address"])]
    assert row["SnatTableIds"]["SnatTableId"] == [it["table"]]
    assert row["NatGatewayPrivateInfo"]["VswitchId"] == it["vswitch"]
    one = cloud.vpc("GetNatGatewayAttribute", NatGatewayId=it["nat"])
    assert (one["NatGatewayId"], one["Status"], one["VpcId"]) == (it["nat"], "Available", it["vpc"])


def test_an_snat_entry_needs_an_address_of_its_gateway(cloud, make):
    it = make.gateway()
    _, foreign = make.eip()
    entry = {"SnatTableId": it["table"], "SourceVSwitchId": it["vswitch"]}
    for address in [foreign, "198.51.100.1"]:
        try:
            cloud.vpc("CreateSnatEntry", SnatIp=address, **entry)
        except cloud.client.Error as error:
            code, status = cloud.client.outcome(error)
            assert 400 <= status < 500 and ("EIP" in code.upper() or "SnatIp" in code), code
        else:
            raise AssertionError(f"{address} was taken")
    make.snat(it["table"], it["address"], SourceVSwitchId=it["vswitch"])
    rows = cloud.vpc("DescribeSnatTableEntries", NatGatewayId=it["nat"])["SnatTableEntries"]["SnatTableEntry"]
    assert [row["SourceVSwitchId"] for row in rows] == [it["vswitch"]]


def test_an_snat_entry_can_have_several_addresses(cloud, make):
    it = make.gateway()
    _, other = make.eip(it["nat"])
    make.snat(it["table"], f"{it['address']},{other}", SourceVSwitchId=it["vswitch"])
    rows = cloud.vpc("DescribeSnatTableEntries", SnatTableId=it["table"])["SnatTableEntries"]["SnatTableEntry"]
    assert [set(row["SnatIp"].split(",")) for row in rows] == [{it["address"], other}]


def test_a_source_has_one_snat_entry(cloud, make):
    it = make.gateway()
    make.snat(it["table"], it["address"], SourceVSwitchId=it["vswitch"])
    with cloud.refuses("Forbidden.SourceVSwitchId.Duplicated", 400):
        make.snat(it["table"], it["address"], SourceVSwitchId=it["vswitch"])


def test_an_address_can_be_bound_to_an_instance(cloud, make):
    vpc, vswitch = make.network()
    instance = make.instance(vswitch, make.security_group(vpc))
    eip, address = make.eip()
    binding = {"AllocationId": eip, "InstanceId": instance, "InstanceType": "EcsInstance"}
    cloud.vpc("AssociateEipAddress", **binding)
    cloud.step()
    assert eip_of(cloud, AllocationId=eip)["InstanceId"] == instance
    row = cloud.ecs("DescribeInstances", VpcId=vpc)["Instances"]["Instance"][0]
    assert (row["EipAddress"]["AllocationId"], row["EipAddress"]["IpAddress"]) == (eip, address)
    cloud.vpc("UnassociateEipAddress", **binding)
    cloud.step()
    assert eip_of(cloud, AllocationId=eip)["Status"] == "Available"


def test_the_address_of_an_instance_that_goes_is_free(cloud, make):
    vpc, vswitch = make.network()
    instance = make.instance(vswitch, make.security_group(vpc))
    eip, _ = make.eip()
    cloud.vpc("AssociateEipAddress", AllocationId=eip, InstanceId=instance, InstanceType="EcsInstance")
    cloud.step()
    cloud.ecs("DeleteInstance", InstanceId=instance, Force=True)
    cloud.step()
    row = eip_of(cloud, AllocationId=eip)
    assert (row["Status"], row["InstanceId"]) == ("Available", "")
    cloud.vpc("ReleaseEipAddress", AllocationId=eip)


def test_the_address_of_an_snat_entry_can_change(cloud, make):
    it = make.gateway()
    entry = make.snat(it["table"], it["address"], SourceVSwitchId=it["vswitch"])
    _, other = make.eip(it["nat"])
    cloud.vpc("ModifySnatEntry", SnatTableId=it["table"], SnatEntryId=entry, SnatIp=other)
    cloud.step()
    rows = cloud.vpc("DescribeSnatTableEntries", SnatTableId=it["table"])["SnatTableEntries"]["SnatTableEntry"]
    assert [(row["SnatEntryId"], row["SnatIp"]) for row in rows] == [(entry, other)]


def test_a_gateway_takes_the_default_route_and_gives_it_back(cloud, make):
    vpc, vswitch = make.network()
    network = cloud.vpc("DescribeVpcs", VpcId=vpc)["Vpcs"]["Vpc"][0]
    table = network["RouterTableIds"]["RouterTableIds"][0]

    def hops():
        routes = cloud.vpc("DescribeRouteEntryList", RouteTableId=table, DestinationCidrBlock="0.0.0.0/0")
        return [route["NextHops"]["NextHop"][0]["NextHopId"] for route in routes["RouteEntrys"]["RouteEntry"]]

    assert hops() == []
    nat, _ = make.nat(vpc, vswitch)
    assert hops() == [nat]
    cloud.vpc("DeleteNatGateway", NatGatewayId=nat)
    cloud.step()
    assert hops() == []


def test_zones_for_gateways_are_those_of_the_region(cloud):
    zones = cloud.vpc("ListEnhanhcedNatGatewayAvailableZones")["Zones"]
    assert "cn-shanghai-b" in [zone["ZoneId"] for zone in zones]
