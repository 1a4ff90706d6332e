//! `InfrastructureConfig` of a Shoot: resource group, virtual network, subnets, NAT gateways and identity.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a range must be readable.
const RANGE: &str = "Azure creates the network with exactly this range.";
/// How to write a range.
const CIDR: &str = "Write address and prefix length, for example `10.250.0.0/16`.";
/// Why a range must begin with its network address.
const CANONICAL: &str =
    "Azure takes a network address only; with host bits set it is unclear which range is meant.";
/// How to write a range that begins with its network address.
const NETWORK: &str = "Write the network address, for example `10.250.0.0/16` instead of `10.250.0.7/16`.";
/// Why a network has one layout.
const LAYOUT: &str = "The workers have one subnet, or one in each zone; each layout has its own fields.";
/// What an existing virtual network needs.
const EXISTING: &str = "Azure finds a virtual network by its name and its resource group.";
/// Why an existing virtual network is left as it is.
const MANAGED: &str = "Gardener does not change a virtual network that you manage.";
/// Why nodes lie inside of the virtual network.
const INSIDE: &str = "A machine has an address of the virtual network.";
/// Why pods and services lie outside of the network.
const APART: &str = "A pod or service with an address of the network could not be reached.";
/// Where pods and services may have their ranges.
const MOVE_CLUSTER: &str =
    "Choose ranges for `spec.networking.pods` and `services` outside of the virtual network.";
/// Why workers lie inside of the nodes.
const KNOWN: &str = "Routes and firewall rules of the cluster know nodes by `spec.networking.nodes` only.";
/// What the name of a resource group looks like.
const GROUP: &str = "Azure knows no resource group with another name: letters, digits, `_`, `-`, `.` and brackets, 90 characters at most, no `.` at the end.";
/// Where the name of a resource group stands.
const SHOW_GROUP: &str = "Write the name as `az group list` shows it.";
/// What the name of a public address looks like.
const ADDRESS: &str =
    "Azure knows no public address with another name: letters, digits, `_` and `-`, 80 characters at most.";
/// Where the name of a public address stands.
const SHOW_ADDRESS: &str = "Write the name as `az network public-ip list` shows it.";
/// What a service endpoint is.
const ENDPOINT: &str = "A service endpoint leads to a service of Azure, which Azure knows by this name.";
/// Where the names of services stand.
const SHOW_ENDPOINT: &str =
    "Write a name such as `Microsoft.Storage`; `az network vnet list-endpoint-services` lists them.";
/// Why a timeout has bounds.
const MINUTES: &str = "A NAT gateway of Azure keeps idle connections for 4 to 120 minutes.";
/// Which timeouts there are.
const SET_MINUTES: &str = "Set a number from 4 to 120, or leave `idleConnectionTimeoutMinutes` out to have 4.";
/// Why a gateway that is off has no settings.
const OFF: &str = "It is unclear whether you want a NAT gateway.";
/// What to do about settings of a gateway that is off.
const TURN_ON: &str = "Set `enabled: true`, or remove the other settings.";
/// Which SKUs there are.
const SKU: &str = "NAT gateways of Azure come as `Standard` and `StandardV2`.";
/// Why `StandardV2` has no zone.
const REDUNDANT: &str = "A gateway of the SKU `StandardV2` and its addresses are in all zones.";
/// Why subnets are apart.
const SUBNETS: &str = "Azure creates no two subnets that overlap.";
/// What a DDoS protection plan is known by.
const DDOS: &str = "Azure finds the plan by its resource id.";
/// Where the id of a plan stands.
const SHOW_DDOS: &str = "Write the id as `az network ddos-protection list` shows it: `/subscriptions/…/resourceGroups/…/providers/Microsoft.Network/ddosProtectionPlans/…`.";
/// Why a row judges nothing by itself.
const PART: &str = "The row says which other rules are judged.";
/// What to do about a row that judges nothing.
const FOLLOW: &str = "Follow the findings of the other rules.";

rules! {
    INF_001 = Rule::error("AZ-INF-001", SHOOT, Both)
        .summary("Zones are compared with the CloudProfile where each has a subnet.")
        .why("One subnet is in all zones of the region.")
        .fix(FOLLOW)
        .informative(PART);
    INF_002 = Rule::error("AZ-INF-002", SHOOT, Both)
        .summary("Each zone in `networks.zones` is a zone that the CloudProfile lists for the region.")
        .why("Gardener places machines only in zones that the landscape offers.")
        .fix("Choose a zone of the CloudProfile for the region of the Shoot. A zone that the Shoot has already may stay.");
    INF_010 = Rule::error("AZ-INF-010", SHOOT, Both)
        .summary("Without `spec.networking`, the network is compared with no range of the cluster.")
        .why("There is nothing to compare with.")
        .fix("Set `spec.networking`.")
        .informative(PART);
    INF_011 = Rule::error("AZ-INF-011", SHOOT, Both)
        .summary("`resourceGroup.name` is a name of a resource group.")
        .why(GROUP)
        .fix("Remove `resourceGroup`: Gardener creates one.");
    INF_012 = Rule::error("AZ-INF-012", SHOOT, Both)
        .summary("`resourceGroup` is not set.")
        .why("Gardener creates a resource group for each Shoot, and deletes it with the Shoot.")
        .fix("Remove `resourceGroup`.");
    INF_020 = Rule::error("AZ-INF-020", SHOOT, Both)
        .summary("`networks` has `workers` or `zones`.")
        .why(LAYOUT)
        .fix("Set `networks.workers` to a range, or `networks.zones` to zones with a range each.");
    INF_021 = Rule::error("AZ-INF-021", SHOOT, Both)
        .summary("`networks` has not both `workers` and `zones`.")
        .why(LAYOUT)
        .fix("Remove `networks.workers` or `networks.zones`.");
    INF_030 = Rule::error("AZ-INF-030", SHOOT, Both)
        .summary("`networks.vnet` has `name` and `resourceGroup`, or none of them.")
        .why(EXISTING)
        .fix("Set both for an existing virtual network, or remove both to have one created.");
    INF_031 = Rule::error("AZ-INF-031", SHOOT, Both)
        .summary("`vnet.ddosProtectionPlanID` is a resource id.")
        .why(DDOS)
        .fix(SHOW_DDOS);
    INF_032 = Rule::error("AZ-INF-032", SHOOT, Both)
        .summary("`vnet.ddosProtectionPlanID` names a subscription and a resource group that can exist.")
        .why(DDOS)
        .fix(SHOW_DDOS);
    INF_033 = Rule::error("AZ-INF-033", SHOOT, Both)
        .summary("`vnet.ddosProtectionPlanID` ends with the name of a plan.")
        .why(DDOS)
        .fix(SHOW_DDOS);
    INF_040 = Rule::error("AZ-INF-040", SHOOT, Both)
        .summary("`vnet.name` of an existing virtual network is not empty.")
        .why(EXISTING)
        .fix("Write the name as `az network vnet list` shows it.");
    INF_041 = Rule::error("AZ-INF-041", SHOOT, Both)
        .summary("`vnet.resourceGroup` of an existing virtual network is not empty.")
        .why(EXISTING)
        .fix(SHOW_GROUP);
    INF_042 = Rule::error("AZ-INF-042", SHOOT, Both)
        .summary("`vnet.resourceGroup` is a name of a resource group.")
        .why(GROUP)
        .fix(SHOW_GROUP);
    INF_043 = Rule::error("AZ-INF-043", SHOOT, Both)
        .summary("`vnet.name` is a name of a virtual network.")
        .why("Azure knows no virtual network with another name: 2 to 64 letters, digits, `_`, `-` and `.`.")
        .fix("Write the name as `az network vnet list` shows it.");
    INF_044 = Rule::error("AZ-INF-044", SHOOT, Both)
        .summary("An existing virtual network has no `cidr`.")
        .why(MANAGED)
        .fix("Remove `vnet.cidr`.");
    INF_045 = Rule::error("AZ-INF-045", SHOOT, Both)
        .summary("An existing virtual network is not in the resource group of the Shoot.")
        .why("Gardener deletes the resource group of the Shoot with all that is in it.")
        .fix("Use a virtual network of another resource group.");
    INF_046 = Rule::error("AZ-INF-046", SHOOT, Both)
        .summary("An existing virtual network has no `ddosProtectionPlanID`.")
        .why(MANAGED)
        .fix("Remove `vnet.ddosProtectionPlanID`, and assign the plan to your virtual network yourself.");
    INF_050 = Rule::error("AZ-INF-050", SHOOT, Both)
        .summary("With subnets in zones, `networks.vnet` has a range or names an existing virtual network.")
        .why("Without `workers`, no range of the virtual network is known.")
        .fix("Set `vnet.cidr` to a range that holds all zones.");
    INF_051 = Rule::error("AZ-INF-051", SHOOT, Both)
        .summary("`spec.networking.nodes` lies within `networks.workers` where the virtual network has no range of its own.")
        .why("The virtual network has the range of the workers then, and the nodes lie in it.")
        .fix("Set `spec.networking.nodes` to the range of `networks.workers`, or give the virtual network a `cidr`.");
    INF_052 = Rule::error("AZ-INF-052", SHOOT, Both)
        .summary("`spec.networking.pods` and `services` share no address with `networks.workers`.")
        .why(APART)
        .fix(MOVE_CLUSTER);
    INF_060 = Rule::error("AZ-INF-060", SHOOT, Both)
        .summary("`vnet.cidr` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_061 = Rule::error("AZ-INF-061", SHOOT, Both)
        .summary("`vnet.cidr` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_062 = Rule::error("AZ-INF-062", SHOOT, Both)
        .summary("`spec.networking.nodes` lies within `vnet.cidr`.")
        .why(INSIDE)
        .fix("Widen `vnet.cidr`, or move `spec.networking.nodes` into it.");
    INF_063 = Rule::error("AZ-INF-063", SHOOT, Both)
        .summary("`spec.networking.pods` and `services` share no address with `vnet.cidr`.")
        .why(APART)
        .fix(MOVE_CLUSTER);
    INF_064 = Rule::error("AZ-INF-064", SHOOT, Both)
        .summary("`networks.workers` lies within `vnet.cidr`.")
        .why("A subnet is a part of its virtual network.")
        .fix("Widen `vnet.cidr`, or move `networks.workers` into it.");
    INF_065 = Rule::error("AZ-INF-065", SHOOT, Both)
        .summary("`cidr` of each zone lies within `vnet.cidr`.")
        .why("A subnet is a part of its virtual network.")
        .fix("Widen `vnet.cidr`, or move the zone into it.");
    INF_070 = Rule::error("AZ-INF-070", SHOOT, Both)
        .summary("`networks.workers` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_071 = Rule::error("AZ-INF-071", SHOOT, Both)
        .summary("`networks.workers` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_072 = Rule::error("AZ-INF-072", SHOOT, Both)
        .summary("`networks.workers` lies within `spec.networking.nodes`.")
        .why(KNOWN)
        .fix("Move `networks.workers` into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_073 = Rule::error("AZ-INF-073", SHOOT, Both)
        .summary("Each entry of `networks.serviceEndpoints` is a name of a service.")
        .why(ENDPOINT)
        .fix(SHOW_ENDPOINT);
    INF_080 = Rule::error("AZ-INF-080", SHOOT, Both)
        .summary("A `natGateway` that is not enabled has no other settings.")
        .why(OFF)
        .fix(TURN_ON);
    INF_081 = Rule::error("AZ-INF-081", SHOOT, Both)
        .summary("`natGateway.idleConnectionTimeoutMinutes` is 4 to 120.")
        .why(MINUTES)
        .fix(SET_MINUTES);
    INF_082 = Rule::error("AZ-INF-082", SHOOT, Both)
        .summary("`natGateway.sku` is `Standard` or `StandardV2`.")
        .why(SKU)
        .fix("Set one of the two, or leave `sku` out to have `Standard`.");
    INF_083 = Rule::error("AZ-INF-083", SHOOT, Both)
        .summary("A `Standard` NAT gateway with `ipAddresses` has a `zone`.")
        .why("Azure attaches a public address only to a gateway of the same zone.")
        .fix("Set `natGateway.zone` to the zone of the addresses.");
    INF_084 = Rule::error("AZ-INF-084", SHOOT, Both)
        .summary("Each of `natGateway.ipAddresses` names its resource group.")
        .why(GROUP)
        .fix(SHOW_GROUP);
    INF_085 = Rule::error("AZ-INF-085", SHOOT, Both)
        .summary("Each of `natGateway.ipAddresses` has the name of a public address.")
        .why(ADDRESS)
        .fix(SHOW_ADDRESS);
    INF_086 = Rule::error("AZ-INF-086", SHOOT, Both)
        .summary("Each of `natGateway.ipAddresses` is in the zone of the gateway.")
        .why("Azure attaches a public address only to a gateway of the same zone.")
        .fix("Use addresses of the zone of the gateway, or set `natGateway.zone` to theirs.");
    INF_087 = Rule::error("AZ-INF-087", SHOOT, Both)
        .summary("A `StandardV2` NAT gateway has no `zone`.")
        .why(REDUNDANT)
        .fix("Remove `natGateway.zone`.");
    INF_088 = Rule::error("AZ-INF-088", SHOOT, Both)
        .summary("Public addresses of a `StandardV2` NAT gateway have no `zone`.")
        .why(REDUNDANT)
        .fix("Remove `zone` of the address, which has to be in all zones.");
    INF_090 = Rule::error("AZ-INF-090", SHOOT, Both)
        .summary("`networks.zones` goes with `zoned: true`.")
        .why("Without zones, no subnet belongs to a zone.")
        .fix("Set `zoned: true` on a new Shoot, or use `networks.workers` instead of `zones`.");
    INF_091 = Rule::error("AZ-INF-091", SHOOT, Both)
        .summary("With subnets in zones, `natGateway` stands in a zone.")
        .why("Each subnet has a NAT gateway of its own.")
        .fix("Move `networks.natGateway` into the entries of `networks.zones`.");
    INF_092 = Rule::error("AZ-INF-092", SHOOT, Both)
        .summary("With subnets in zones, `serviceEndpoints` stand in a zone.")
        .why("Each subnet has service endpoints of its own.")
        .fix("Move `networks.serviceEndpoints` into the entries of `networks.zones`.");
    INF_093 = Rule::error("AZ-INF-093", SHOOT, Both)
        .summary("Each zone stands once in `networks.zones`.")
        .why("A zone has one subnet.")
        .fix("Remove all entries of the zone but one.");
    INF_094 = Rule::error("AZ-INF-094", SHOOT, Both)
        .summary("`cidr` of each zone starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_095 = Rule::error("AZ-INF-095", SHOOT, Both)
        .summary("Each entry of a zone's `serviceEndpoints` is a name of a service.")
        .why(ENDPOINT)
        .fix(SHOW_ENDPOINT);
    INF_096 = Rule::error("AZ-INF-096", SHOOT, Both)
        .summary("A zone's `natGateway.idleConnectionTimeoutMinutes` is 4 to 120.")
        .why(MINUTES)
        .fix(SET_MINUTES);
    INF_097 = Rule::error("AZ-INF-097", SHOOT, Both)
        .summary("A zone's `natGateway` that is not enabled has no other settings.")
        .why(OFF)
        .fix(TURN_ON);
    INF_098 = Rule::error("AZ-INF-098", SHOOT, Both)
        .summary("Each of a zone's `natGateway.ipAddresses` names its resource group.")
        .why(GROUP)
        .fix(SHOW_GROUP);
    INF_099 = Rule::error("AZ-INF-099", SHOOT, Both)
        .summary("Each of a zone's `natGateway.ipAddresses` has the name of a public address.")
        .why(ADDRESS)
        .fix(SHOW_ADDRESS);
    INF_100 = Rule::error("AZ-INF-100", SHOOT, Both)
        .summary("A zone's `natGateway.sku` is one that Azure knows.")
        .why(SKU)
        .fix("Set `Standard`, or leave `sku` out.");
    INF_101 = Rule::error("AZ-INF-101", SHOOT, Both)
        .summary("A zone's `natGateway.sku` is `Standard`.")
        .why("A gateway of a zone is in that zone; one of the SKU `StandardV2` is in all zones.")
        .fix("Set `Standard`, or leave `sku` out.");
    INF_102 = Rule::error("AZ-INF-102", SHOOT, Both)
        .summary("`cidr` of each zone is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_103 = Rule::error("AZ-INF-103", SHOOT, Both)
        .summary("`cidr` of each zone lies within `spec.networking.nodes`.")
        .why(KNOWN)
        .fix("Move the zone into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_104 = Rule::error("AZ-INF-104", SHOOT, Both)
        .summary("No two zones share an address.")
        .why(SUBNETS)
        .fix("Choose a range for the zone that no other zone uses.");
    INF_105 = Rule::error("AZ-INF-105", SHOOT, Both)
        .summary("No zone shares an address with `spec.networking.pods`.")
        .why(APART)
        .fix(MOVE_CLUSTER);
    INF_106 = Rule::error("AZ-INF-106", SHOOT, Both)
        .summary("No zone shares an address with `spec.networking.services`.")
        .why(APART)
        .fix(MOVE_CLUSTER);
    INF_110 = Rule::error("AZ-INF-110", SHOOT, Both)
        .summary("`identity.resourceGroup` is a name of a resource group.")
        .why(GROUP)
        .fix(SHOW_GROUP);
    INF_111 = Rule::error("AZ-INF-111", SHOOT, Both)
        .summary("`identity.name` is a name of a user-assigned identity.")
        .why("Azure knows no identity with another name: 3 to 120 letters, digits, `_` and `-`.")
        .fix("Write the name as `az identity list` shows it.");
}
