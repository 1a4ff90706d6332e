//! Builders of calls, attributes and probes, as far as Alibaba Cloud has ways of its own.

use crate::call::{Argument, Call};
use crate::collections::NameMap;
use crate::gardener::planning::Tags;
use crate::gardener::planning::steps;
pub use crate::gardener::planning::steps::{
    Listing, Parameter, Parameters, create, ids, reference, report, step, tag_text, text, update,
};
use crate::plan::{Attribute, Difference};
use crate::policy::{Condition, Probe};
pub use crate::provider::alicloud::queries::{IMAGES, Region, VSWITCHES};

/// Most seconds that a run waits for a VPC, an address, a route table, or for something to be gone
/// (`alicloud-cloud` 2.2, 2.14).
pub const SHORT: u32 = 90;
/// Most seconds that a run waits for anything else.
pub const LONG: u32 = 300;

/// The status of a resource that others may use.
const AVAILABLE: &str = "Available";

impl Region<'_> {
    /// A call to the API of networks.
    pub fn vpc(self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        self.call("vpc", action, parameters)
    }

    /// A call to the API of servers, which security groups and images belong to.
    pub fn ecs(self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        self.call("ecs", action, parameters)
    }

    /// The tags of a resource as an attribute: a plan sets the wanted ones, and removes all others but those that
    /// the cloud keeps for itself.
    pub fn tags(self, resource: &str, (kind, id): (Tagged, &str), wanted: &Tags, found: &Tags) -> Attribute {
        let (mut found, mut steps) = (found.clone(), Vec::new());
        found.retain(|(key, _)| !key.starts_with("acs:") && !key.starts_with("aliyun"));
        let (service, untag) =
            if kind.0 == "securitygroup" { ("ecs", "UntagResources") } else { ("vpc", "UnTagResources") };
        let missing: Tags = wanted.iter().filter(|tag| !found.contains(tag)).cloned().collect();
        let foreign = found.iter().filter(|(key, _)| wanted.iter().all(|(known, _)| known != key));
        let foreign: Vec<Argument> = foreign.map(|(key, _)| key.as_str().into()).collect();
        let resource_ids = Argument::List(vec![id.into()]);
        let mut set = |verb, action, name, change: &Argument| {
            let ids = (&resource_ids).into();
            let parameters = [("ResourceType", kind.0.into()), ("ResourceId", ids), (name, change.into())];
            steps.push(step(resource, verb, self.call(service, action, &parameters)));
        };
        if !missing.is_empty() {
            set("tag", "TagResources", "Tag", &tags(&missing));
        }
        if !foreign.is_empty() {
            set("untag", untag, "TagKey", &Argument::List(foreign));
        }
        let (wanted, found) = (tag_text(wanted), tag_text(&found));
        Attribute { name: "tags", wanted, found, difference: Difference::Update(steps, None) }
    }
}

/// A kind of resource, as the APIs of tags call it.
#[derive(Clone, Copy, Debug)]
pub struct Tagged(pub &'static str);

/// Tags as a parameter.
pub fn tags(tags: &Tags) -> Argument {
    let tag = |(key, value): &(String, String)| {
        Argument::Object(NameMap::from([("Key", key.as_str().into()), ("Value", value.as_str().into())]))
    };
    Argument::List(tags.iter().map(tag).collect())
}

/// VPCs in a response.
pub const VPCS: Listing = Listing { list: "/Vpcs/Vpc", key: "VpcId" };
/// NAT gateways in a response.
pub const NAT_GATEWAYS: Listing = Listing { list: "/NatGateways/NatGateway", key: "NatGatewayId" };
/// Elastic IPs in a response.
pub const EIPS: Listing = Listing { list: "/EipAddresses/EipAddress", key: "AllocationId" };
/// SNAT entries in a response.
pub const SNAT_ENTRIES: Listing = Listing { list: "/SnatTableEntries/SnatTableEntry", key: "SnatEntryId" };
/// Security groups in a response.
pub const SECURITY_GROUPS: Listing = Listing { list: "/SecurityGroups/SecurityGroup", key: "SecurityGroupId" };
/// Route tables in a response.
pub const ROUTE_TABLES: Listing = Listing { list: "/RouterTableList/RouterTableListType", key: "RouteTableId" };
/// Route entries in a response.
pub const ROUTE_ENTRIES: Listing = Listing { list: "/RouteEntrys/RouteEntry", key: "RouteEntryId" };
/// IPv6 gateways in a response.
pub const IPV6_GATEWAYS: Listing = Listing { list: "/Ipv6Gateways/Ipv6Gateway", key: "Ipv6GatewayId" };
/// Network load balancers in a response.
pub const LOAD_BALANCERS: Listing = Listing { list: "/LoadBalancers", key: "LoadBalancerId" };

impl Listing {
    /// A probe that waits until the item with an id is available.
    pub fn available(self, call: Call, id: Parameter<'_>, limit: u32) -> Probe {
        self.probe(call, id, Condition::Among { at: "/Status", among: &[AVAILABLE] }, limit)
    }
}

/// The status as an attribute: a resource must be available before others use it.
pub fn status(resource: &str, found: &str, probe: Probe) -> Attribute {
    steps::status(resource, AVAILABLE, found, probe)
}
