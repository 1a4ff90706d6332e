//! Zones to add: the next free range for each.

use super::network::{Network, usual_length};
use crate::document::Value;
use crate::gardener::addresses::{NewZones, Range, add_to_list, impossible, read_networks};
use crate::gardener::shoot::INFRASTRUCTURE;
use crate::policy::{AddedZones, AddressRole, NewZone, Request, RequestError};
use crate::provider::azure::api::InfrastructureConfig;
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::subnets::{SIZES, VNET};
use crate::provider::azure::validate::{WORKERS, ZONES};
use crate::report::Undecided;

/// Chooses a range for each zone, in their order: the first free block of its size.
pub fn zones(request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
    let network = Network::read(request)?;
    let config: InfrastructureConfig<'_> = read_networks(request.object, VNET)?;
    refuse_other_layout(&config)?;
    let networks = &config.networks;
    let (place, [space, _]) = (network.place?, &network.spaces);
    let (mut room, mut usual) = (space.room_in(Some(&place)), usual_length(networks, &place));
    let listed = network.zone_names.iter().copied();
    let mut names = NewZones::next_to(listed, network.shoot.spec.region, request);
    let (mut zones, mut entries) = (Vec::new(), Vec::new());
    for (index, zone) in (networks.zones.len()..).zip(add) {
        names.add(zone.name)?;
        let number: i32 = zone.name.parse().map_err(|_| {
            impossible(format!("a zone of Azure is a number such as `1`, not `{}`", zone.name), None)
        })?;
        let length = zone.prefix_length.unwrap_or(usual);
        SIZES.check(length)?;
        let block = room.take(length).or_else(|| match zone.prefix_length {
            Some(_) => None,
            None => room.take(SIZES.shortest_in(&room)?),
        });
        let cidr = block.ok_or_else(|| SIZES.no_room(length, zone.name, &place, SIZES.shortest_in(&room)))?;
        usual = cidr.prefix_length();
        entries.push(Value::object([
            ("name", Value::Number(number.to_string().into())),
            ("cidr", Value::string(cidr.network().to_string())),
        ]));
        let pointer = Some(ZONES.index(index).key("cidr").pointer());
        let range = Range { role: AddressRole::Zone, name: Some(zone.name), pointer, is_of_status: false, cidr };
        zones.push(range.describe());
    }
    let patch = add_to_list(request.object, entries);
    let undecided = networks.vnet.name.map(undecided).into_iter().collect();
    Ok(AddedZones { zones, patch, undecided })
}

/// Zones have ranges where each has a subnet.
fn refuse_other_layout(config: &InfrastructureConfig<'_>) -> Result<(), RequestError> {
    let (message, path) = if config.networks.workers.is_some() {
        let message = "all workers have one subnet, which is in every zone; to have one a zone, write `networks.zones` \
                       instead of `workers`, one of them with its range";
        (message, WORKERS)
    } else if !config.zoned {
        ("the Shoot has no zones; set `zoned: true` on a new Shoot", INFRASTRUCTURE.key("zoned"))
    } else {
        return Ok(());
    };
    Err(impossible(message.to_owned(), Some(path.pointer())))
}

/// What nobody knows here of a virtual network that the person brings.
fn undecided(vnet: &str) -> Undecided {
    let why = format!(
        "other subnets of virtual network {vnet} may have these addresses, or the virtual network lacks them; Azure says so \
         when Gardener creates the subnets"
    );
    Undecided { rule: rules::INF_065.id, why, query: None }
}
