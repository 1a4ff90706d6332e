//! The SNAT entries of the VSwitches of zones.

use crate::call::{Argument, Call};
use crate::plan::{Attribute, Difference, Resource, ResourceKind};
use crate::policy::Probe;
use crate::provider::alicloud::infrastructure::desired::{Desired, Layout, Zone, nat_gateway};
use crate::provider::alicloud::infrastructure::names::SNAT_TABLE;
use crate::provider::alicloud::infrastructure::steps::{
    LONG, Parameter, SHORT, SNAT_ENTRIES, create, ids, reference, report, status, step, text,
};
use crate::provider::alicloud::infrastructure::world::SnatEntry;

const SNAT_ENTRY: ResourceKind = ResourceKind { name: "SNAT entry", billed: false, association: false };

/// Most entries of a page of SNAT entries; a probe looks through all entries of a gateway only where they fit on
/// one.
const PAGE: usize = 50;

/// Declares the SNAT entry of a zone's VSwitch in each table of the NAT gateway. The plan deletes further entries
/// of the VSwitch.
pub fn declare(layout: &Layout<'_>, zone: &Zone<'_>, desired: &mut Desired<'_>) {
    let tables: Vec<Option<&str>> = match layout.nat_gateway {
        Some(gateway) if !gateway.snat_tables.is_empty() => {
            gateway.snat_tables.iter().map(|table| Some(table.as_str())).collect()
        }
        _ => vec![None],
    };
    let mut entries: Vec<&SnatEntry> = layout.snat_entries(zone.vswitch).collect();
    for (index, table) in tables.into_iter().enumerate() {
        let place = entries.iter().position(|entry| table == Some(entry.table.as_str()));
        let found = place.map(|place| entries.remove(place));
        table_entry(layout, zone, (index, table), found, desired);
    }
    desired.resources.extend(entries.into_iter().map(|entry| surplus(layout, entry)));
}

fn table_entry(
    layout: &Layout<'_>,
    zone: &Zone<'_>,
    (index, table): (usize, Option<&str>),
    found: Option<&SnatEntry>,
    desired: &mut Desired<'_>,
) {
    let Layout { region, .. } = *layout;
    let more = table.filter(|_| index > 0).map(|table| format!("/{table}")).unwrap_or_default();
    let (id, key) = (zone.id("snat") + &more, zone.key("SnatEntry") + &more);
    let name = layout.names.name(&format!("snat-{}-", zone.suffix));
    desired.record(&key, found.map(|entry| entry.id.as_str()));
    // The first table may belong to a NAT gateway that the plan creates.
    let table_id = || match table.filter(|_| index > 0) {
        Some(table) => table.into(),
        None => reference(SNAT_TABLE),
    };
    let own = zone.own_eip_id();
    let eip = if own.is_some() { zone.own_eip } else { zone.eip };
    let wanted_association = format!("{}/association", zone.id(if own.is_some() { "own-eip" } else { "eip" }));
    let address_key = zone.key("NATGatewayElasticIPAddress");

    let vswitch_key = zone.key("VSwitch");
    let entry_name = Argument::Concat { concat: vec![name.as_str().into(), table_id().argument()] };
    let parameters = [
        ("SnatTableId", table_id()),
        ("SourceVSwitchId", reference(&vswitch_key)),
        ("SnatIp", reference(&address_key)),
        ("SnatEntryName", (&entry_name).into()),
    ];
    let creation = create(&id, region.vpc("CreateSnatEntry", &parameters), &key, "/SnatEntryId")
        .holding(nat_gateway::MUTEX)
        .until(ready(layout, table_id(), &key));
    let mut resource = match found {
        Some(entry) => found_snat_entry(layout, &id, entry),
        None => Resource::new(&id, &SNAT_ENTRY, ""),
    };
    let none = SnatEntry::default();
    let seen = found.unwrap_or(&none);
    let wanted_address = eip.map_or_else(
        || format!("(address of {})", layout.names.name(&format!("eip-natgw-{}", zone.suffix))),
        |eip| eip.address.clone(),
    );
    let modify = [
        ("SnatTableId", seen.table.as_str().into()),
        ("SnatEntryId", seen.id.as_str().into()),
        ("SnatIp", reference(&address_key)),
    ];
    let look = [
        ("SnatTableId", seen.table.as_str().into()),
        ("SnatEntryId", seen.id.as_str().into()),
        ("SnatIp", reference(&address_key)),
    ];
    let look = region.vpc("DescribeSnatTableEntries", &look);
    let mut modify = step(&id, "change-address", region.vpc("ModifySnatEntry", &modify))
        .holding(nat_gateway::MUTEX)
        .until(SNAT_ENTRIES.available(look, seen.id.as_str().into(), LONG));
    // The state has to remember the elastic IP that the person brought: nothing else shows it later.
    if let Some(former) = &zone.former_eip {
        let remember = (zone.key("FormerElasticIP"), Some(former.clone()));
        for step in resource.delete.iter_mut().chain([&mut modify]) {
            step.remember.extend([remember.clone()]);
        }
    }
    let disruption = format!(
        "Connections from zone {} break; its egress address changes from {} to {wanted_address}.",
        zone.name,
        seen.addresses.join(", ")
    );
    resource.name = match table {
        Some(table) => name.clone() + table,
        None => name.trim_end_matches('-').to_owned(),
    };
    resource.key = Some(key.clone());
    resource.wanted = zone.wanted;
    resource.needs = vec![nat_gateway::ID.to_owned(), zone.id("vswitch"), wanted_association];
    resource.attributes = vec![
        report("name", table.map(|table| name + table), &seen.name),
        Attribute {
            name: "address",
            wanted: Some(wanted_address),
            found: text(&seen.addresses.join(", ")),
            difference: Difference::Update(vec![modify], Some(disruption)),
        },
        status(&id, &seen.status, ready(layout, table_id(), &key)),
    ];
    if !zone.wanted {
        resource.keys = vec![key];
    }
    resource.create = vec![creation];
    desired.resources.push(resource);
}

pub fn surplus(layout: &Layout<'_>, entry: &SnatEntry) -> Resource {
    found_snat_entry(layout, &format!("snatentries/{}", entry.id), entry)
}

/// A SNAT entry as the cloud has it, with the steps that delete it.
fn found_snat_entry(layout: &Layout<'_>, id: &str, entry: &SnatEntry) -> Resource {
    let parameters = [("SnatTableId", entry.table.as_str().into()), ("SnatEntryId", entry.id.as_str().into())];
    let call = layout.region.vpc("DeleteSnatEntry", &parameters);
    let look = entries(layout, entry.table.as_str().into(), entry.id.as_str().into());
    let zone = layout.zones.iter().find(|zone| zone.vswitch.is_some_and(|vswitch| vswitch.id == entry.vswitch));
    let mut uses = ids(&[nat_gateway::ID]);
    uses.extend(layout.vswitch(&entry.vswitch));
    for zone in &layout.zones {
        let eips = [("eip", zone.eip), ("own-eip", zone.own_eip)];
        let through = eips.iter().filter(|(_, eip)| eip.is_some_and(|eip| entry.leads_through(&eip.address)));
        uses.extend(through.map(|(what, _)| format!("{}/association", zone.id(what))));
        // The elastic IP that the configuration named before.
        let former = layout.address(zone.former_eip.as_deref());
        if former.is_some_and(|former| entry.leads_through(former)) {
            uses.push(zone.id("former-eip/association"));
        }
    }
    let mut resource = Resource::new(id, &SNAT_ENTRY, &entry.name);
    resource.found = Some(entry.id.clone());
    resource.uses = uses;
    resource.within = layout.input.has_managed_nat_gateway().then(|| nat_gateway::ID.to_owned());
    resource.delete = vec![step(id, "delete", call).holding(nat_gateway::MUTEX).until(SNAT_ENTRIES.gone(
        look,
        entry.id.as_str().into(),
        SHORT,
    ))];
    resource.disruption =
        zone.map(|zone| format!("No node of zone {} reaches the internet meanwhile.", zone.name));
    resource
}

/// A probe that waits until a SNAT entry is available.
fn ready(layout: &Layout<'_>, table: Parameter<'_>, key: &str) -> Probe {
    SNAT_ENTRIES.available(entries(layout, table, reference(key)), reference(key), LONG)
}

/// The call that looks at a SNAT entry; where the gateway has few, at all of them, so that probes share one call.
fn entries(layout: &Layout<'_>, table: Parameter<'_>, id: Parameter<'_>) -> Call {
    let mut parameters = vec![("SnatTableId", table), ("PageSize", "50".into())];
    if layout.world.snat_entries.len() + layout.zones.len() > PAGE {
        parameters.push(("SnatEntryId", id));
    }
    layout.region.vpc("DescribeSnatTableEntries", &parameters)
}
