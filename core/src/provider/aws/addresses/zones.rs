//! Zones to add: the next free ranges for each.

use super::network::Network;
use super::rooms::Rooms;
use crate::document::Value;
use crate::gardener::addresses::{NewZones, Range, VPC, add_to_list, impossible, read_networks};
use crate::policy::{AddedZones, NewZone, Request, RequestError};
use crate::provider::aws::api::InfrastructureConfig;
use crate::provider::aws::rules::infrastructure_checks as checks;
use crate::provider::aws::subnets::SIZES;
use crate::provider::aws::validate::ZONES;
use crate::report::Undecided;

/// Chooses ranges for each zone, in their order: the first free blocks of their sizes.
pub fn zones(request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
    let network = Network::read(request)?;
    let config: InfrastructureConfig<'_> = read_networks(request.object, VPC)?;
    let (networks, region) = (&config.networks, network.shoot.spec.region);
    if networks.has_existing_subnets() {
        let message =
            "the zones have existing subnets; create subnets for another zone, and add it with their ids";
        return Err(impossible(message.to_owned(), Some(ZONES.pointer())));
    }
    let mut rooms = Rooms::of(&network, &networks.zones)?;
    let mut names = NewZones::next_to(networks.zones.iter().map(|zone| zone.name), region, request);
    let (mut zones, mut entries) = (Vec::new(), Vec::new());
    for (index, zone) in (networks.zones.len()..).zip(add) {
        names.add(zone.name)?;
        let length = zone.prefix_length.unwrap_or(rooms.workers_length);
        SIZES.check(length)?;
        let longest = if zone.prefix_length.is_some() { length } else { SIZES.longest };
        let subnets = (length..=longest).find_map(|length| rooms.take(length));
        let subnets = subnets.ok_or_else(|| SIZES.no_room(length, zone.name, &rooms.place, rooms.shortest()))?;
        let path = ZONES.index(index);
        let mut entry = vec![("name".into(), Value::string(zone.name))];
        for (role, key, cidr) in subnets {
            entry.push((key.into(), Value::string(cidr.network().to_string())));
            let pointer = Some(path.key(key).pointer());
            let range = Range { role, name: Some(zone.name), pointer, is_of_status: false, cidr };
            zones.push(range.describe());
        }
        entries.push(Value::Object(entry));
    }
    let patch = add_to_list(request.object, entries);
    let undecided = networks.vpc.id.map(undecided).into_iter().collect();
    Ok(AddedZones { zones, patch, undecided })
}

/// What nobody knows here of a VPC that the person brings.
fn undecided(vpc: &str) -> Undecided {
    let why = format!(
        "other subnets of VPC {vpc} may have these addresses, or the VPC lacks them; AWS says so when Gardener creates the \
         subnets"
    );
    Undecided { rule: checks::CFGV_007.id, why, query: None }
}
