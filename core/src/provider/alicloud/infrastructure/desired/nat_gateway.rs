//! The NAT gateway: a managed one, or the one that the person brings (`alicloud-cloud` 2.6).

use super::{Desired, Layout, role, vpc};
use crate::plan::{Attribute, Difference, Resource, ResourceKind};
use crate::policy::Probe;
use crate::provider::alicloud::infrastructure::names::{NAT_GATEWAY, SNAT_TABLE, VPC};
use crate::provider::alicloud::infrastructure::steps::{
    LONG, NAT_GATEWAYS, Region, Tagged, create, ids, reference, report, status, step, tags, text,
};
use crate::provider::alicloud::infrastructure::world::NatGateway;

const KIND: ResourceKind = ResourceKind { name: "NAT gateway", billed: true, association: false };

/// Its id in the plan.
pub const ID: &str = "natgateway";

/// The mutex of steps that write to a NAT gateway: the cloud takes one write at a time.
pub const MUTEX: &str = "nat";

/// Declares it.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Layout { region, .. } = *layout;
    let found = layout.nat_gateway;
    desired.record(SNAT_TABLE, found.and_then(|gateway| gateway.snat_tables.first()).map(String::as_str));
    if !layout.wanted && !layout.input.has_managed_nat_gateway() {
        desired.state.remove(SNAT_TABLE);
    }
    let name = layout.names.name("natgw");
    let mut resource = Resource::new(ID, &KIND, &name);
    resource.wanted = layout.wanted;
    resource.found = found.map(|gateway| gateway.id.clone());
    resource.key = Some(NAT_GATEWAY.to_owned());
    resource.foreign = !layout.input.has_managed_nat_gateway();
    resource.needs = ids(&[vpc::ID, role::ID]);
    resource.uses = ids(&[vpc::ID]);

    if let Some(other) =
        found.filter(|found| !resource.foreign && !layout.is_ours(&found.tags, &found.name, &resource.name))
    {
        resource.foreign = true;
        desired.report_not_ours(layout, "NAT gateway", &other.id);
    }
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
    let none = NatGateway::default();
    let seen = found.unwrap_or(&none);
    let host = layout.zones.iter().find(|zone| zone.vswitch.is_some_and(|vswitch| vswitch.id == seen.vswitch));
    resource.unmarked = !layout.names.are_ours(&seen.tags);
    resource.uses.extend(layout.vswitch(&seen.vswitch));
    resource.keys = vec![SNAT_TABLE.to_owned()];
    resource.disruption = Some("No node reaches the internet meanwhile; connections break.".to_owned());
    let wanted_tags = layout.names.tags(resource.name.clone());
    let tag = tags(&wanted_tags);
    if let Some(first) = layout.zones.first() {
        // The gateway needs the VSwitch that it is in, as long as that one stays; otherwise the first one.
        resource.needs.push(host.filter(|host| host.stays()).unwrap_or(first).id("vswitch"));
        let vswitch_key = first.key("VSwitch");
        let parameters = [
            ("Name", resource.name.as_str().into()),
            ("VpcId", reference(VPC)),
            ("VSwitchId", reference(&vswitch_key)),
            ("NatType", "Enhanced".into()),
            ("Tag", (&tag).into()),
        ];
        let mut step = create(ID, region.vpc("CreateNatGateway", &parameters), NAT_GATEWAY, "/NatGatewayId")
            .holding(MUTEX)
            .until(ready(region));
        step.record.insert(SNAT_TABLE, "/SnatTableIds/SnatTableId/0");
        resource.create = vec![step];
        resource.attributes = vec![
            report("name", Some(resource.name.clone()), &seen.name),
            // Any VSwitch will do for the gateway, as long as that VSwitch stays.
            match host {
                Some(host) => Attribute {
                    name: "zone",
                    wanted: Some(if host.wanted { host.name.clone() } else { first.name.clone() }),
                    found: Some(host.name.clone()),
                    difference: Difference::Replace,
                },
                None => Attribute {
                    name: "zone",
                    // Where the cloud does not show the VSwitch, nothing is wrong with it.
                    wanted: (found.is_none() || !seen.vswitch.is_empty()).then(|| first.name.clone()),
                    found: text(&seen.vswitch),
                    difference: if layout.vswitch(&seen.vswitch).is_some() {
                        Difference::Replace
                    } else {
                        Difference::Refuse(format!(
                            "the natgateway should be deleted: {} stands in {}, which is no VSwitch of the Shoot",
                            seen.id, seen.vswitch
                        ))
                    },
                },
            },
            status(ID, &seen.status, ready(region)),
            region.tags(ID, (Tagged("NATGATEWAY"), &seen.id), &wanted_tags, &seen.tags),
        ];
    }
    let id = || seen.id.as_str().into();
    let look = region.vpc("DescribeNatGateways", &[("NatGatewayId", id())]);
    let delete = region.vpc("DeleteNatGateway", &[("NatGatewayId", id()), ("Force", "true".into())]);
    resource.delete = vec![step(ID, "delete", delete).holding(MUTEX).until(NAT_GATEWAYS.gone(look, id(), LONG))];
    desired.resources.push(resource);
}

/// A probe that waits until the gateway is available.
fn ready(region: Region<'_>) -> Probe {
    let look = region.vpc("DescribeNatGateways", &[("NatGatewayId", reference(NAT_GATEWAY))]);
    NAT_GATEWAYS.available(look, reference(NAT_GATEWAY), LONG)
}
