"""The kinds of resources that have much in common: how each is made, read, changed, tagged and deleted."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from world import ZONE


@dataclass(frozen=True)
class Kind:
    """A kind of resource."""

    name: str
    service: str
    # What there has to be before, by the names that the other functions use.
    needs: Callable[[Any], dict]
    # The action that makes one, and its parameters by what there is and a number.
    create: str
    parameters: Callable[[dict, int], dict]
    # Where its id stands in the answer of the creation.
    answer: str
    # The action that reads, the place of its rows, their id, and the parameters for one row of an id.
    read: str
    rows: str
    id: str
    one: Callable[[dict, str], dict]
    # Parameters that every read and every other action has.
    scope: Callable[[dict], dict]
    # The action that deletes, and its parameters.
    delete: str
    gone: Callable[[dict, str], dict]
    # The action that changes something, what it is given in addition to the id, and what a row has then.
    modify: tuple[str, dict, dict] | None = None
    # The field of the status, at creation and in the end.
    status: tuple[str, str | None, str] | None = None
    # How a row looks that was made with number 1.
    has: Callable[[dict], dict] = field(default=lambda need: {})
    # Filters that find one made with number 1 and no other; `name*` is the name.
    filters: Callable[[dict], list[dict]] = field(default=lambda need: [])
    # How pages are asked for: the parameters of their size; `PageSize` counts pages, the others give tokens.
    pages: tuple = ("PageSize",)
    # The type of its resource in tagging actions.
    tagged: str | None = None
    # The parameters of a tag filter when reading.
    tag_filter: str = "Tag"
    # Whether there may be several.
    several: bool = True

    def make(self, cloud, need, number=1, **more):
        """Makes one; its id."""
        made = cloud.call(self.service, self.create, {**self.parameters(need, number), **more})
        return place(made, self.answer)

    def list(self, cloud, need, **filters):
        """The rows of a page."""
        return place(self.page(cloud, need, **filters), self.rows)

    def page(self, cloud, need, **filters):
        """A page."""
        return cloud.call(self.service, self.read, {**self.scope(need), **filters})

    def row(self, cloud, need, id):
        """The row of one, if there is one."""
        rows = [row for row in self.list(cloud, need, **self.one(need, id)) if row[self.id] == id]
        assert len(rows) <= 1
        return rows[0] if rows else None

    def change(self, cloud, need, id):
        """Modifies one."""
        action, changes, _ = self.modify
        cloud.call(self.service, action, {**self.gone(need, id), **changes})

    def remove(self, cloud, need, id):
        """Deletes one."""
        cloud.call(self.service, self.delete, self.gone(need, id))


def place(value, path):
    """What stands at a path such as `Vpcs.Vpc`; rows that an answer leaves out are none."""
    for name in path.split("."):
        value = value[int(name)] if name.isdigit() else (value or {}).get(name, [])
    return value


def by(parameter):
    """Names one by a parameter."""
    return lambda need, id: {parameter: id}


def nothing(need):
    return {}


def of_vpc(need):
    return {"VpcId": need["vpc"]}


def network(make):
    vpc, vswitch = make.network()
    return {"vpc": vpc, "vswitch": vswitch}


def grouped(make):
    need = network(make)
    return {**need, "group": make.security_group(need["vpc"]), "image": make.image(), "type": make.instance_type()}


def routed(make):
    need = make.gateway()
    return {**need, "route_table": make.route_table(need["vpc"])}


KINDS = [
    Kind(
        name="vpc",
        service="vpc",
        needs=lambda make: {},
        create="CreateVpc",
        parameters=lambda need, n: {"VpcName": f"net-{n}", "CidrBlock": "172.16.0.0/12", "Description": f"no. {n}"},
        answer="VpcId",
        read="DescribeVpcs",
        rows="Vpcs.Vpc",
        id="VpcId",
        one=by("VpcId"),
        scope=nothing,
        delete="DeleteVpc",
        gone=by("VpcId"),
        modify=(
            "ModifyVpcAttribute",
            {"VpcName": "changed", "Description": "d"},
            {"VpcName": "changed", "Description": "d"},
        ),
        status=("Status", "Pending", "Available"),
        has=lambda need: {"VpcName": "net-1", "CidrBlock": "172.16.0.0/12", "Description": "no. 1", "IsDefault": False},
        filters=lambda need: [{"VpcName": "net-1"}],
        tagged="VPC",
    ),
    Kind(
        name="vswitch",
        service="vpc",
        needs=lambda make: {"vpc": make.vpc()},
        create="CreateVSwitch",
        parameters=lambda need, n: {
            "VpcId": need["vpc"],
            "ZoneId": ZONE if n == 1 else "cn-shanghai-g",
            "CidrBlock": f"10.{n}.0.0/24",
            "VSwitchName": f"nodes-{n}",
        },
        answer="VSwitchId",
        read="DescribeVSwitches",
        rows="VSwitches.VSwitch",
        id="VSwitchId",
        one=by("VSwitchId"),
        scope=of_vpc,
        delete="DeleteVSwitch",
        gone=by("VSwitchId"),
        modify=("ModifyVSwitchAttribute", {"VSwitchName": "changed"}, {"VSwitchName": "changed"}),
        status=("Status", "Pending", "Available"),
        has=lambda need: {
            "VpcId": need["vpc"],
            "ZoneId": ZONE,
            "CidrBlock": "10.1.0.0/24",
            "VSwitchName": "nodes-1",
            "AvailableIpAddressCount": 252,
        },
        filters=lambda need: [{"ZoneId": ZONE}, {"VSwitchName": "nodes-1"}],
        tagged="VSWITCH",
    ),
    Kind(
        name="nat-gateway",
        service="vpc",
        needs=network,
        create="CreateNatGateway",
        parameters=lambda need, n: {
            "VpcId": need["vpc"],
            "VSwitchId": need["vswitch"],
            "NatType": "Enhanced",
            "Name": f"nat-{n}",
        },
        answer="NatGatewayId",
        read="DescribeNatGateways",
        rows="NatGateways.NatGateway",
        id="NatGatewayId",
        one=by("NatGatewayId"),
        scope=of_vpc,
        delete="DeleteNatGateway",
        gone=by("NatGatewayId"),
        modify=("ModifyNatGatewayAttribute", {"Name": "changed"}, {"Name": "changed"}),
        status=("Status", "Creating", "Available"),
        has=lambda need: {"VpcId": need["vpc"], "Name": "nat-1", "NatType": "Enhanced"},
        filters=lambda need: [{"Name": "nat-1"}],
        tagged="NATGATEWAY",
    ),
    Kind(
        name="eip",
        service="vpc",
        needs=lambda make: {},
        create="AllocateEipAddress",
        parameters=lambda need, n: {"Name": f"eip-{n}", "Bandwidth": "100", "InternetChargeType": "PayByTraffic"},
        answer="AllocationId",
        read="DescribeEipAddresses",
        rows="EipAddresses.EipAddress",
        id="AllocationId",
        one=by("AllocationId"),
        scope=nothing,
        delete="ReleaseEipAddress",
        gone=by("AllocationId"),
        modify=(
            "ModifyEipAddressAttribute",
            {"Bandwidth": "50", "Name": "changed"},
            {"Bandwidth": "50", "Name": "changed"},
        ),
        status=("Status", None, "Available"),
        has=lambda need: {"Name": "eip-1", "Bandwidth": "100", "InternetChargeType": "PayByTraffic"},
        filters=lambda need: [{"EipName": "eip-1"}],
        tagged="EIP",
    ),
    Kind(
        name="snat-entry",
        service="vpc",
        needs=lambda make: make.gateway(),
        create="CreateSnatEntry",
        parameters=lambda need, n: {
            "SnatTableId": need["table"],
            "SourceCIDR": f"10.250.0.{n}/32",
            "SnatIp": need["address"],
            "SnatEntryName": f"snat-{n}",
        },
        answer="SnatEntryId",
        read="DescribeSnatTableEntries",
        rows="SnatTableEntries.SnatTableEntry",
        id="SnatEntryId",
        one=by("SnatEntryId"),
        scope=lambda need: {"SnatTableId": need["table"]},
        delete="DeleteSnatEntry",
        gone=lambda need, id: {"SnatTableId": need["table"], "SnatEntryId": id},
        modify=("ModifySnatEntry", {"SnatEntryName": "changed"}, {"SnatEntryName": "changed"}),
        status=("Status", "Pending", "Available"),
        has=lambda need: {"SourceCIDR": "10.250.0.1/32", "SnatIp": need["address"], "SnatEntryName": "snat-1"},
        filters=lambda need: [{"SnatEntryName": "snat-1"}, {"SourceCIDR": "10.250.0.1/32"}],
    ),
    Kind(
        name="route-table",
        service="vpc",
        needs=lambda make: {"vpc": make.vpc()},
        create="CreateRouteTable",
        parameters=lambda need, n: {"VpcId": need["vpc"], "RouteTableName": f"table-{n}"},
        answer="RouteTableId",
        read="DescribeRouteTableList",
        rows="RouterTableList.RouterTableListType",
        id="RouteTableId",
        one=by("RouteTableId"),
        # In addition to the table that the VPC comes with.
        scope=lambda need: {"VpcId": need["vpc"], "RouteTableType": "Custom"},
        delete="DeleteRouteTable",
        gone=by("RouteTableId"),
        modify=("ModifyRouteTableAttributes", {"RouteTableName": "changed"}, {"RouteTableName": "changed"}),
        status=("Status", "Pending", "Available"),
        has=lambda need: {"VpcId": need["vpc"], "RouteTableName": "table-1", "RouteTableType": "Custom"},
        filters=lambda need: [{"RouteTableName": "table-1"}],
        tagged="ROUTETABLE",
    ),
    Kind(
        name="route-entry",
        service="vpc",
        needs=routed,
        create="CreateRouteEntry",
        parameters=lambda need, n: {
            "RouteTableId": need["route_table"],
            "DestinationCidrBlock": f"192.168.{n}.0/24",
            "NextHopType": "NatGateway",
            "NextHopId": need["nat"],
            "RouteEntryName": f"route-{n}",
        },
        answer="RouteEntryId",
        read="DescribeRouteEntryList",
        rows="RouteEntrys.RouteEntry",
        id="RouteEntryId",
        one=by("RouteEntryId"),
        scope=lambda need: {"RouteTableId": need["route_table"], "RouteEntryType": "Custom"},
        delete="DeleteRouteEntry",
        gone=by("RouteEntryId"),
        modify=("ModifyRouteEntry", {"RouteEntryName": "changed"}, {"RouteEntryName": "changed"}),
        status=("Status", "Pending", "Available"),
        has=lambda need: {"DestinationCidrBlock": "192.168.1.0/24", "RouteEntryName": "route-1", "Type": "Custom"},
        filters=lambda need: [{"DestinationCidrBlock": "192.168.1.0/24"}, {"RouteEntryName": "route-1"}],
        pages=("MaxResult",),
    ),
    Kind(
        name="ipv6-gateway",
        service="vpc",
        needs=lambda make: {"vpc": make.vpc(EnableIpv6=True)},
        create="CreateIpv6Gateway",
        parameters=lambda need, n: {"VpcId": need["vpc"], "Name": f"gateway-{n}"},
        answer="Ipv6GatewayId",
        read="DescribeIpv6Gateways",
        rows="Ipv6Gateways.Ipv6Gateway",
        id="Ipv6GatewayId",
        one=by("Ipv6GatewayId"),
        scope=of_vpc,
        delete="DeleteIpv6Gateway",
        gone=by("Ipv6GatewayId"),
        modify=("ModifyIpv6GatewayAttribute", {"Name": "changed"}, {"Name": "changed"}),
        status=("Status", None, "Available"),
        has=lambda need: {"VpcId": need["vpc"], "Name": "gateway-1"},
        filters=lambda need: [{"Name": "gateway-1"}],
        tagged="IPV6GATEWAY",
        tag_filter="Tags",
        several=False,
    ),
    Kind(
        name="security-group",
        service="ecs",
        needs=lambda make: {"vpc": make.vpc()},
        create="CreateSecurityGroup",
        parameters=lambda need, n: {"VpcId": need["vpc"], "SecurityGroupName": f"nodes-{n}", "Description": f"no. {n}"},
        answer="SecurityGroupId",
        read="DescribeSecurityGroups",
        rows="SecurityGroups.SecurityGroup",
        id="SecurityGroupId",
        one=by("SecurityGroupId"),
        scope=of_vpc,
        delete="DeleteSecurityGroup",
        gone=by("SecurityGroupId"),
        modify=("ModifySecurityGroupAttribute", {"SecurityGroupName": "changed"}, {"SecurityGroupName": "changed"}),
        has=lambda need: {"VpcId": need["vpc"], "SecurityGroupName": "nodes-1", "Description": "no. 1"},
        filters=lambda need: [{"SecurityGroupName": "nodes-1"}],
        pages=("PageSize", "MaxResults"),
        tagged="securitygroup",
    ),
    Kind(
        name="instance",
        service="ecs",
        needs=grouped,
        create="RunInstances",
        parameters=lambda need, n: {
            "ImageId": need["image"],
            "InstanceType": need["type"],
            "VSwitchId": need["vswitch"],
            "SecurityGroupId": need["group"],
            "InstanceName": f"bastion-{n}",
        },
        answer="InstanceIdSets.InstanceIdSet.0",
        read="DescribeInstances",
        rows="Instances.Instance",
        id="InstanceId",
        one=lambda need, id: {"InstanceIds": json.dumps([id])},
        scope=of_vpc,
        delete="DeleteInstance",
        gone=lambda need, id: {"InstanceId": id, "Force": True},
        status=("Status", "Pending", "Running"),
        has=lambda need: {"InstanceName": "bastion-1", "ImageId": need["image"], "InstanceType": need["type"]},
        filters=lambda need: [{"InstanceName": "bastion-1"}, {"InstanceName": "*tion-1"}],
        tagged="instance",
    ),
    Kind(
        name="classic-load-balancer",
        service="slb",
        needs=lambda make: {},
        create="CreateLoadBalancer",
        parameters=lambda need, n: {
            "LoadBalancerName": f"service-{n}",
            "AddressType": "internet",
            "LoadBalancerSpec": "slb.s1.small",
        },
        answer="LoadBalancerId",
        read="DescribeLoadBalancers",
        rows="LoadBalancers.LoadBalancer",
        id="LoadBalancerId",
        one=by("LoadBalancerId"),
        scope=nothing,
        delete="DeleteLoadBalancer",
        gone=by("LoadBalancerId"),
        modify=("SetLoadBalancerDeleteProtection", {"DeleteProtection": "off"}, {"DeleteProtection": "off"}),
        status=("LoadBalancerStatus", None, "active"),
        has=lambda need: {"LoadBalancerName": "service-1", "AddressType": "internet"},
        filters=lambda need: [{"LoadBalancerName": "service-1"}],
    ),
    Kind(
        name="network-load-balancer",
        service="nlb",
        needs=lambda make: {
            **(need := network(make)),
            "other": make.vswitch(need["vpc"], "10.251.0.0/24", ZoneId="cn-shanghai-g"),
        },
        create="CreateLoadBalancer",
        parameters=lambda need, n: {
            "LoadBalancerName": f"service-{n}",
            "AddressType": "Internet",
            "VpcId": need["vpc"],
            "ZoneMappings": [
                {"ZoneId": ZONE, "VSwitchId": need["vswitch"]},
                {"ZoneId": "cn-shanghai-g", "VSwitchId": need["other"]},
            ],
        },
        answer="LoadbalancerId",
        read="ListLoadBalancers",
        rows="LoadBalancers",
        id="LoadBalancerId",
        one=lambda need, id: {"LoadBalancerIds": [id]},
        scope=lambda need: {"VpcIds": [need["vpc"]]},
        delete="DeleteLoadBalancer",
        gone=by("LoadBalancerId"),
        modify=(
            "UpdateLoadBalancerProtection",
            {"DeletionProtectionEnabled": False},
            {"LoadBalancerName": "service-1"},
        ),
        status=("LoadBalancerStatus", "Provisioning", "Active"),
        has=lambda need: {"LoadBalancerName": "service-1", "AddressType": "Internet", "VpcId": need["vpc"]},
        filters=lambda need: [{"LoadBalancerNames": ["service-1"]}],
        pages=("MaxResults",),
        tagged="loadbalancer",
    ),
    Kind(
        name="dns-record",
        service="alidns",
        needs=lambda make: {"domain": make.domain()},
        create="AddDomainRecord",
        parameters=lambda need, n: {
            "DomainName": need["domain"],
            "RR": f"api-{n}",
            "Type": "A",
            "Value": "198.18.0.1",
            "TTL": 600,
        },
        answer="RecordId",
        read="DescribeDomainRecords",
        rows="DomainRecords.Record",
        id="RecordId",
        one=lambda need, id: {},
        scope=lambda need: {"DomainName": need["domain"]},
        delete="DeleteDomainRecord",
        gone=by("RecordId"),
        modify=(
            "UpdateDomainRecord",
            {"RR": "api-1", "Type": "A", "Value": "198.18.0.2", "TTL": 600},
            {"Value": "198.18.0.2"},
        ),
        has=lambda need: {"RR": "api-1", "Type": "A", "Value": "198.18.0.1", "TTL": 600, "Status": "ENABLE"},
        filters=lambda need: [{"RRKeyWord": "api-1"}, {"KeyWord": "api-1", "SearchMode": "EXACT"}],
    ),
    Kind(
        name="dns-domain",
        service="alidns",
        needs=lambda make: {},
        create="AddDomain",
        parameters=lambda need, n: {"DomainName": f"example-{n}.com"},
        answer="DomainName",
        read="DescribeDomains",
        rows="Domains.Domain",
        id="DomainName",
        one=lambda need, id: {"KeyWord": id},
        scope=nothing,
        delete="DeleteDomain",
        gone=by("DomainName"),
        has=lambda need: {"DomainName": "example-1.com"},
        filters=lambda need: [{"KeyWord": "example-1"}],
    ),
]
