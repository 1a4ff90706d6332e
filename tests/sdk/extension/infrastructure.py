"""A reconciliation of an infrastructure."""

from extension.caller import tags_seen, together
from extension.validation import service_linked_role, user_nat, validate
from extension.world import CLUSTER_TAG, NAMESPACE, POD_BLOCK, VPC_BLOCK, State, Zone, block, tags, vswitch_name
from kinds import place


class Infrastructure:
    """The flow over a config and its state."""

    def __init__(self, call, config):
        self.call = call
        self.config = config
        self.state = State()

    def reconcile(self, creating=False):
        """A whole run."""
        validate(self.call, self.config, creating)
        service_linked_role(self.call)
        self.call.sts("GetCallerIdentity")
        self.call.run(self.flow())

    def flow(self):
        yield from self.vpc()
        yield from together(self.security_group(), self.network())

    def network(self):
        """What follows the VPC, beside the security group."""
        yield from together(self.vswitches_and_nat(), self.ipv6_gateway())
        if self.config.route_table:
            yield from self.route_table()
        yield from self.zones()

    def vswitches_and_nat(self):
        yield from self.vswitches()
        yield from self.nat() if self.config.manages_nat else self.user_nat()

    def found(self, kind, id, type, wanted, service="vpc"):
        """A managed resource by its id or else by its tags."""
        if id and (row := self.call.one(kind, id)):
            return row
        return next((self.call.one(kind, id) for id in self.call.tagged(type, wanted, service)), None)

    def vpc(self):
        call, state = self.call, self.state
        if self.config.vpc:
            assert call.one("vpc", self.config.vpc)
            state.vpc = self.config.vpc
            if self.config.dual_stack:
                assert call.one("vpc", state.vpc)["Ipv6CidrBlock"]
            return
        row = self.found("vpc", state.vpc, "VPC", tags(""))
        if row is None:
            made = call.vpc("CreateVpc", VpcName=f"{NAMESPACE}-vpc", CidrBlock=VPC_BLOCK)
            row = yield from call.until_available("vpc", made["VpcId"])
        state.vpc = row["VpcId"]
        call.retag("VPC", state.vpc, tags(""), tags_seen(row))
        if self.config.dual_stack and not call.one("vpc", state.vpc)["Ipv6CidrBlock"]:
            call.vpc("ModifyVpcAttribute", VpcId=state.vpc, EnableIPv6=True)
            yield from call.until(lambda row: row["Ipv6CidrBlock"], "vpc", state.vpc)

    def group_with_rules(self, id):
        """A security group and its rules of both directions."""
        if row := self.call.one("group", id):
            page = self.call.ecs("DescribeSecurityGroupAttribute", SecurityGroupId=row["SecurityGroupId"])
            return row, place(page, "Permissions.Permission")
        return None

    def found_group(self):
        """The managed security group and its rules."""
        if self.state.group and (found := self.group_with_rules(self.state.group)):
            return found
        ids = self.call.tagged("securitygroup", tags("sg"), "ecs")
        return next((self.group_with_rules(id) for id in ids), None)

    def security_group(self):
        call, state = self.call, self.state
        vpc = call.one("vpc", state.vpc)
        if not (found := self.found_group()):
            description = f"Security group for {NAMESPACE}"
            name = {"SecurityGroupName": f"{NAMESPACE}-sg", "Description": description}
            made = call.ecs("CreateSecurityGroup", VpcId=state.vpc, **name)
            # At once, without a wait.
            found = self.group_with_rules(made["SecurityGroupId"])
        row, rules = found
        state.group = row["SecurityGroupId"]
        call.retag("securitygroup", state.group, tags("sg"), tags_seen(row), "ecs")
        wanted = [rule_key(rule) for rule in wanted_rules(vpc["CidrBlock"])]
        for rule in rules:
            if rule_key(rule) not in wanted:
                revoke(call, state.group, rule)
        known = [rule_key(rule) for rule in rules]
        for rule in wanted_rules(vpc["CidrBlock"]):
            if rule_key(rule) not in known:
                names = ("Policy", "Priority", "IpProtocol", "SourceCidrIp", "PortRange")
                permission = {name: rule[name] for name in names}
                call.ecs("AuthorizeSecurityGroup", SecurityGroupId=state.group, Permissions=[permission])
        return
        yield

    def current_vswitches(self):
        """Those in the state, and those with the tag of the cluster."""
        ids = [zone.vswitch for zone in self.state.zones.values() if zone.vswitch]
        rows = [self.call.one("vswitch", id) for id in ids]
        rows += [self.call.one("vswitch", id) for id in self.call.tagged("VSWITCH", CLUSTER_TAG)]
        return list({row["VSwitchId"]: row for row in rows if row}.values())

    def vswitches(self):
        call, state = self.call, self.state
        current = self.current_vswitches()
        in_vpc = call.rows("vswitch", VpcId=state.vpc)
        current += [row for row in in_vpc if row["VSwitchName"].startswith(NAMESPACE + "-")]
        known = {(row["ZoneId"], row["CidrBlock"]): row for row in current}
        for index, name in enumerate(self.config.names):
            zone = state.zones.setdefault(name, Zone(suffix=f"z{index}"))
            row = known.get((name, block(name)))
            if created := row is None:
                place = {"ZoneId": name, "CidrBlock": block(name), "VSwitchName": vswitch_name(name)}
                made = call.vpc("CreateVSwitch", VpcId=state.vpc, **place)
                row = yield from call.until_available("vswitch", made["VSwitchId"])
            zone.vswitch = row["VSwitchId"]
            call.retag("VSWITCH", zone.vswitch, tags(f"nodes-{zone.suffix}"), tags_seen(row))
            if self.config.dual_stack:
                yield from self.ipv6_block(zone.vswitch, index, created)

    def ipv6_block(self, vswitch, index, created):
        if created or not self.call.one("vswitch", vswitch)["Ipv6CidrBlock"]:
            self.call.vpc("ModifyVSwitchAttribute", VSwitchId=vswitch, Ipv6CidrBlock=index)
            yield from self.call.until_available("vswitch", vswitch)
        if created:
            assert self.call.one("vswitch", vswitch)["Ipv6CidrBlock"]

    def nat(self):
        call, state = self.call, self.state
        ours = [state.zones[name].vswitch for name in self.config.names]
        stored = state.nat
        row = self.found("nat", stored, "NATGATEWAY", tags("natgw"))
        if row is None and not stored:
            in_vpc = call.rows("nat", VpcId=state.vpc)
            row = next((row for row in in_vpc if row["NatGatewayPrivateInfo"]["VswitchId"] in ours), None)
        if row is None:
            place = {"VpcId": state.vpc, "VSwitchId": ours[0], "NatType": "Enhanced"}
            made = call.vpc("CreateNatGateway", Name=f"{NAMESPACE}-natgw", **place)
            row = yield from call.until_available("nat", made["NatGatewayId"])
        state.nat = row["NatGatewayId"]
        assert row["NatGatewayPrivateInfo"]["VswitchId"] in ours
        call.retag("NATGATEWAY", state.nat, tags("natgw"), tags_seen(row))

    def user_nat(self):
        if not (self.state.nat and self.call.one("nat", self.state.nat)):
            self.state.nat = user_nat(self.call, self.state.vpc)["NatGatewayId"]
        return
        yield

    def ipv6_gateway(self):
        if not self.config.dual_stack:
            return
        call, state = self.call, self.state
        row = call.one("ipv6", VpcId=state.vpc)
        if row is None:
            assert not self.config.vpc, "a user's VPC has to have its gateway"
            made = call.vpc("CreateIpv6Gateway", VpcId=state.vpc, Name=f"{NAMESPACE}-ipv6gw")
            row = yield from call.until_available("ipv6", made["Ipv6GatewayId"])
        state.ipv6 = row["Ipv6GatewayId"]
        if not self.config.vpc:
            # Tags of these are never read.
            call.retag("IPV6GATEWAY", state.ipv6, tags("ipv6gw"), {})

    def route_table(self):
        call, state = self.call, self.state
        row = self.found("table", state.table, "ROUTETABLE", tags("rt"))
        if row is None:
            made = call.vpc("CreateRouteTable", VpcId=state.vpc, RouteTableName=f"{NAMESPACE}-rt")
            row = yield from call.until_available("table", made["RouteTableId"])
        state.table = row["RouteTableId"]
        call.retag("ROUTETABLE", state.table, tags("rt"), tags_seen(row))
        yield from self.route("0.0.0.0/0", "NatGateway", state.nat, "rt-default")
        if self.config.dual_stack:
            yield from self.route("::/0", "IPv6Gateway", state.ipv6, "rt-ipv6")
        for zone in state.zones.values():
            if zone.vswitch not in place(row, "VSwitchIds.VSwitchId"):
                call.vpc("AssociateRouteTable", RouteTableId=state.table, VSwitchId=zone.vswitch)
                yield from call.until_available("vswitch", zone.vswitch)

    def route(self, destination, hop_type, hop, name):
        call, state = self.call, self.state
        scope = {"RouteTableId": state.table, "RouteEntryType": "Custom"}
        row = call.one("route", DestinationCidrBlock=destination, **scope)
        if row:
            assert row["NextHops"]["NextHop"][0]["NextHopId"] == hop
            return
        there = {"NextHopId": hop, "NextHopType": hop_type, "RouteEntryName": f"{NAMESPACE}-{name}"}
        made = call.vpc("CreateRouteEntry", RouteTableId=state.table, DestinationCidrBlock=destination, **there)
        yield from call.until_available("route", made["RouteEntryId"], **scope)

    def zones(self):
        charge = "PayByTraffic"
        if self.config.eips:
            charge = self.call.one("eip", self.config.eips[0])["InternetChargeType"]
        yield from together(*[self.zone(name, charge) for name in self.config.names])

    def zone(self, name, charge):
        """Address, association and SNAT entry of a zone."""
        zone = self.state.zones[name]
        if self.config.eips:
            id = self.config.eips[self.config.names.index(name)]
            zone.address = self.call.one("eip", id)["IpAddress"]
        else:
            yield from self.eip(zone, charge)
            id = zone.eip
        yield from self.association(id)
        yield from self.snat(zone, id)

    def eip(self, zone, charge):
        call, name = self.call, f"eip-natgw-{zone.suffix}"
        row = self.found("eip", zone.eip, "EIP", tags(name))
        if row is None:
            kind = {"Bandwidth": 100, "InstanceChargeType": "PostPaid", "InternetChargeType": charge}
            made = call.vpc("AllocateEipAddress", Name=f"{NAMESPACE}-{name}", **kind)
            row = yield from call.until_available("eip", made["AllocationId"])
        zone.eip, zone.address = row["AllocationId"], row["IpAddress"]
        if row["Bandwidth"] != "100":
            call.vpc("ModifyEipAddressAttribute", AllocationId=zone.eip, Bandwidth=100)
        call.retag("EIP", zone.eip, tags(name), tags_seen(row))

    def association(self, eip):
        row = self.call.one("eip", eip)
        if row["Status"] == "Available":
            there = {"InstanceId": self.state.nat, "InstanceType": "Nat"}
            self.call.vpc("AssociateEipAddress", AllocationId=eip, **there)
            row = yield from self.call.until(lambda row: row["Status"] == "InUse", "eip", eip)
        assert (row["Status"], row["InstanceId"]) == ("InUse", self.state.nat)

    def snat(self, zone, eip):
        call = self.call
        address = call.one("eip", eip)["IpAddress"]
        tables = call.one("nat", self.state.nat)["SnatTableIds"]["SnatTableId"]
        rows = call.rows("snat", NatGatewayId=self.state.nat)
        current = {row["SnatTableId"]: row for row in rows if row["SourceVSwitchId"] == zone.vswitch}
        for table in tables:
            if table in current:
                assert current[table]["SnatIp"] == address
                continue
            name = f"{NAMESPACE}-snat-{zone.suffix}-{table}"
            wanted = {"SnatTableId": table, "SourceVSwitchId": zone.vswitch, "SnatIp": address, "SnatEntryName": name}
            made = call.vpc("CreateSnatEntry", **wanted)
            yield from call.until_available("snat", made["SnatEntryId"], SnatTableId=table)


def wanted_rules(vpc_block):
    """The rules of nodes."""
    told = [("TCP", "30000/32767", "0.0.0.0/0")]
    told += [(protocol, ports, vpc_block) for protocol in ("TCP", "UDP") for ports in ("1/22", "24/513", "515/65535")]
    told += [("ALL", "-1/-1", POD_BLOCK)]
    both = {"Direction": "ingress", "Policy": "Accept", "Priority": "1", "DestCidrIp": ""}
    return [
        {"IpProtocol": protocol, "PortRange": ports, "SourceCidrIp": source, **both} for protocol, ports, source in told
    ]


def rule_key(rule):
    """What a rule is known by, each letter of it."""
    names = ("Direction", "Policy", "SourceCidrIp", "DestCidrIp", "PortRange", "IpProtocol", "Priority")
    return tuple(str(rule[name]) for name in names)


def revoke(call, group, rule):
    """Takes away a rule by its id."""
    action = "RevokeSecurityGroup" if rule["Direction"] == "ingress" else "RevokeSecurityGroupEgress"
    call.ecs(action, SecurityGroupId=group, SecurityGroupRuleId=[rule["SecurityGroupRuleId"]])
