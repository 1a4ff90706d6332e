//! The custom route table, its entries, and the VSwitches that are associated with it (`alicloud-cloud` 2.13).

use super::{Desired, Layout, ipv6, nat_gateway, vpc, vswitches};
use crate::call::Call;
use crate::plan::{Attribute, Difference, Resource, ResourceKind, recorded_value};
use crate::policy::{Condition, Probe, Step};
use crate::provider::alicloud::infrastructure::names::{IPV6_GATEWAY, NAT_GATEWAY, ROUTE_TABLE, VPC};
use crate::provider::alicloud::infrastructure::steps::{
    LONG, Parameter, ROUTE_ENTRIES, ROUTE_TABLES, Region, SHORT, Tagged, VSWITCHES, create, ids, reference,
    report, status, step, tags, text,
};
use crate::provider::alicloud::infrastructure::world::{RouteEntry, RouteTable, VSwitch};

const TABLE: ResourceKind = ResourceKind { name: "route table", billed: false, association: false };
const ENTRY: ResourceKind = ResourceKind { name: "route entry", billed: false, association: false };
const ASSOCIATION: ResourceKind =
    ResourceKind { name: "route table association", billed: false, association: true };

/// Id of the table in the plan.
pub const ID: &str = "routetable";

/// Declares all of it, where the configuration asks for it, or where it exists and the plan deletes the network. A
/// table that the configuration no longer asks for stays, and the plan reports that.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Layout { region, .. } = *layout;
    let recorded_id = recorded_value(&desired.state, ROUTE_TABLE).unwrap_or_default();
    let name = layout.names.name("rt");
    let found = layout.route_table;
    let is_configured = layout.input.has_custom_route_table();
    if found.is_none() && !is_configured && recorded_id.is_empty() {
        return;
    }
    let none = RouteTable::default();
    let seen = found.unwrap_or(&none);
    let wanted_tags = layout.names.tags(name.clone());
    let tag = tags(&wanted_tags);
    let parameters = [("VpcId", reference(VPC)), ("RouteTableName", name.as_str().into()), ("Tag", (&tag).into())];
    let look = region.vpc("DescribeRouteTableList", &[("RouteTableId", reference(ROUTE_TABLE))]);
    let ready = ROUTE_TABLES.available(look, reference(ROUTE_TABLE), SHORT);
    let id = [("RouteTableId", seen.id.as_str().into())];
    let gone = region.vpc("DescribeRouteTableList", &id);
    let mut attributes = vec![
        report("name", Some(name.clone()), &seen.name),
        status(ID, &seen.status, ready.clone()),
        region.tags(ID, (Tagged("ROUTETABLE"), &seen.id), &wanted_tags, &seen.tags),
    ];
    if !is_configured {
        attributes = vec![report("useCustomRouteTable", text("false"), "true")];
    }
    let mut resource = Resource::new(ID, &TABLE, &name);
    resource.wanted = layout.wanted && (is_configured || found.is_some());
    resource.found = found.map(|table| table.id.clone());
    resource.key = Some(ROUTE_TABLE.to_owned());
    resource.unmarked = is_configured && !layout.names.are_ours(&seen.tags);
    resource.needs = ids(&[vpc::ID]);
    resource.uses = ids(&[vpc::ID]);
    resource.attributes = attributes;
    resource.create =
        vec![create(ID, region.vpc("CreateRouteTable", &parameters), ROUTE_TABLE, "/RouteTableId").until(ready)];
    resource.delete = vec![step(ID, "delete", region.vpc("DeleteRouteTable", &id)).until(ROUTE_TABLES.gone(
        gone,
        seen.id.as_str().into(),
        SHORT,
    ))];
    desired.resources.push(resource);
    if layout.wanted && !is_configured {
        return;
    }
    entries(layout, desired, found.is_some());
    for zone in &layout.zones {
        let is_found = |vswitch: &&VSwitch| {
            found.is_some_and(|table| table.vswitches.contains(&vswitch.id) || vswitch.route_table == table.id)
        };
        let member = Member {
            id: zone.id("routetable"),
            name: layout.names.name(&format!("{}-vsw", zone.name)),
            vswitch: zone.id("vswitch"),
            key: zone.key("VSwitch"),
            found: zone.vswitch.filter(is_found).map(|vswitch| vswitch.id.as_str()),
            wanted: zone.wanted,
        };
        desired.resources.push(association(layout, seen, member));
    }
    // The plan takes out of the table every VSwitch that it deletes, and before it deletes the table all others.
    for id in &seen.vswitches {
        let is_zones = layout.zones.iter().any(|zone| zone.vswitch.is_some_and(|vswitch| vswitch.id == *id));
        let vswitch = layout.vswitch(id);
        if is_zones || (layout.wanted && vswitch.is_none()) {
            continue;
        }
        let member = Member {
            id: format!("{ID}/vswitches/{id}"),
            name: id.clone(),
            vswitch: vswitch.unwrap_or_default(),
            key: String::new(),
            found: Some(id),
            wanted: false,
        };
        desired.resources.push(association(layout, seen, member));
    }
}

/// A VSwitch that is in the table, or has to be there.
struct Member<'a> {
    /// Id of the association in the plan.
    id: String,
    /// Name of the VSwitch.
    name: String,
    /// Id of the VSwitch in the plan.
    vswitch: String,
    /// Key of the id of the VSwitch.
    key: String,
    /// Id of the VSwitch, where it is in the table.
    found: Option<&'a str>,
    /// Whether it has to be there.
    wanted: bool,
}

/// The association of a VSwitch with the table.
fn association(layout: &Layout<'_>, table: &RouteTable, member: Member<'_>) -> Resource {
    let Member { id, name, vswitch, key, found, wanted } = member;
    let region = layout.region;
    let needs = vec![ID.to_owned(), vswitch];
    let look = [("RouteTableId", reference(ROUTE_TABLE)), ("PageSize", "50".into())];
    let look = region.vpc("DescribeVSwitches", &look);
    let mut there = VSWITCHES.available(look, reference(&key), LONG);
    // The cloud may answer with other VSwitches than those of the table.
    there.success.push(Condition::Among { at: "/RouteTable/RouteTableType", among: &["Custom"] });
    let associate = [("RouteTableId", reference(ROUTE_TABLE)), ("VSwitchId", reference(&key))];
    let gone = found.unwrap_or_default();
    let unassociate = [("RouteTableId", table.id.as_str().into()), ("VSwitchId", gone.into())];
    let back = region.vpc("DescribeVSwitches", &[("VSwitchId", gone.into())]);
    let mut back = VSWITCHES.available(back, gone.into(), SHORT);
    // The VSwitch is available while it is in the table too, before the call has its effect.
    back.success.push(Condition::Among { at: "/RouteTable/RouteTableType", among: &["System"] });
    let mut resource = Resource::new(&id, &ASSOCIATION, &name);
    resource.wanted = wanted;
    resource.found = found.map(|vswitch| format!("{}:{vswitch}", table.id));
    resource.uses.clone_from(&needs);
    resource.needs = needs;
    resource.create = vec![
        step(&id, "associate", region.vpc("AssociateRouteTable", &associate))
            .holding(vswitches::MUTEX)
            .until(there),
    ];
    resource.delete = vec![
        step(&id, "unassociate", region.vpc("UnassociateRouteTable", &unassociate))
            .holding(vswitches::MUTEX)
            .until(back),
    ];
    resource
}

/// Declares the entries that lead out of the network and, where the plan deletes the table, all others.
fn entries(layout: &Layout<'_>, desired: &mut Desired<'_>, has_table: bool) {
    let nat = (NAT_GATEWAY, "NatGateway", nat_gateway::ID);
    let ipv6 = (IPV6_GATEWAY, "IPv6Gateway", ipv6::ID);
    let mut others: Vec<&RouteEntry> = layout.world.route_entries.iter().filter(|_| has_table).collect();
    for &(what, destination, hop) in &[("default", "0.0.0.0/0", nat), ("ipv6", "::/0", ipv6)] {
        let place = others.iter().position(|entry| entry.destination == destination);
        let wanted = layout.wanted && (what == "default" || layout.input.is_dual_stack());
        if !wanted && place.is_some() && layout.wanted {
            continue;
        }
        let found = place.map(|place| others.remove(place));
        if wanted || found.is_some() {
            own_entry(layout, desired, (what, destination), hop, found, wanted);
        }
    }
    if layout.wanted {
        return;
    }
    desired.resources.extend(others.into_iter().map(|entry| {
        let id = format!("{ID}/entries/{}", entry.id);
        Resource {
            found: Some(entry.id.clone()),
            uses: ids(&[ID]),
            delete: delete_entry(layout, &id, entry),
            ..Resource::new(&id, &ENTRY, &entry.destination)
        }
    }));
}

fn own_entry(
    layout: &Layout<'_>,
    desired: &mut Desired<'_>,
    (what, destination): (&str, &'static str),
    (hop_key, hop_type, hop): (&str, &'static str, &str),
    found: Option<&RouteEntry>,
    wanted: bool,
) {
    let (id, key) = (format!("{ID}/{what}"), format!("RouteEntries/{what}"));
    desired.record(&key, found.map(|entry| entry.id.as_str()));
    let none = RouteEntry::default();
    let seen = found.unwrap_or(&none);
    let name = layout.names.name(&format!("rt-{what}"));
    let parameters = [
        ("RouteTableId", reference(ROUTE_TABLE)),
        ("DestinationCidrBlock", destination.into()),
        ("NextHopId", reference(hop_key)),
        ("NextHopType", hop_type.into()),
        ("RouteEntryName", name.as_str().into()),
    ];
    let ready = || -> Probe {
        ROUTE_ENTRIES.available(list(layout.region, reference(ROUTE_TABLE)), reference(&key), SHORT)
    };
    let gateway = if hop == ipv6::ID {
        layout.world.ipv6_gateways.first().map(|gateway| gateway.id.as_str())
    } else {
        layout.nat_gateway.map(|gateway| gateway.id.as_str())
    };
    let needs = ids(&[ID, hop]);
    let mut uses = ids(&[ID]);
    uses.extend(gateway.filter(|gateway| *gateway == seen.next_hop).map(|_| hop.to_owned()));
    let mut resource = Resource::new(&id, &ENTRY, &name);
    resource.wanted = wanted;
    resource.found = found.map(|entry| entry.id.clone());
    resource.key = Some(key.clone());
    resource.needs = needs;
    resource.uses = uses;
    resource.attributes = vec![
        Attribute {
            name: "nextHop",
            wanted: gateway.map(str::to_owned),
            found: text(&seen.next_hop),
            difference: Difference::Replace,
        },
        status(&id, &seen.status, ready()),
    ];
    resource.create = vec![
        create(&id, layout.region.vpc("CreateRouteEntry", &parameters), &key, "/RouteEntryId").until(ready()),
    ];
    resource.delete = delete_entry(layout, &id, seen);
    resource.keys = vec![key];
    resource.disruption = Some("Connections to the internet break meanwhile.".to_owned());
    desired.resources.push(resource);
}

fn delete_entry(layout: &Layout<'_>, id: &str, entry: &RouteEntry) -> Vec<Step> {
    let parameters = [("RouteEntryId", entry.id.as_str().into()), ("NextHopId", entry.next_hop.as_str().into())];
    let look = list(layout.region, reference(ROUTE_TABLE));
    vec![step(id, "delete", layout.region.vpc("DeleteRouteEntry", &parameters)).until(ROUTE_ENTRIES.gone(
        look,
        entry.id.as_str().into(),
        SHORT,
    ))]
}

/// The call that lists the custom entries of a table.
fn list(region: Region<'_>, table: Parameter<'_>) -> Call {
    let parameters = [("RouteTableId", table), ("RouteEntryType", "Custom".into()), ("MaxResult", "100".into())];
    region.vpc("DescribeRouteEntryList", &parameters)
}
