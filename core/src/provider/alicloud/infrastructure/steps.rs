//! Builders of calls, steps and probes.

use super::world::Tags;
use crate::call::{Argument, Call};
use crate::collections::NameMap;
use crate::collections::sorted;
use crate::plan::{Attribute, Difference};
use crate::policy::{Condition, Item, Probe, Step};

/// Parameters of a call.
pub type Parameters = Vec<(&'static str, Argument)>;

/// Most seconds that are waited for a VPC, an address, a route table or something to go (`alicloud-cloud` 2.2, 2.14).
pub const SHORT: u32 = 90;
/// Most seconds that are waited for all else.
pub const LONG: u32 = 300;
/// Longest time between two looks, in seconds.
const INTERVAL: u32 = 5;

/// Makes calls in one region.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a>(pub &'a str);

impl Region<'_> {
    /// A call.
    pub fn call(self, service: &'static str, action: &'static str, parameters: Parameters) -> Call {
        let mut parameters: NameMap<'static, Argument> = parameters.into_iter().collect();
        parameters.insert("RegionId", self.0.into());
        Call { service, action, parameters, ..Call::default() }
    }

    /// A call to the API of networks.
    pub fn vpc(self, action: &'static str, parameters: Parameters) -> Call {
        self.call("vpc", action, parameters)
    }

    /// A call to the API of servers, which security groups and images belong to.
    pub fn ecs(self, action: &'static str, parameters: Parameters) -> Call {
        self.call("ecs", action, parameters)
    }

    /// What must hold of the tags of a resource that is there: wanted tags are set, all others go, but for those that the
    /// cloud keeps for itself.
    pub fn tags(self, resource: &str, (kind, id): (Tagged, &str), wanted: &Tags, found: &Tags) -> Attribute {
        let mut found = found.clone();
        found.retain(|(key, _)| !key.starts_with("acs:") && !key.starts_with("aliyun"));
        let (service, untag) =
            if kind.0 == "securitygroup" { ("ecs", "UntagResources") } else { ("vpc", "UnTagResources") };
        let missing: Tags = wanted.iter().filter(|tag| !found.contains(tag)).cloned().collect();
        let foreign = found.iter().filter(|(key, _)| wanted.iter().all(|(known, _)| known != key));
        let foreign: Vec<Argument> = foreign.map(|(key, _)| key.as_str().into()).collect();
        let resources = || vec![("ResourceType", kind.0.into()), ("ResourceId", Argument::List(vec![id.into()]))];
        let mut steps = Vec::new();
        if !missing.is_empty() {
            let mut parameters: Parameters = resources();
            parameters.push(("Tag", tags(&missing)));
            steps.push(step(resource, "tag", self.call(service, "TagResources", parameters)));
        }
        if !foreign.is_empty() {
            let mut parameters: Parameters = resources();
            parameters.push(("TagKey", Argument::List(foreign)));
            steps.push(step(resource, "untag", self.call(service, untag, parameters)));
        }
        let (wanted, found) = (tag_text(wanted), tag_text(&found));
        Attribute { name: "tags", wanted, found, difference: Difference::Update(steps, None) }
    }
}

/// A kind of resource, as the APIs of tags call it.
#[derive(Clone, Copy, Debug)]
pub struct Tagged(pub &'static str);

/// Tags in one line, sorted; `None` without any.
pub fn tag_text(tags: &Tags) -> Option<String> {
    let tags: Vec<String> = sorted(tags.iter().map(|(key, value)| format!("{key}={value}")).collect());
    text(&tags.join(", "))
}

/// Tags as a parameter.
pub fn tags(tags: &Tags) -> Argument {
    let tag = |(key, value): &(String, String)| {
        Argument::Object(NameMap::from([("Key", key.as_str().into()), ("Value", value.as_str().into())]))
    };
    Argument::List(tags.iter().map(tag).collect())
}

/// What the state has under a key.
pub fn reference(key: impl Into<String>) -> Argument {
    Argument::Reference { key: key.into() }
}

/// A text that is not empty.
pub fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A step: what is done to which resource, and the call that does it.
pub fn step(resource: &str, verb: &str, call: Call) -> Step {
    Step { id: format!("{resource}/{verb}"), call, ..Step::default() }
}

/// A step that makes something, whose id is at a pointer of the response and recorded under a key.
pub fn create(resource: &str, call: Call, key: &str, pointer: &'static str) -> Step {
    let call = Call { token: Some(String::new()), ..call };
    Step { record: [(key.to_owned(), pointer)].into_iter().collect(), ..step(resource, "create", call) }
}

/// Lists of responses, and the member that tells their items apart.
#[derive(Clone, Copy, Debug)]
pub struct Listing(&'static str, &'static str);

/// VPCs in a response.
pub const VPCS: Listing = Listing("/Vpcs/Vpc", "VpcId");
/// VSwitches in a response.
pub const VSWITCHES: Listing = Listing("/VSwitches/VSwitch", "VSwitchId");
/// NAT gateways in a response.
pub const NAT_GATEWAYS: Listing = Listing("/NatGateways/NatGateway", "NatGatewayId");
/// Elastic IPs in a response.
pub const EIPS: Listing = Listing("/EipAddresses/EipAddress", "AllocationId");
/// SNAT entries in a response.
pub const SNAT_ENTRIES: Listing = Listing("/SnatTableEntries/SnatTableEntry", "SnatEntryId");
/// Security groups in a response.
pub const SECURITY_GROUPS: Listing = Listing("/SecurityGroups/SecurityGroup", "SecurityGroupId");
/// Route tables in a response.
pub const ROUTE_TABLES: Listing = Listing("/RouterTableList/RouterTableListType", "RouteTableId");
/// Route entries in a response.
pub const ROUTE_ENTRIES: Listing = Listing("/RouteEntrys/RouteEntry", "RouteEntryId");
/// IPv6 gateways in a response.
pub const IPV6_GATEWAYS: Listing = Listing("/Ipv6Gateways/Ipv6Gateway", "Ipv6GatewayId");
/// Network load balancers in a response.
pub const LOAD_BALANCERS: Listing = Listing("/LoadBalancers", "LoadBalancerId");
/// Images in a response.
pub const IMAGES: Listing = Listing("/Images/Image", "ImageId");

impl Listing {
    /// Waits until an item is available.
    pub fn available(self, call: Call, id: Argument, limit: u32) -> Probe {
        self.probe(call, id, Condition::Among { at: "/Status", among: &["Available"] }, limit)
    }

    /// Waits until an item is gone.
    pub fn gone(self, call: Call, id: Argument, limit: u32) -> Probe {
        self.probe(call, id, Condition::Gone { gone: true }, limit)
    }

    /// Waits until something holds of an item.
    pub fn probe(self, call: Call, id: Argument, success: Condition, limit: u32) -> Probe {
        Probe {
            call,
            item: Some(Item { list: self.0, key: self.1, value: id }),
            success: vec![success],
            failure: Vec::new(),
            record: crate::collections::Entries::new(),
            interval: INTERVAL,
            limit,
        }
    }
}

/// A difference that is told and left as it is.
pub fn report(name: &'static str, wanted: Option<String>, found: &str) -> Attribute {
    Attribute { name, wanted, found: text(found), difference: Difference::Report }
}

/// A difference that steps mend.
pub fn update(name: &'static str, wanted: Option<String>, found: &str, steps: Vec<Step>) -> Attribute {
    Attribute { name, wanted, found: text(found), difference: Difference::Update(steps, None) }
}

/// That something found has to be available before it is used: what was interrupted while it waited waits again.
pub fn status(resource: &str, found: &str, probe: Probe) -> Attribute {
    let call = probe.call.clone();
    let wait = Step { until: Some(probe), ..step(resource, "wait", call) };
    update("status", Some("Available".to_owned()), found, vec![wait])
}
