"""A bastion: an instance with a security group of its own."""

import base64
import hashlib

from extension.world import NAMESPACE
from kinds import place

NAME = "cli-1a2b"
HASH = hashlib.sha256(f"{NAMESPACE}-{NAME}".encode()).hexdigest()[:5]
INSTANCE = f"{NAMESPACE}-{NAME}"[:33] + f"-bastion-{HASH}"
GROUP = f"{INSTANCE}-sg"
SSH = {"IpProtocol": "TCP", "PortRange": "22/22"}


class NotRunning(Exception):
    """The instance is not there yet; the run ends, another follows."""


class Bastion:
    """Runs over an infrastructure that is there."""

    def __init__(self, call, state, image, sources):
        self.call = call
        self.state = state
        self.image = image
        self.sources = sources
        self.zone, self.place = next(iter(state.zones.items()))

    def validate(self):
        assert self.call.vpc("DescribeVpcs", VpcId=self.state.vpc)["TotalCount"] == 1
        assert self.call.vpc("DescribeVSwitches", VSwitchId=self.place.vswitch)["TotalCount"] == 1
        assert self.call.ecs("DescribeImages", ImageId=self.image)["TotalCount"] == 1
        assert self.groups(SecurityGroupId=self.state.group)

    def groups(self, **filters):
        return place(self.call.ecs("DescribeSecurityGroups", **filters), "SecurityGroups.SecurityGroup")

    def instance(self):
        """The instance, if it is there."""
        rows = place(self.call.ecs("DescribeInstances", InstanceName=INSTANCE), "Instances.Instance")
        return next(iter(rows), None)

    def running(self):
        row = self.instance()
        if row["Status"] != "Running":
            raise NotRunning
        return row

    def reconcile(self):
        """The public address of a bastion that runs."""
        call = self.call
        self.validate()
        kind = self.instance_type()
        group = next(iter(self.groups(SecurityGroupName=GROUP)), None)
        if group is None:
            group = call.ecs("CreateSecurityGroup", VpcId=self.state.vpc, SecurityGroupName=GROUP)
        group = group["SecurityGroupId"]
        if row := self.instance():
            id = row["InstanceId"]
        else:
            there = {"ZoneId": self.zone, "VSwitchId": self.place.vswitch, "SecurityGroupId": group}
            wanted = {"ImageId": self.image, "InstanceType": kind, "InternetMaxBandwidthOut": 5}
            script = base64.b64encode(b"#!/bin/bash\n").decode()
            made = call.ecs("RunInstances", InstanceName=INSTANCE, UserData=script, **there, **wanted)
            (id,) = made["InstanceIdSets"]["InstanceIdSet"]
        self.running()
        self.rules(group)
        address = call.ecs("AllocatePublicIpAddress", InstanceId=id)["IpAddress"]
        assert self.running()["VpcAttributes"]["PrivateIpAddress"]["IpAddress"]
        return address

    def instance_type(self):
        """The first type offered, of one core or of two, if it fits the image."""
        image = place(self.call.ecs("DescribeImages", ImageId=self.image), "Images.Image")[0]
        architecture = {"x86_64": "X86", "arm64": "ARM"}[image["Architecture"]]
        types = place(self.call.ecs("DescribeInstanceTypes"), "InstanceTypes.InstanceType")
        known = {row["InstanceTypeId"]: row["CpuArchitecture"] for row in types}
        for cores in (1, 2):
            wanted = {"InstanceChargeType": "PostPaid", "NetworkCategory": "vpc", "Cores": cores}
            wanted = {"DestinationResource": "InstanceType", "ZoneId": self.zone, **wanted}
            zones = place(self.call.ecs("DescribeAvailableResource", **wanted), "AvailableZones.AvailableZone")
            for zone in zones[:1]:
                offered = place(zone, "AvailableResources.AvailableResource")[0]
                first = place(offered, "SupportedResources.SupportedResource")[0]
                if first["Status"] == "Available" and known.get(first["Value"]) == architecture:
                    return first["Value"]
        return next(id for id, kind in known.items() if kind == architecture)

    def rules(self, group):
        """Brings the rules of both directions about; new ones come before old ones go."""
        ingress = [{**SSH, "SourceCidrIp": source, "Description": "SSH access for Bastion"} for source in self.sources]
        surplus = self.missing("AuthorizeSecurityGroup", group, "ingress", ingress)
        for rule in surplus:
            names = ("IpProtocol", "PortRange", "SourceCidrIp", "Ipv6SourceCidrIp")
            self.call.ecs("RevokeSecurityGroup", SecurityGroupId=group, **{name: rule[name] for name in names})
        own = self.instance()["VpcAttributes"]["PrivateIpAddress"]["IpAddress"][0]
        workers = {"SourceCidrIp": own, "DestGroupId": self.state.group}
        deny = {"IpProtocol": "TCP", "PortRange": "1/65535", "Priority": 100, "DestCidrIp": "0.0.0.0/0"}
        egress = [
            {**SSH, **workers, "Description": "Allow Bastion egress to Shoot workers"},
            {**deny, "Description": "Bastion egress deny"},
        ]
        for rule in self.missing("AuthorizeSecurityGroupEgress", group, "egress", egress):
            names = ("IpProtocol", "PortRange")
            self.call.ecs("RevokeSecurityGroupEgress", SecurityGroupId=group, **{name: rule[name] for name in names})

    def missing(self, action, group, direction, wanted):
        """Adds the rules that are missing; those that are there and not wanted."""
        page = self.call.ecs("DescribeSecurityGroupAttribute", SecurityGroupId=group, Direction=direction)
        current = place(page, "Permissions.Permission")
        names = ("Description", "IpProtocol", "PortRange", "SourceCidrIp")

        def key(rule):
            return tuple(rule.get(name, "") for name in names)

        for rule in wanted:
            if key(rule) not in map(key, current):
                self.call.ecs(action, SecurityGroupId=group, **rule)
        return [rule for rule in current if key(rule) not in map(key, wanted)]

    def delete(self):
        """The instance goes first; what is attached to it keeps the group for a while."""
        if row := self.instance():
            self.call.ecs("DeleteInstance", InstanceId=row["InstanceId"], Force=True)
        self.call.simulator.step(10)
        for row in self.groups(SecurityGroupName=GROUP):
            self.call.ecs("DeleteSecurityGroup", SecurityGroupId=row["SecurityGroupId"])
