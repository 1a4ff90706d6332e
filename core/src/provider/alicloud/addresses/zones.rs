//! Zones to add: the next free range for each.

use super::blocks::FIELD;
use super::network::Network;
use super::place::{Prefixes, impossible};
use crate::call::Known;
use crate::cidr::{Cidr, Room};
use crate::collections::NameMap;
use crate::document::decode::Mode;
use crate::document::{PatchOperation, Value};
use crate::gardener::addresses::Range;
use crate::gardener::provider_config::Config as _;
use crate::gardener::shoot::{INFRASTRUCTURE_POINTER, infrastructure_config};
use crate::gardener::types::cloud_profile::zone_names;
use crate::policy::{AddedZones, AddressRole, NewZone, Request, RequestError};
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::rules::shoot as rules;
use crate::provider::alicloud::validate::NETWORKS;
use crate::provider::alicloud::vswitches::VSwitches;
use crate::report::Undecided;

/// Chooses a range for each zone, in their order: the first free block of its size.
pub fn zones(request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
    let Network { shoot, config, place, ipv4, mut blocks, vswitches, .. } = Network::read(request)?;
    let config = config.ok_or_else(|| no_config(request.object))?;
    // A misspelt field may be the one that has the zones.
    let strict =
        infrastructure_config(request.object).map(|written| InfrastructureConfig::read(written, Mode::Strict));
    if let Some(Err(error)) = strict {
        let pointer = format!("{INFRASTRUCTURE_POINTER}{}", error.pointer());
        return Err(impossible(
            format!("`spec.provider.infrastructureConfig` cannot be read: {error}"),
            Some(pointer),
        ));
    }
    let (place, mut room) = (place?, ipv4.room());
    let listed = NETWORKS.key("zones");
    let mut names: NameMap<'_, usize> = NameMap::new();
    for (index, zone) in config.networks.zones.iter().enumerate() {
        names.or_insert_with(zone.name, || index);
    }
    let profile = request.context("cloudProfile");
    let offered: Vec<&str> =
        profile.map(|profile| zone_names(profile, shoot.spec.region).collect()).unwrap_or_default();
    let mut prefixes = Prefixes::of(&place, &config);
    let (mut zones, mut entries) = (Vec::new(), Vec::new());
    for (index, zone) in (config.networks.zones.len()..).zip(add) {
        let path = listed.index(index);
        check_name(zone.name, &names, config.networks.zones.len())?;
        check_region(zone.name, shoot.spec.region, &offered)?;
        names.insert(zone.name, index);
        let cidr = take(zone, &mut prefixes, &mut room, &place)?;
        let mut entry = vec![
            ("name".into(), Value::string(zone.name)),
            ("workers".into(), Value::string(cidr.network().to_string())),
        ];
        if let Some(blocks) = &mut blocks {
            let (block, is_written) = blocks.take(index).ok_or_else(no_block)?;
            if is_written {
                entry.push((FIELD.into(), Value::Number(block.to_string().into())));
            }
        }
        entries.push(Value::Object(entry));
        let pointer = Some(path.key("workers").pointer());
        let range = Range { role: AddressRole::Zone, name: Some(zone.name), pointer, is_of_status: false, cidr };
        zones.push(range.describe());
    }
    let patch = patch(request.object, entries);
    let vpc = config.networks.vpc.id.unwrap_or_default();
    let undecided = vswitches.and_then(|vswitches| undecided(vswitches, vpc)).into_iter().collect();
    Ok(AddedZones { zones, patch, undecided })
}

fn no_config(object: &Value<'_>) -> RequestError {
    let message = match infrastructure_config(object) {
        None => "there is no `spec.provider.infrastructureConfig` to add zones to; add one with `networks.vpc`",
        Some(_) => "`spec.provider.infrastructureConfig` cannot be read; `validate` says how to mend it",
    };
    impossible(message.to_owned(), Some(INFRASTRUCTURE_POINTER.to_owned()))
}

fn no_block() -> RequestError {
    impossible("none of the 256 IPv6 blocks of the VPC is free".to_owned(), None)
}

/// Refuses a zone without name, and a name that another zone has. Zones with an index from `listed` on are to be added.
fn check_name(name: &str, names: &NameMap<'_, usize>, listed: usize) -> Result<(), RequestError> {
    match names.get(name) {
        _ if name.is_empty() => {
            Err(impossible("a zone to add has an empty `name`; name a zone of the region".to_owned(), None))
        }
        Some(index) if *index < listed => Err(impossible(
            format!("the zone `{name}` is listed already; name another zone of the region"),
            Some(NETWORKS.key("zones").index(*index).key("name").pointer()),
        )),
        Some(_) => Err(impossible(format!("the zone `{name}` is to be added twice; name it once"), None)),
        None => Ok(()),
    }
}

/// Refuses a zone that the profile does not offer in the region. Without zones in the profile, any name will do.
fn check_region(name: &str, region: &str, offered: &[&str]) -> Result<(), RequestError> {
    if offered.is_empty() || offered.contains(&name) {
        return Ok(());
    }
    let offered = offered.join("`, `");
    let message =
        format!("the CloudProfile has no zone `{name}` in the region `{region}`; choose one of `{offered}`");
    Err(impossible(message, Some("/spec/region".to_owned())))
}

/// Takes the range for a zone.
fn take(zone: &NewZone<'_>, prefixes: &mut Prefixes, room: &mut Room, place: &Cidr) -> Result<Cidr, RequestError> {
    let length = zone.prefix_length.unwrap_or_else(|| prefixes.usual());
    if !(Prefixes::SHORTEST..=Prefixes::LONGEST).contains(&length) {
        return Err(impossible(
            format!(
                "the range of a zone cannot be a /{length}; choose one from /{} to /{}, as VSwitches have",
                Prefixes::SHORTEST,
                Prefixes::LONGEST
            ),
            None,
        ));
    }
    let block = room.take(length).or_else(|| match zone.prefix_length {
        Some(_) => None,
        None => room.take(Prefixes::shortest(room)?),
    });
    let Some(block) = block else {
        let what_fits = match Prefixes::shortest(room) {
            Some(shortest) => format!("the largest that has room is a /{shortest}"),
            None => "nothing is free that a VSwitch could have".to_owned(),
        };
        let (name, place) = (zone.name, place.network());
        let message = format!("there is no room for a /{length} for the zone `{name}` in {place}; {what_fits}");
        return Err(impossible(message, None));
    };
    *prefixes = Prefixes::like(&block);
    Ok(block)
}

/// Appends the entries to the list of zones, and makes the list where the Shoot has none.
fn patch(object: &Value<'_>, entries: Vec<Value<'_>>) -> Vec<PatchOperation> {
    let networks = infrastructure_config(object).and_then(|config| config.get("networks"));
    let (zones, has_networks) = (networks.and_then(|networks| networks.get("zones")), networks.is_some());
    let list = NETWORKS.key("zones").pointer();
    if entries.is_empty() {
        Vec::new()
    } else if zones.is_some() {
        entries.iter().map(|entry| PatchOperation::add(format!("{list}/-"), entry)).collect()
    } else if has_networks {
        vec![PatchOperation::add(list, &Value::Array(entries))]
    } else {
        let networks = Value::object([("zones", Value::Array(entries))]);
        vec![PatchOperation::add(NETWORKS.pointer(), &networks)]
    }
}

/// The rule that stays undecided as long as nobody knows the VSwitches of a VPC that the person brings.
fn undecided(vswitches: VSwitches<'_>, vpc: &str) -> Option<Undecided> {
    match vswitches {
        Known::Found(_) => None,
        Known::Failed((rule, why)) => Some(Undecided { rule: rule.id, why, query: None }),
        Known::Unknown(query) => {
            let why = format!(
                "VSwitches of VPC {vpc} that are not of this Shoot may have these addresses; that is checked on \
                 submit, by asking Alibaba Cloud"
            );
            Some(Undecided { rule: rules::SHOOT_008.id, why, query: Some(query) })
        }
    }
}
