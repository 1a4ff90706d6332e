"""Networks of both families, their VSwitches and routes."""

import pytest

pytestmark = pytest.mark.service("vpc")


def vpc_of(cloud, vpc):
    return cloud.vpc("DescribeVpcs", VpcId=vpc)["Vpcs"]["Vpc"][0]


def vswitch_of(cloud, vswitch):
    return cloud.vpc("DescribeVSwitches", VSwitchId=vswitch)["VSwitches"]["VSwitch"][0]


def test_a_vpc_comes_with_a_router_and_a_system_table(cloud):
    made = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")
    cloud.step()
    row = vpc_of(cloud, made["VpcId"])
    assert row["VRouterId"] == made["VRouterId"]
    assert row["RouterTableIds"]["RouterTableIds"] == [made["RouteTableId"]]
    tables = cloud.vpc("DescribeRouteTableList", VpcId=made["VpcId"])["RouterTableList"]["RouterTableListType"]
    assert [(table["RouteTableId"], table["RouteTableType"]) for table in tables] == [(made["RouteTableId"], "System")]
    one = cloud.vpc("DescribeVpcAttribute", VpcId=made["VpcId"])
    assert (one["VpcId"], one["Status"], one["CidrBlock"]) == (made["VpcId"], "Available", "10.0.0.0/8")


def test_a_vswitch_tells_of_itself(cloud, make):
    vpc, vswitch = make.network()
    one = cloud.vpc("DescribeVSwitchAttributes", VSwitchId=vswitch)
    row = vswitch_of(cloud, vswitch)
    for name in ["VSwitchId", "VpcId", "ZoneId", "CidrBlock", "Status", "AvailableIpAddressCount"]:
        assert one[name] == row[name], name
    assert one["VpcId"] == vpc


def test_ipv6_can_be_switched_on_later(cloud, make):
    vpc = make.vpc()
    vswitch = make.vswitch(vpc)
    assert not vpc_of(cloud, vpc)["Ipv6CidrBlock"]
    cloud.vpc("ModifyVpcAttribute", VpcId=vpc, EnableIPv6=True)
    cloud.step()
    assert vpc_of(cloud, vpc)["Ipv6CidrBlock"].endswith("/56")
    cloud.vpc("ModifyVSwitchAttribute", VSwitchId=vswitch, Ipv6CidrBlock=3)
    cloud.step()
    block = vswitch_of(cloud, vswitch)["Ipv6CidrBlock"]
    assert block.endswith("03::/64"), block


@pytest.mark.parametrize(
    "block", ["192.168.0.0/24", "10.0.0.0/8", "10.0.0.0/30", "10.250.0.128/25", "10.1.2.3/24", "x"]
)
def test_a_vswitch_needs_a_block_of_its_own_inside_the_vpc(cloud, make, block):
    vpc, _ = make.network()
    with pytest.raises(cloud.client.Error) as caught:
        cloud.vpc("CreateVSwitch", VpcId=vpc, ZoneId="cn-shanghai-b", CidrBlock=block)
    code, status = cloud.client.outcome(caught.value)
    assert status == 400 and code.startswith(("InvalidCidrBlock", "InvalidParameter", "InvalidCirdrBlock")), code


def test_vswitches_of_a_custom_table_are_listed_in_it(cloud, make):
    vpc, vswitch = make.network()
    table = make.route_table(vpc)

    def associated():
        rows = cloud.vpc("DescribeRouteTableList", RouteTableId=table)["RouterTableList"]["RouterTableListType"]
        return rows[0]["VSwitchIds"]["VSwitchId"]

    cloud.vpc("AssociateRouteTable", RouteTableId=table, VSwitchId=vswitch)
    cloud.step()
    assert associated() == [vswitch]
    assert vswitch_of(cloud, vswitch)["RouteTable"]["RouteTableId"] == table
    cloud.vpc("UnassociateRouteTable", RouteTableId=table, VSwitchId=vswitch)
    cloud.step()
    assert associated() == []


def test_a_destination_has_one_route(cloud, make):
    it = make.gateway()
    table = make.route_table(it["vpc"])
    make.route(table, it["nat"], "0.0.0.0/0")
    with pytest.raises(cloud.client.Error) as caught:
        make.route(table, it["nat"], "0.0.0.0/0")
    code, status = cloud.client.outcome(caught.value)
    assert status == 400 and "uplicate" in code, code


def test_a_route_can_be_deleted_by_what_it_says(cloud, make):
    it = make.gateway()
    table = make.route_table(it["vpc"])
    route = make.route(table, it["nat"], "0.0.0.0/0")
    row = cloud.vpc("DescribeRouteEntryList", RouteTableId=table, RouteEntryId=route)["RouteEntrys"]["RouteEntry"][0]
    hop = row["NextHops"]["NextHop"][0]
    assert (hop["NextHopId"], hop["NextHopType"]) == (it["nat"], "NatGateway")
    cloud.vpc("DeleteRouteEntry", RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", NextHopId=it["nat"])
    cloud.step()
    rows = cloud.vpc("DescribeRouteEntryList", RouteTableId=table, RouteEntryType="Custom")["RouteEntrys"]
    assert rows["RouteEntry"] == []


def test_traffic_of_ipv6_has_a_gateway(cloud, make):
    vpc = make.vpc(EnableIpv6=True)
    gateway = make.ipv6_gateway(vpc)
    table = make.route_table(vpc)
    cloud.vpc(
        "CreateRouteEntry",
        RouteTableId=table,
        DestinationCidrBlock="::/0",
        NextHopType="IPv6Gateway",
        NextHopId=gateway,
    )
    cloud.step()
    rows = cloud.vpc("DescribeRouteEntryList", RouteTableId=table, DestinationCidrBlock="::/0")["RouteEntrys"]
    assert [row["Status"] for row in rows["RouteEntry"]] == ["Available"]
    one = cloud.vpc("DescribeIpv6GatewayAttribute", Ipv6GatewayId=gateway)
    assert (one["Ipv6GatewayId"], one["VpcId"]) == (gateway, vpc)
    with pytest.raises(cloud.client.Error):
        make.ipv6_gateway(vpc)


def test_regions_and_zones_are_told(cloud):
    for service in ["vpc", "ecs"]:
        regions = cloud.call(service, "DescribeRegions", {})["Regions"]["Region"]
        assert {"cn-shanghai", "eu-central-1"} <= {region["RegionId"] for region in regions}
        zones = cloud.call(service, "DescribeZones", {})["Zones"]["Zone"]
        assert "cn-shanghai-b" in {zone["ZoneId"] for zone in zones}


def test_writes_to_vswitches_of_one_vpc_conflict_when_told(cloud, make):
    cloud.simulator.set(vswitchConflicts=True)
    vpc = make.vpc()
    place = {"VpcId": vpc, "ZoneId": "cn-shanghai-b"}
    cloud.vpc("CreateVSwitch", CidrBlock="10.0.0.0/24", **place)
    with cloud.refuses("IncorrectVSwitchStatus", 400):
        cloud.vpc("CreateVSwitch", CidrBlock="10.0.1.0/24", **place)
    cloud.step()
    cloud.vpc("CreateVSwitch", CidrBlock="10.0.1.0/24", **place)
