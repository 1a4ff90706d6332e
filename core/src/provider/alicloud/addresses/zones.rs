//! Zones to add: the next free range for each.

use super::blocks::FIELD;
use super::network::Network;
use super::place::{Prefixes, SIZES};
use crate::call::Known;
use crate::cidr::{Cidr, Room};
use crate::document::Value;
use crate::gardener::addresses::{NewZones, Range, VPC, add_to_list, impossible, read_networks};
use crate::policy::{AddedZones, AddressRole, NewZone, Request, RequestError};
use crate::provider::alicloud::api::InfrastructureConfig;
use crate::provider::alicloud::rules::shoot as rules;
use crate::provider::alicloud::validate::NETWORKS;
use crate::provider::alicloud::vswitches::VSwitches;
use crate::report::Undecided;

/// Chooses a range for each zone, in their order: the first free block of its size.
pub fn zones(request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
    let Network { shoot, place, ipv4, mut blocks, vswitches, .. } = Network::read(request)?;
    let config: InfrastructureConfig<'_> = read_networks(request.object, VPC)?;
    let (place, mut room) = (place?, ipv4.room());
    let listed = NETWORKS.key("zones");
    let zones = &config.networks.zones;
    let mut names = NewZones::next_to(zones.iter().map(|zone| zone.name), shoot.spec.region, request);
    let mut prefixes = Prefixes::of(&place, &config);
    let (mut added, mut entries) = (Vec::new(), Vec::new());
    for (index, zone) in (zones.len()..).zip(add) {
        let path = listed.index(index);
        names.add(zone.name)?;
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
        added.push(range.describe());
    }
    let patch = add_to_list(request.object, entries);
    let vpc = config.networks.vpc.id.unwrap_or_default();
    let undecided = vswitches.and_then(|vswitches| undecided(vswitches, vpc)).into_iter().collect();
    Ok(AddedZones { zones: added, patch, undecided })
}

fn no_block() -> RequestError {
    impossible("none of the 256 IPv6 blocks of the VPC is free".to_owned(), None)
}

/// Takes the range for a zone.
fn take(zone: &NewZone<'_>, prefixes: &mut Prefixes, room: &mut Room, place: &Cidr) -> Result<Cidr, RequestError> {
    let length = zone.prefix_length.unwrap_or_else(|| prefixes.usual());
    SIZES.check(length)?;
    let block = room.take(length).or_else(|| match zone.prefix_length {
        Some(_) => None,
        None => room.take(SIZES.shortest_in(room)?),
    });
    let block = block.ok_or_else(|| SIZES.no_room(length, zone.name, place, SIZES.shortest_in(room)))?;
    *prefixes = Prefixes::like(&block);
    Ok(block)
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
