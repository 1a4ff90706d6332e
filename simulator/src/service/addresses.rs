//! Where load balancers are, and their addresses.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use crate::action::Call;
use crate::world::World;

/// Where public addresses of load balancers are taken from: a block that no host of the Internet has.
const PUBLIC: u32 = u32::from_be_bytes([198, 19, 0, 0]);

/// A VSwitch, as far as a load balancer in it is concerned.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its identifier.
    pub(crate) v_switch_id: String,
    /// The network that it is in.
    pub(crate) vpc_id: String,
    /// The zone that it is in.
    pub(crate) zone_id: String,
    /// Its addresses.
    pub(crate) cidr_block: Ipv4Net,
}

impl World {
    /// The VSwitch with this identifier.
    pub(crate) fn place(&self, call: &Call<'_>, id: &str) -> Option<Place> {
        let vswitch = self.region(call).vpc.vswitches.get(id)?;
        Some(Place {
            v_switch_id: vswitch.v_switch_id.clone(),
            vpc_id: vswitch.vpc_id.clone(),
            zone_id: vswitch.zone_id.clone(),
            cidr_block: vswitch.cidr_block,
        })
    }

    /// A public address that no load balancer of the region has.
    pub(crate) fn public_address(&mut self, call: &Call<'_>) -> Ipv4Addr {
        let number = u32::try_from(self.number() % (1 << 16)).unwrap_or_default();
        let taken = |address: Ipv4Addr| {
            let region = self.region(call);
            region.slb.has_address(address) || region.nlb.has_address(address)
        };
        let mut addresses = (0..1 << 16).map(|step| Ipv4Addr::from(PUBLIC | ((number + step) & 0xffff)));
        addresses.find(|address| !taken(*address)).unwrap_or(Ipv4Addr::from(PUBLIC))
    }

    /// Addresses of a VSwitch that no load balancer has. They are taken from above, as instances get theirs from below;
    /// the last three and the first belong to the cloud.
    pub(crate) fn private_addresses<'a>(
        &'a self,
        call: &'a Call<'_>,
        block: Ipv4Net,
    ) -> impl Iterator<Item = Ipv4Addr> + 'a {
        let (first, last) = (u32::from(block.network()), u32::from(block.broadcast()));
        (first.saturating_add(1)..=last.saturating_sub(4)).rev().map(Ipv4Addr::from).filter(|address| {
            let region = self.region(call);
            !region.slb.has_address(*address) && !region.nlb.has_address(*address)
        })
    }
}
