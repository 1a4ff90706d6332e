"""The checks before each run."""

from extension.world import NAMESPACE
from kinds import place


def validate(call, config, creating):
    """Asks all that there is to ask about the user's own resources."""
    if config.vpc:
        assert call.one("vpc", config.vpc)
        if not config.managed_nat:
            user_nat(call, config.vpc)
        if config.dual_stack:
            assert call.one("vpc", config.vpc)["Ipv6CidrBlock"]
            assert call.one("ipv6", VpcId=config.vpc)
        if creating:
            own = [row for row in call.rows("vswitch", VpcId=config.vpc) if row["VSwitchName"].startswith(NAMESPACE)]
            assert not own
    if config.manages_nat:
        zones = call.vpc("ListEnhanhcedNatGatewayAvailableZones")["Zones"]
        assert config.names[0] in [zone["ZoneId"] for zone in zones]
    for eip in config.eips:
        assert call.one("eip", eip)


def user_nat(call, vpc):
    """The one NAT gateway of the user in a VPC, which no cluster has tagged."""
    gateways = call.rows("nat", VpcId=vpc)
    ids = [row["NatGatewayId"] for row in gateways]
    page = call.vpc("ListTagResources", ResourceType="NATGATEWAY", ResourceId=ids)
    clusters = {
        row["ResourceId"]
        for row in place(page, "TagResources.TagResource")
        if row["TagKey"].startswith("kubernetes.io/cluster/")
    }
    (gateway,) = [row for row in gateways if row["NatGatewayId"] not in clusters]
    return gateway


def service_linked_role(call):
    """Sees to the role of NAT gateways."""
    name = {"RoleName": "AliyunServiceRoleForNatgw"}
    try:
        role = call.resourcemanager("GetRole", **name)
    except call.Error as error:
        if error.get_error_code() != "EntityNotExist.Role":
            raise
        call.resourcemanager("CreateServiceLinkedRole", ServiceName="nat.aliyuncs.com", RegionId=call.region)
    else:
        assert role["Role"]["IsServiceLinkedRole"]
