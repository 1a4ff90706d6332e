"""What tests need to begin with: made, and settled."""

ZONE = "cn-shanghai-b"
OTHER_ZONE = "cn-shanghai-g"
TRUST = '{"Version":"1","Statement":[{"Action":"sts:AssumeRole","Effect":"Allow","Principal":{"RAM":["*"]}}]}'


class Make:
    """Makes resources and waits until they are there."""

    def __init__(self, cloud):
        self.cloud = cloud

    def settled(self, answer):
        self.cloud.step()
        return answer

    def vpc(self, **more):
        return self.settled(self.cloud.vpc("CreateVpc", **{"CidrBlock": "10.0.0.0/8", **more}))["VpcId"]

    def vswitch(self, vpc, block="10.250.0.0/24", **more):
        more = {"ZoneId": ZONE, "VpcId": vpc, "CidrBlock": block, **more}
        return self.settled(self.cloud.vpc("CreateVSwitch", **more))["VSwitchId"]

    def network(self):
        """A VPC with a VSwitch."""
        vpc = self.vpc()
        return vpc, self.vswitch(vpc)

    def nat(self, vpc, vswitch, **more):
        """A NAT gateway and its SNAT table."""
        more = {"VpcId": vpc, "VSwitchId": vswitch, "NatType": "Enhanced", **more}
        made = self.settled(self.cloud.vpc("CreateNatGateway", **more))
        return made["NatGatewayId"], made["SnatTableIds"]["SnatTableId"][0]

    def eip(self, nat=None, **more):
        """An elastic address, bound where a NAT gateway is given: its id and its address."""
        made = self.settled(self.cloud.vpc("AllocateEipAddress", **{"InternetChargeType": "PayByTraffic", **more}))
        if nat:
            self.bind(made["AllocationId"], nat)
        return made["AllocationId"], made["EipAddress"]

    def bind(self, eip, nat):
        self.settled(self.cloud.vpc("AssociateEipAddress", AllocationId=eip, InstanceId=nat, InstanceType="Nat"))

    def gateway(self):
        """A NAT gateway with an address in a network: VPC, VSwitch, gateway, SNAT table, address."""
        vpc, vswitch = self.network()
        nat, table = self.nat(vpc, vswitch)
        eip, address = self.eip(nat)
        return {"vpc": vpc, "vswitch": vswitch, "nat": nat, "table": table, "eip": eip, "address": address}

    def snat(self, table, address, **more):
        more = {"SnatTableId": table, "SnatIp": address, **more}
        return self.settled(self.cloud.vpc("CreateSnatEntry", **more))["SnatEntryId"]

    def route_table(self, vpc, **more):
        return self.settled(self.cloud.vpc("CreateRouteTable", VpcId=vpc, **more))["RouteTableId"]

    def route(self, table, nat, destination="192.168.0.0/24", **more):
        more = {"RouteTableId": table, "DestinationCidrBlock": destination, "NextHopId": nat, **more}
        return self.settled(self.cloud.vpc("CreateRouteEntry", NextHopType="NatGateway", **more))["RouteEntryId"]

    def ipv6_gateway(self, vpc, **more):
        return self.settled(self.cloud.vpc("CreateIpv6Gateway", VpcId=vpc, **more))["Ipv6GatewayId"]

    def security_group(self, vpc, **more):
        return self.settled(self.cloud.ecs("CreateSecurityGroup", VpcId=vpc, **more))["SecurityGroupId"]

    def image(self):
        """A system image."""
        images = self.cloud.ecs("DescribeImages", ImageOwnerAlias="system", Architecture="x86_64")
        return images["Images"]["Image"][0]["ImageId"]

    def instance_type(self):
        """A type of instances for that image."""
        types = self.cloud.ecs("DescribeInstanceTypes")["InstanceTypes"]["InstanceType"]
        return next(kind["InstanceTypeId"] for kind in types if kind["CpuArchitecture"] == "X86")

    def instance(self, vswitch, group, **more):
        more = {"ImageId": self.image(), "InstanceType": self.instance_type(), **more}
        more = {"VSwitchId": vswitch, "SecurityGroupId": group, **more}
        made = self.settled(self.cloud.ecs("RunInstances", **more))
        return made["InstanceIdSets"]["InstanceIdSet"][0]

    def role(self, name="backup", **more):
        made = self.cloud.ram("CreateRole", RoleName=name, AssumeRolePolicyDocument=TRUST, **more)
        return made["Role"]["Arn"]

    def domain(self, name="example.com"):
        self.cloud.alidns("AddDomain", DomainName=name)
        return name
