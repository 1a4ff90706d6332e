//! The IPv6 gateway of a dual-stack network (`alicloud-cloud` 2.13).

use super::{Desired, Layout, vpc};
use crate::plan::{Resource, ResourceKind, is_pending, recorded_value};
use crate::policy::Probe;
use crate::provider::alicloud::infrastructure::names::{IPV6_GATEWAY, VPC};
use crate::provider::alicloud::infrastructure::steps::{
    IPV6_GATEWAYS, LONG, Region, Tagged, create, ids, reference, report, status, step, tags, text,
};
use crate::provider::alicloud::infrastructure::world::Ipv6Gateway;

const KIND: ResourceKind = ResourceKind { name: "IPv6 gateway", billed: false, association: false };

/// Its id in the plan.
pub const ID: &str = "ipv6gateway";

/// Declares it. A VPC has one IPv6 gateway at most, so that the one of a managed VPC is ours.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Layout { region, .. } = *layout;
    let recorded_id = recorded_value(&desired.state, IPV6_GATEWAY).unwrap_or_default();
    let gateways = &layout.world.ipv6_gateways;
    let found = gateways.iter().find(|gateway| gateway.id == recorded_id).or_else(|| gateways.first());
    let wanted = layout.wanted && layout.input.is_dual_stack();
    let is_known = !recorded_id.is_empty() || is_pending(&desired.state, ID);
    if !layout.input.is_dual_stack() && (!is_known || !layout.has_managed_vpc()) {
        return;
    }
    let name = layout.names.name("ipv6gw");
    let mut resource = Resource::new(ID, &KIND, &name);
    // The gateway stays as long as the network does, also where the configuration no longer asks for IPv6.
    resource.wanted = wanted || (layout.wanted && found.is_some());
    resource.found = found.map(|gateway| gateway.id.clone());
    resource.key = Some(IPV6_GATEWAY.to_owned());
    resource.foreign = !layout.has_managed_vpc();
    resource.needs = ids(&[vpc::ID]);
    resource.uses = ids(&[vpc::ID]);

    if resource.foreign {
        if !layout.wanted && found.is_none() {
            // The record of the person's gateway stays.
            return;
        }
        resource.name =
            found.and_then(|gateway| text(&gateway.name)).or_else(|| resource.found.clone()).unwrap_or_default();
        desired.resources.push(resource);
        return;
    }
    let none = Ipv6Gateway::default();
    let seen = found.unwrap_or(&none);
    let wanted_tags = layout.names.tags(resource.name.clone());
    let tag = tags(&wanted_tags);
    let parameters = [("VpcId", reference(VPC)), ("Name", resource.name.as_str().into()), ("Tag", (&tag).into())];
    resource.unmarked = !layout.names.are_ours(&seen.tags);
    resource.create = vec![
        create(ID, region.vpc("CreateIpv6Gateway", &parameters), IPV6_GATEWAY, "/Ipv6GatewayId")
            .until(ready(region)),
    ];
    resource.attributes = vec![
        report("name", Some(resource.name.clone()), &seen.name),
        status(ID, &seen.status, ready(region)),
        region.tags(ID, (Tagged("IPV6GATEWAY"), &seen.id), &wanted_tags, &seen.tags),
    ];
    let id = [("Ipv6GatewayId", seen.id.as_str().into())];
    let look = region.vpc("DescribeIpv6Gateways", &id);
    resource.delete = vec![step(ID, "delete", region.vpc("DeleteIpv6Gateway", &id)).until(IPV6_GATEWAYS.gone(
        look,
        seen.id.as_str().into(),
        LONG,
    ))];
    resource.disruption = Some("No node is reached, or reaches others, by IPv6.".to_owned());
    desired.resources.push(resource);
}

/// A probe that waits until the gateway is available.
fn ready(region: Region<'_>) -> Probe {
    let look = region.vpc("DescribeIpv6Gateways", &[("Ipv6GatewayId", reference(IPV6_GATEWAY))]);
    IPV6_GATEWAYS.available(look, reference(IPV6_GATEWAY), LONG)
}
