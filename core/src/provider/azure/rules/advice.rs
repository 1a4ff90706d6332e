//! Advice on Shoots, beyond what rejects: what has no effect, disrupts, or is refused by Azure later.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// How to take a change that replaces nodes.
const PLAN: &str =
    "Keep the old value, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption budgets.";

rules! {
    ADV_001 = Rule::warning("AZ-ADV-001", SHOOT, Both)
        .summary("The subnet of the workers has an address for every node that the pools may have.")
        .why("Every node takes an address, and Azure reserves five in each subnet; the pools stop short of `maximum`.")
        .fix("Choose a larger range on a new Shoot, or lower `maximum`.");
    ADV_002 = Rule::warning("AZ-ADV-002", SHOOT, Both)
        .summary("A subnet is a `/29` or larger.")
        .why("Azure creates no smaller subnets.")
        .fix("Write a shorter prefix, for example `/19`.");
    ADV_003 = Rule::warning("AZ-ADV-003", SHOOT, Both)
        .summary("Nodes of several zones do not depend on a NAT gateway in one zone.")
        .why("When that zone fails, the nodes of the other zones do not reach the internet.")
        .fix("Give each zone a subnet with a NAT gateway in `networks.zones`, or set `sku: StandardV2` on a new Shoot.");
    ADV_004 = Rule::warning("AZ-ADV-004", SHOOT, Update)
        .summary("The NAT gateway keeps its zone and its addresses.")
        .why("Connections break, and outgoing traffic has another source address.")
        .fix("Keep the old value, or change it in a quiet hour after adapting allowlists that hold the old address.");
    ADV_006 = Rule::warning("AZ-ADV-006", SHOOT, Both)
        .summary("A Shoot for production sets no feature gates of the cloud controller manager.")
        .why("Alpha features or disabled stable ones can make the cluster unstable.")
        .fix("Remove `cloudControllerManager.featureGates`, or try them on a Shoot of another `purpose`.");
    ADV_007 = Rule::warning("AZ-ADV-007", SHOOT, Both)
        .summary("`spec.kubernetes.version` is a text, not a number.")
        .why("YAML reads `1.30` as the number 1.3, which is another version.")
        .fix("Put the version into quotes, for example `\"1.30.4\"`.");
    ADV_008 = Rule::warning("AZ-ADV-008", SHOOT, Both)
        .summary("`diagnosticsProfile.storageURI` goes with `enabled: true`.")
        .why("Azure keeps no diagnostics where the profile is not enabled.")
        .fix("Set `enabled: true`, or remove `storageURI`.");
    ADV_009 = Rule::warning("AZ-ADV-009", SHOOT, Both)
        .summary("An entry of `dataVolumes` has an `imageRef`.")
        .why("The entry says nothing else about a data volume.")
        .fix("Set `imageRef`, or remove the entry.");
    ADV_011 = Rule::warning("AZ-ADV-011", SHOOT, Update)
        .summary("The `providerConfig` of a worker pool stays as it is.")
        .why("Machines get it when Azure creates them, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_012 = Rule::warning("AZ-ADV-012", SHOOT, Update)
        .summary("Machine type, image and volumes of a worker pool stay as they are.")
        .why("They come with the machine, so all nodes of the pool are replaced.")
        .fix(PLAN);
    ADV_013 = Rule::warning("AZ-ADV-013", SHOOT, Both)
        .summary("`nodeTemplate.capacity` has `cpu`, `gpu` and `memory`.")
        .why("The cluster-autoscaler takes what is left out as 0 when it starts nodes from zero.")
        .fix("Add the missing resources, as the nodes have them.");
    ADV_014 = Rule::warning("AZ-ADV-014", SHOOT, Update)
        .summary("One subnet stays one subnet.")
        .why("Nodes move into the subnets of their zones by being replaced.")
        .fix(PLAN);
    ADV_015 = Rule::warning("AZ-ADV-015", SHOOT, Update)
        .summary("`identity` stays as it is.")
        .why("Machines get the identity when Azure creates them, so all nodes are replaced.")
        .fix(PLAN);
}
