//! Changes of a Shoot's network.

use crate::report::Operation::Update;
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a network stays as it is.
const RECREATE: &str = "Azure cannot change this of a network that machines use.";
/// What to do about a change that is refused.
const KEEP: &str = "Keep the old value, or create a new Shoot.";
/// Why pools that are updated in place hold a setting.
const IN_PLACE: &str = "A pool that is updated in place keeps its machines, and a machine keeps the identity and the subnet that it was created with.";
/// Why one subnet becomes the subnet of a zone.
const MIGRATION: &str = "The machines of the one subnet stay in it, until it belongs to a zone.";
/// Why a NAT gateway keeps its SKU.
const GATEWAY: &str = "Azure would replace the gateway, and connections to the internet would break.";
/// How to have another SKU.
const KEEP_SKU: &str = "Keep the old `sku`.";

rules! {
    INFU_001 = Rule::error("AZ-INFU-001", SHOOT, Update)
        .summary("`resourceGroup` does not change.")
        .why("Azure cannot move the resources of a cluster.")
        .fix(KEEP);
    INFU_002 = Rule::error("AZ-INFU-002", SHOOT, Update)
        .summary("`networks.workers` does not change.")
        .why(RECREATE)
        .fix(KEEP);
    INFU_003 = Rule::error("AZ-INFU-003", SHOOT, Update)
        .summary("With a pool that is updated in place, `identity` does not change.")
        .why(IN_PLACE)
        .fix("Keep `identity` as it was, or remove the pool first.");
    INFU_004 = Rule::error("AZ-INFU-004", SHOOT, Update)
        .summary("With a pool that is updated in place, `networks.zones` does not change.")
        .why(IN_PLACE)
        .fix("Keep `networks.zones` as it was, or remove the pool first.");
    INFU_005 = Rule::error("AZ-INFU-005", SHOOT, Update)
        .summary("No zone is removed from `networks.zones`.")
        .why("Machines and volumes may still be in the zone.")
        .fix("Keep all zones of the old Shoot.");
    INFU_006 = Rule::error("AZ-INFU-006", SHOOT, Update)
        .summary("`cidr` of a zone does not change.")
        .why(RECREATE)
        .fix(KEEP);
    INFU_007 = Rule::error("AZ-INFU-007", SHOOT, Update)
        .summary("Subnets in zones do not become one subnet.")
        .why("Azure cannot join the subnets that machines are in.")
        .fix("Keep `networks.zones`.");
    INFU_008 = Rule::error("AZ-INFU-008", SHOOT, Update)
        .summary("Where one subnet becomes one a zone, a zone takes over the range of `networks.workers`.")
        .why(MIGRATION)
        .fix("Give one of the zones the range that `networks.workers` had.");
    INFU_009 = Rule::error("AZ-INFU-009", SHOOT, Update)
        .summary("One subnet keeps its range.")
        .why(RECREATE)
        .fix(KEEP);
    INFU_010 = Rule::error("AZ-INFU-010", SHOOT, Update)
        .summary("`zoned` does not change.")
        .why("Machines cannot move into a zone, or out of one.")
        .fix(KEEP);
    INFU_011 = Rule::error("AZ-INFU-011", SHOOT, Update)
        .summary("`name` and `resourceGroup` of the virtual network do not change.")
        .why("Azure cannot move machines into another virtual network.")
        .fix(KEEP);
    INFU_012 = Rule::error("AZ-INFU-012", SHOOT, Update)
        .summary("A virtual network with a `cidr` keeps one.")
        .why("Without it, the virtual network would get another range.")
        .fix("Write the `cidr` that the old Shoot has.");
    INFU_013 = Rule::error("AZ-INFU-013", SHOOT, Update)
        .summary("`vnet.cidr` may only grow.")
        .why("Machines have addresses of the old range.")
        .fix("Write the old range, or one that holds it.");
    INFU_014 = Rule::error("AZ-INFU-014", SHOOT, Update)
        .summary("`natGateway.sku` does not change.")
        .why(GATEWAY)
        .fix(KEEP_SKU);
    INFU_015 = Rule::error("AZ-INFU-015", SHOOT, Update)
        .summary("A zone's `natGateway.sku` does not change.")
        .why(GATEWAY)
        .fix(KEEP_SKU);
}
