"""The deletion of an infrastructure."""

from extension.caller import KINDS, together
from extension.infrastructure import revoke
from extension.world import NAMESPACE, tags
from kinds import place


class Deletion:
    """The flow over what a reconciliation has left."""

    def __init__(self, infrastructure):
        self.infrastructure = infrastructure
        self.call = infrastructure.call
        self.config = infrastructure.config
        self.state = infrastructure.state

    def delete(self):
        """A whole run."""
        self.load_balancers()
        self.call.run(self.flow())

    def load_balancers(self):
        """Deletes the classic load balancers that are the cluster's by the name of their first server group."""
        number, total = 0, 1
        while number * 100 < total:
            number += 1
            page = self.call.slb("DescribeLoadBalancers", PageSize=100, PageNumber=number)
            total = page["TotalCount"]
            for row in place(page, "LoadBalancers.LoadBalancer"):
                balancer = {"LoadBalancerId": row["LoadBalancerId"]}
                groups = place(self.call.slb("DescribeVServerGroups", **balancer), "VServerGroups.VServerGroup")
                if groups and groups[0]["VServerGroupName"].rsplit("/", 1)[-1] == NAMESPACE:
                    self.call.slb("SetLoadBalancerDeleteProtection", DeleteProtection="off", **balancer)
                    self.call.slb("DeleteLoadBalancer", **balancer)

    def flow(self):
        yield from together(self.network(), self.security_group())
        if not self.config.vpc:
            row = self.infrastructure.found("vpc", self.state.vpc, "VPC", tags(""))
            yield from self.gone("vpc", row["VpcId"], "DeleteVpc", {"ForceDelete": True})

    def network(self):
        """What is deleted before the VPC, beside the security group."""
        vswitches = self.infrastructure.current_vswitches()
        yield from together(*[self.zone(self.state.zones[row["ZoneId"]]) for row in vswitches])
        if self.config.manages_nat:
            yield from self.nat([row["VSwitchId"] for row in vswitches])
        yield from together(*[self.vswitch(row["VSwitchId"]) for row in vswitches])
        if self.config.dual_stack and not self.config.vpc:
            row = self.infrastructure.found("ipv6", self.state.ipv6, "IPV6GATEWAY", tags("ipv6gw"))
            yield from self.gone("ipv6", row["Ipv6GatewayId"], "DeleteIpv6Gateway")
        if self.config.route_table:
            yield from self.route_table()

    def gone(self, kind, id, action, more=None, **scope):
        """Reads, deletes and waits until it is gone; deletes nothing that is gone already."""
        if self.call.one(kind, id, **scope):
            self.call.vpc(action, **{KINDS[kind].id: id, **(more or {})})
            yield from self.call.until_gone(kind, id, **scope)

    def zone(self, zone):
        """SNAT entry, association and address of a zone."""
        rows = self.call.rows("snat", NatGatewayId=self.state.nat)
        rows = [row for row in rows if row["SourceVSwitchId"] == zone.vswitch]
        for row in rows:
            yield from self.snat(row)
        for address in {row["SnatIp"] for row in rows}:
            eip = self.call.one("eip", EipAddress=address)
            yield from self.unassociate(eip)
        if zone.eip:
            yield from self.unassociate(self.call.one("eip", zone.eip))
        row = self.infrastructure.found("eip", zone.eip, "EIP", tags(f"eip-natgw-{zone.suffix}"))
        if row:
            yield from self.gone("eip", row["AllocationId"], "ReleaseEipAddress")

    def snat(self, row):
        table = {"SnatTableId": row["SnatTableId"]}
        yield from self.gone("snat", row["SnatEntryId"], "DeleteSnatEntry", table, **table)

    def unassociate(self, eip):
        if eip["Status"] == "InUse":
            names = ("AllocationId", "InstanceId", "InstanceType")
            self.call.vpc("UnassociateEipAddress", **{name: eip[name] for name in names})
            yield from self.call.until_available("eip", eip["AllocationId"])

    def nat(self, vswitches):
        row = self.infrastructure.found("nat", self.state.nat, "NATGATEWAY", tags("natgw"))
        if row["NatGatewayPrivateInfo"]["VswitchId"] in vswitches:
            for entry in self.call.rows("snat", NatGatewayId=row["NatGatewayId"]):
                yield from self.snat(entry)
            yield from self.gone("nat", row["NatGatewayId"], "DeleteNatGateway", {"Force": True})

    def vswitch(self, id):
        if self.config.route_table:
            self.call.vpc("UnassociateRouteTable", RouteTableId=self.state.table, VSwitchId=id)
            yield from self.call.until_available("vswitch", id)
        yield from self.gone("vswitch", id, "DeleteVSwitch")

    def route_table(self):
        row = self.infrastructure.found("table", self.state.table, "ROUTETABLE", tags("rt"))
        assert place(row, "VSwitchIds.VSwitchId") == []
        scope = {"RouteTableId": row["RouteTableId"], "RouteEntryType": "Custom"}
        for entry in self.call.rows("route", **scope):
            hop = {"NextHopId": entry["NextHops"]["NextHop"][0]["NextHopId"]}
            yield from self.gone("route", entry["RouteEntryId"], "DeleteRouteEntry", hop, **scope)
        yield from self.gone("table", row["RouteTableId"], "DeleteRouteTable")

    def security_group(self):
        row, _ = self.infrastructure.found_group()
        group = row["SecurityGroupId"]
        _, rules = self.infrastructure.group_with_rules(group)
        for rule in rules:
            revoke(self.call, group, rule)
        # At once, without a wait.
        self.call.ecs("DeleteSecurityGroup", SecurityGroupId=group)
        return
        yield
