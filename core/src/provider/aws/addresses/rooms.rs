//! Where the ranges of zones have room: the subnet of the nodes among the nodes, those of load balancers in the
//! VPC.

use super::network::Network;
use crate::cidr::{Cidr, Family, Room};
use crate::policy::{AddressRole, RequestError};
use crate::provider::aws::api::Zone;
use crate::provider::aws::subnets::SIZES;

/// The free ranges, and what zones look like that are added.
#[derive(Clone)]
pub struct Rooms {
    workers: Room,
    load_balancers: Room,
    /// The range that the subnets of nodes may lie in.
    pub place: Cidr,
    /// Length of the prefix that the subnet of the nodes has by default, where there is room.
    pub workers_length: u8,
    /// The same of the subnets of load balancers.
    load_balancers_length: u8,
    /// The subnets of load balancers that a zone gets.
    kinds: Vec<(AddressRole, &'static str)>,
}

/// The subnets of a zone: roles, keys and ranges.
pub type Subnets = Vec<(AddressRole, &'static str, Cidr)>;

impl Rooms {
    /// The rooms of a network with these zones: zones to add look like the last one. Without zones, the subnets of
    /// the nodes of eight zones fill their place, and those of load balancers are half as large.
    pub fn of(network: &Network<'_>, zones: &[Zone<'_>]) -> Result<Self, RequestError> {
        let place = network.nodes.clone()?;
        let ipv4 = |text: Option<&str>| text.and_then(Cidr::parse).filter(|cidr| cidr.family() == Family::IPv4);
        let workers = zones.iter().rev().find_map(|zone| ipv4(zone.workers)).map(|cidr| cidr.prefix_length());
        let workers_length = SIZES.nearest(workers.unwrap_or(place.prefix_length().saturating_add(3)));
        let others = zones.iter().rev().find_map(|zone| ipv4(zone.public).or(ipv4(zone.internal)));
        let others = others.map_or(workers_length.saturating_add(1), |cidr| cidr.prefix_length());
        let all = [(AddressRole::Public, "public"), (AddressRole::Internal, "internal")];
        let last = zones.last();
        let has = |(_, key): &(AddressRole, &str)| {
            last.is_none_or(|zone| zone.ranges().iter().any(|(other, text)| other == key && text.is_some()))
        };
        let [space, _] = &network.spaces;
        Ok(Self {
            workers: space.room_in(Some(&place)),
            load_balancers: space.room_in(network.vpc.as_ref()),
            place,
            workers_length,
            load_balancers_length: SIZES.nearest(others),
            kinds: all.into_iter().filter(has).collect(),
        })
    }

    /// Takes the subnets of a zone, whose nodes get a prefix of that length; none where there is no room. Subnets
    /// of load balancers get a longer prefix than by default where there is no room else.
    pub fn take(&mut self, length: u8) -> Option<Subnets> {
        for other in self.load_balancers_length..=SIZES.longest {
            let mut rooms = self.clone();
            let workers = rooms.workers.take(length)?;
            rooms.load_balancers.remove(&workers);
            let mut subnets = vec![(AddressRole::Zone, "workers", workers)];
            for (role, key) in &self.kinds {
                let Some(cidr) = rooms.load_balancers.take(other) else { break };
                rooms.workers.remove(&cidr);
                subnets.push((*role, key, cidr));
            }
            if subnets.len() == self.kinds.len() + 1 {
                rooms.workers_length = length;
                if !self.kinds.is_empty() {
                    rooms.load_balancers_length = other;
                }
                *self = rooms;
                return Some(subnets);
            }
        }
        None
    }

    /// The length of the next zone: the usual one, or a longer one where the usual one has no room.
    pub fn choose(&self) -> u8 {
        self.first_from(self.workers_length).unwrap_or(self.workers_length)
    }

    /// The shortest prefix that the nodes of a zone can have; none where there is no room.
    pub fn shortest(&self) -> Option<u8> {
        self.first_from(SIZES.shortest)
    }

    fn first_from(&self, length: u8) -> Option<u8> {
        (length..=SIZES.longest).find(|length| self.clone().take(*length).is_some())
    }
}
