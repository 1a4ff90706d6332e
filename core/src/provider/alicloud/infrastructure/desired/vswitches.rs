//! The VSwitches of the zones, and those that no zone has a place for (`alicloud-cloud` 2.4 and 2.14).

use super::{Desired, Layout, PROTECTED, Zone, vpc};
use crate::call::Call;
use crate::cidr::Cidr;
use crate::plan::{Attribute, Difference, Resource, ResourceKind};
use crate::policy::{Condition, Probe};
use crate::provider::alicloud::infrastructure::names::VPC;
use crate::provider::alicloud::infrastructure::steps::{
    LONG, Parameter, SHORT, Tagged, VSWITCHES, create, ids, reference, report, status, step, tags, text, update,
};
use crate::provider::alicloud::infrastructure::world::VSwitch;

const KIND: ResourceKind = ResourceKind { name: "VSwitch", billed: false, association: false };

/// The mutex of steps that write to VSwitches of a VPC: the cloud takes one write at a time.
pub const MUTEX: &str = "vpc";

/// Most entries of a page; a probe looks through all VSwitches of a VPC only where they fit on one.
const PAGE: usize = 50;

/// Declares them.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    for zone in &layout.zones {
        let id = zone.id("vswitch");
        let mut vswitch = found(layout, &id, zone.vswitch);
        vswitch.key = Some(zone.key("VSwitch"));
        vswitch.wanted = zone.wanted;
        vswitch.name = layout.names.name(&format!("{}-vsw", zone.name));
        if !zone.wanted {
            vswitch.keys = vec![zone.key("VSwitch"), zone.key("Suffix")];
        }
        wanted(layout, zone, &mut vswitch);
        desired.resources.push(vswitch);
    }
    for surplus in &layout.surplus {
        desired.resources.push(found(layout, &format!("vswitches/{}", surplus.id), Some(surplus)));
    }
}

/// A VSwitch as the cloud has it, with the steps that delete it.
fn found(layout: &Layout<'_>, id: &str, vswitch: Option<&VSwitch>) -> Resource {
    let mut resource = Resource::new(id, &KIND, "");
    resource.needs = ids(&[vpc::ID]);
    resource.uses.clone_from(&resource.needs);
    let Some(VSwitch { id: vswitch_id, zone, name, .. }) = vswitch else { return resource };
    let call = layout.region.vpc("DeleteVSwitch", &[("VSwitchId", vswitch_id.as_str().into())]);
    let look = look(layout, vswitch_id.as_str().into());
    resource.found = Some(vswitch_id.clone());
    resource.name.clone_from(name);
    resource.delete = vec![step(id, "delete", call).holding(MUTEX).until(VSWITCHES.gone(
        look,
        vswitch_id.as_str().into(),
        SHORT,
    ))];
    resource.disruption = Some(format!("The nodes of zone {zone} lose their network."));
    if layout.wanted && !layout.input.may_delete {
        resource.protected = Some(format!("{PROTECTED}zone: {zone}, vswitch: {vswitch_id}"));
    }
    resource
}

/// Adds to a VSwitch what its zone wants, with the steps that create it.
fn wanted(layout: &Layout<'_>, zone: &Zone<'_>, vswitch: &mut Resource) {
    let Some(config) = zone.config else { return };
    let Layout { region, input, .. } = *layout;
    let (id, key) = (zone.id("vswitch"), zone.key("VSwitch"));
    let none = VSwitch::default();
    let seen = zone.vswitch.unwrap_or(&none);
    let wanted_tags = layout.names.tags(layout.names.name(&format!("nodes-{}", zone.suffix)));
    let (tag, ipv6_block) = (tags(&wanted_tags), config.ipv6_block.to_string());
    let mut parameters = vec![
        ("VpcId", reference(VPC)),
        ("ZoneId", config.name.into()),
        ("CidrBlock", config.cidr.into()),
        ("VSwitchName", vswitch.name.as_str().into()),
        ("Tag", (&tag).into()),
    ];
    if input.is_dual_stack() {
        parameters.push(("Ipv6CidrBlock", ipv6_block.as_str().into()));
    }
    if zone.vswitch.is_none() {
        vswitch.needs.extend(in_the_way(layout, config.cidr));
    }
    vswitch.create = vec![
        create(&id, region.vpc("CreateVSwitch", &parameters), &key, "/VSwitchId")
            .holding(MUTEX)
            .until(ready(layout, &key)),
    ];
    vswitch.unmarked = !layout.names.are_ours(&seen.tags);
    vswitch.attributes = vec![
        report("name", Some(vswitch.name.clone()), &seen.name),
        Attribute {
            name: "cidr",
            wanted: text(config.cidr),
            found: text(&seen.cidr),
            difference: Difference::Replace,
        },
        status(&id, &seen.status, ready(layout, &key)),
        ipv6(layout, &id, config.ipv6_block, seen),
        region.tags(&id, (Tagged("VSWITCH"), &seen.id), &wanted_tags, &seen.tags),
    ];
}

/// Ids in the plan of VSwitches that the plan deletes and whose ranges overlap with one.
fn in_the_way(layout: &Layout<'_>, cidr: &str) -> Vec<String> {
    let zones = layout.zones.iter().filter(|zone| !zone.wanted).filter_map(|zone| zone.vswitch);
    let going = zones.chain(layout.surplus.iter().copied());
    let range = Cidr::parse(cidr);
    let overlaps = |vswitch: &&VSwitch| {
        Cidr::parse(&vswitch.cidr).zip(range).is_some_and(|(other, range)| other.overlaps(&range))
    };
    going.filter(overlaps).filter_map(|vswitch| layout.vswitch(&vswitch.id)).collect()
}

/// The IPv6 block as an attribute: the plan assigns a missing one, and leaves another one as it is.
fn ipv6(layout: &Layout<'_>, id: &str, block: i64, seen: &VSwitch) -> Attribute {
    let wanted = layout.input.is_dual_stack().then(|| format!("block {block}"));
    if let Some(network) = text(&seen.ipv6_cidr) {
        let found = network.parse().map_or(network, |network: ipnet::Ipv6Net| {
            let [_, _, _, _, _, _, _, block, ..] = network.addr().octets();
            format!("block {block}")
        });
        return report("ipv6", wanted, &found);
    }
    let vswitch = || ("VSwitchId", seen.id.as_str().into());
    let block = block.to_string();
    let parameters = [vswitch(), ("Ipv6CidrBlock", block.as_str().into())];
    let look = layout.region.vpc("DescribeVSwitches", &[vswitch()]);
    let mut probe = VSWITCHES.available(look, seen.id.as_str().into(), LONG);
    probe.success.push(Condition::Present { present: "/Ipv6CidrBlock" });
    let assign = step(id, "assign-ipv6", layout.region.vpc("ModifyVSwitchAttribute", &parameters))
        .holding(MUTEX)
        .until(probe);
    update("ipv6", wanted, "", vec![assign])
}

/// A probe that waits until a VSwitch is available.
fn ready(layout: &Layout<'_>, key: &str) -> Probe {
    VSWITCHES.available(look(layout, reference(key)), reference(key), LONG)
}

/// The call that looks at a VSwitch; where the VPC has few, at all of them, so that probes share one call.
fn look(layout: &Layout<'_>, id: Parameter<'_>) -> Call {
    let is_few = layout.world.vswitches.len() + layout.zones.len() <= PAGE;
    let filter = if is_few { ("VpcId", reference(VPC)) } else { ("VSwitchId", id) };
    layout.region.vpc("DescribeVSwitches", &[filter, ("PageSize", "50".into())])
}
