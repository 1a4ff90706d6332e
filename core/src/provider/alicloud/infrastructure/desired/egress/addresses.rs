//! The elastic IPs of zones, and their associations with the NAT gateway.

use crate::call::Call;
use crate::plan::{Resource, ResourceKind, recorded_value};
use crate::policy::{Condition, State, Step};
use crate::provider::alicloud::infrastructure::desired::{Desired, Layout, PROTECTED, Zone, nat_gateway};
use crate::provider::alicloud::infrastructure::names::NAT_GATEWAY;
use crate::provider::alicloud::infrastructure::places;
use crate::provider::alicloud::infrastructure::steps::{
    EIPS, LONG, Parameter, Region, SHORT, Tagged, create, ids, reference, report, step, tags, text, update,
};
use crate::provider::alicloud::infrastructure::world::Eip;
use crate::provider::alicloud::rules::infrastructure_plan as rules;

/// The kind of elastic IPs that are managed.
pub const EIP: ResourceKind = ResourceKind { name: "elastic IP", billed: true, association: false };
const OWN_EIP: ResourceKind = ResourceKind { name: "elastic IP", billed: false, association: false };
const ASSOCIATION: ResourceKind =
    ResourceKind { name: "elastic IP association", billed: false, association: true };

/// Bandwidth of a managed elastic IP, in Mbit/s.
const BANDWIDTH: &str = "100";

/// Declares the elastic IPs of a zone: the managed one, the one that the person brings, and the one that the zone
/// had before.
pub fn declare(layout: &Layout<'_>, zone: &Zone<'_>, desired: &mut Desired<'_>) {
    report_use_elsewhere(layout, zone, desired);
    eip(layout, zone, desired);
    own_eip(layout, zone, desired);
    if let Some(id) = &zone.former_eip {
        let mut association = association(layout, (&zone.id("former-eip"), id), id, true);
        association.keys = vec![zone.key("FormerElasticIP")];
        desired.resources.push(association);
    } else {
        desired.state.remove(&zone.key("FormerElasticIP"));
    }
}

/// Adds a finding about an elastic IP that serves something else: one that the zone needs, or a managed one that
/// the plan would release.
fn report_use_elsewhere(layout: &Layout<'_>, zone: &Zone<'_>, desired: &mut Desired<'_>) {
    let index = zone.config.map(|config| config.index);
    let own = zone.own_eip_id().filter(|_| zone.wanted);
    let (needed, part) = match own {
        Some(_) => (zone.own_eip, Some(["natGateway", "eipAllocationID"])),
        None => (zone.eip.filter(|_| zone.wanted), None),
    };
    let is_elsewhere = |eip: &&Eip| serves_others(layout, &desired.state, eip);
    let going = zone.eip.filter(|_| !zone.wanted || own.is_some()).filter(is_elsewhere);
    if let Some(eip) = needed.filter(is_elsewhere) {
        let detail = format!("elastic IP {} is in use by {}", eip.id, eip.instance);
        places::zone(&mut desired.findings, &rules::PLAN_004, index, part, detail);
    }
    if let Some(Eip { id, instance, instance_type, .. }) = going {
        let detail = format!("elastic IP {id} would be released, and is in use by {instance} ({instance_type})");
        places::zone(&mut desired.findings, &rules::PLAN_020, index, None, detail);
    }
}

/// Whether an elastic IP serves something else than the Shoot's NAT gateway. Where it is associated with a NAT
/// gateway of the Shoot that the plan or somebody has deleted, it will be free.
fn serves_others(layout: &Layout<'_>, state: &State, eip: &Eip) -> bool {
    let last = format!("Last/{}", nat_gateway::ID);
    let is_ours =
        [NAT_GATEWAY, last.as_str()].iter().any(|key| recorded_value(state, key) == Some(eip.instance.as_str()));
    matches!(eip.status.as_str(), "InUse" | "Associating") && !is_ours && !layout.is_associated(eip)
}

/// The managed elastic IP and its association.
fn eip(layout: &Layout<'_>, zone: &Zone<'_>, desired: &mut Desired<'_>) {
    let Layout { region, .. } = *layout;
    let id = zone.id("eip");
    let (key, address_key) = (zone.key("NATGatewayElasticIP"), zone.key("NATGatewayElasticIPAddress"));
    let wanted = zone.wanted && zone.own_eip_id().is_none();
    let name = layout.names.name(&format!("eip-natgw-{}", zone.suffix));
    let none = Eip::default();
    let seen = zone.eip.unwrap_or(&none);
    let charge_type = charge_type(layout);
    let wanted_tags = layout.names.tags(name.clone());
    let tag = tags(&wanted_tags);
    let allocate = [
        ("Name", name.as_str().into()),
        ("Bandwidth", BANDWIDTH.into()),
        ("InstanceChargeType", "PostPaid".into()),
        ("InternetChargeType", charge_type.into()),
        ("Tag", (&tag).into()),
    ];
    let shoots = tags(&vec![(layout.names.cluster_tag(), "1".to_owned())]);
    let look = region.vpc("DescribeEipAddresses", &[("Tag", (&shoots).into()), ("PageSize", "100".into())]);
    // Another host that creates the same network may have associated it already.
    let there = Condition::Among { at: "/Status", among: &["Available", "Associating", "InUse"] };
    let mut allocate = create(&id, region.vpc("AllocateEipAddress", &allocate), &key, "/AllocationId")
        .until(EIPS.probe(look, reference(&key), there, LONG));
    allocate.record.insert(address_key.clone(), "/EipAddress");
    let bandwidth = [("AllocationId", seen.id.as_str().into()), ("Bandwidth", BANDWIDTH.into())];
    let bandwidth = step(&id, "change-bandwidth", region.vpc("ModifyEipAddressAttribute", &bandwidth));
    let release = region.vpc("ReleaseEipAddress", &[("AllocationId", seen.id.as_str().into())]);
    let mut keys = Vec::new();
    if !zone.wanted {
        keys.extend([key.clone(), address_key.clone()]);
    }
    if let Some(eip) = zone.eip.filter(|_| zone.own_eip_id().is_none()) {
        desired.record(&address_key, Some(eip.address.as_str()));
    }
    let mut resource = Resource::new(&id, &EIP, &name);
    resource.wanted = wanted;
    resource.found = zone.eip.map(|eip| eip.id.clone());
    resource.key = Some(key);
    resource.unmarked = !layout.names.are_ours(&seen.tags);
    resource.attributes = vec![
        report("name", Some(name.clone()), &seen.name),
        update("bandwidth", text(BANDWIDTH), &seen.bandwidth, vec![bandwidth]),
        report("chargeType", text(charge_type), &seen.charge_type),
        region.tags(&id, (Tagged("EIP"), &seen.id), &wanted_tags, &seen.tags),
    ];
    resource.create = vec![allocate];
    resource.delete = vec![step(&id, "release", release)];
    resource.keys = keys;
    resource.protected =
        (layout.wanted && zone.config.is_none() && zone.vswitch.is_none() && !layout.input.may_delete)
            .then(|| format!("{PROTECTED}zone: {}, elastic IP: {}", zone.name, seen.id));
    resource.disruption = Some(format!(
        "The account gives up the egress address {} for good; inform the people who let it in.",
        seen.address
    ));
    desired.resources.push(resource);

    let found = zone.eip.filter(|eip| layout.is_associated(eip));
    if wanted || found.is_some() {
        let mut association = association(layout, (&id, &name), &seen.id, found.is_some());
        association.wanted = wanted;
        association.create = associate(layout, &association.id, reference(&zone.key("NATGatewayElasticIP")));
        association.needs.push(id.clone());
        association.uses.push(id);
        desired.resources.push(association);
    }
}

/// The elastic IP that the person brings, and its association.
fn own_eip(layout: &Layout<'_>, zone: &Zone<'_>, desired: &mut Desired<'_>) {
    let Some(allocation) = zone.own_eip_id() else { return };
    let id = zone.id("own-eip");
    let name = zone.own_eip.and_then(|eip| text(&eip.name)).unwrap_or_else(|| allocation.to_owned());
    if zone.wanted {
        let key = zone.key("NATGatewayElasticIPAddress");
        desired.record(&key, zone.own_eip.map(|eip| eip.address.as_str()));
    }
    let mut resource = Resource::new(&id, &OWN_EIP, &name);
    resource.wanted = zone.wanted;
    resource.found = zone.own_eip.map(|eip| eip.id.clone());
    resource.foreign = true;
    desired.resources.push(resource);
    let found = zone.own_eip.filter(|eip| layout.is_associated(eip));
    let mut association = association(layout, (&id, &name), allocation, found.is_some());
    // Where others use it too, the association stays.
    association.foreign = found.is_some_and(|eip| layout.is_shared(&eip.address));
    association.wanted = zone.wanted;
    association.create = associate(layout, &association.id, allocation.into());
    association.needs.push(id.clone());
    association.uses.push(id);
    desired.resources.push(association);
}

/// An association of an elastic IP with the NAT gateway as the cloud has it, with the steps that delete it.
fn association(layout: &Layout<'_>, (eip, name): (&str, &str), allocation: &str, found: bool) -> Resource {
    let id = format!("{eip}/association");
    let gateway = layout.nat_gateway.map(|gateway| gateway.id.as_str()).unwrap_or_default();
    let parameters =
        [("AllocationId", allocation.into()), ("InstanceId", gateway.into()), ("InstanceType", "Nat".into())];
    let call = layout.region.vpc("UnassociateEipAddress", &parameters);
    let look = associated(layout.region, gateway.into());
    let mut resource = Resource::new(&id, &ASSOCIATION, name);
    resource.found = found.then(|| format!("{allocation}:{gateway}"));
    resource.needs = ids(&[nat_gateway::ID]);
    resource.uses = ids(&[nat_gateway::ID]);
    resource.within = layout.input.has_managed_nat_gateway().then(|| nat_gateway::ID.to_owned());
    resource.delete = vec![step(&id, "unassociate", call).holding(nat_gateway::MUTEX).until(EIPS.gone(
        look,
        allocation.into(),
        SHORT,
    ))];
    resource
}

fn associate(layout: &Layout<'_>, id: &str, allocation: Parameter<'_>) -> Vec<Step> {
    let parameters =
        [("AllocationId", allocation), ("InstanceId", reference(NAT_GATEWAY)), ("InstanceType", "Nat".into())];
    let look = associated(layout.region, reference(NAT_GATEWAY));
    let in_use = Condition::Among { at: "/Status", among: &["InUse"] };
    vec![
        step(id, "associate", layout.region.vpc("AssociateEipAddress", &parameters))
            .holding(nat_gateway::MUTEX)
            .until(EIPS.probe(look, allocation, in_use, LONG)),
    ]
}

/// The call that lists the elastic IPs of a NAT gateway.
fn associated(region: Region<'_>, gateway: Parameter<'_>) -> Call {
    let parameters =
        [("AssociatedInstanceType", "Nat".into()), ("AssociatedInstanceId", gateway), ("PageSize", "100".into())];
    region.vpc("DescribeEipAddresses", &parameters)
}

/// How the account pays for managed elastic IPs: as for the first one that the person brings, where there is one.
fn charge_type<'a>(layout: &'a Layout<'_>) -> &'a str {
    let own = layout.zones.iter().filter(|zone| zone.config.is_some()).find_map(Zone::own_eip_id);
    let own = own.and_then(|id| layout.world.eips.iter().find(|eip| eip.id == id));
    own.map(|eip| eip.charge_type.as_str()).filter(|kind| !kind.is_empty()).unwrap_or("PayByTraffic")
}
