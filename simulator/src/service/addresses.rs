//! The subnets and the addresses of load balancers.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use crate::action::Call;
use crate::service::vpc::private_addresses::used;
use crate::world::{Region, World};

/// The block of the public addresses of load balancers, which no host of the Internet uses.
const PUBLIC: u32 = u32::from_be_bytes([198, 19, 0, 0]);

/// What a load balancer knows of its VSwitch.
#[derive(Clone, Debug)]
pub(crate) struct Subnet {
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
    /// The VSwitch with this identifier, unless it is being deleted.
    pub(crate) fn place(&self, call: &Call<'_>, id: &str) -> Option<Subnet> {
        let vswitch = self.region(call).vpc.vswitches.get(id).filter(|vswitch| !vswitch.phase.leaving())?;
        Some(Subnet {
            v_switch_id: vswitch.v_switch_id.clone(),
            vpc_id: vswitch.vpc_id.clone(),
            zone_id: vswitch.zone_id.clone(),
            cidr_block: vswitch.cidr_block,
        })
    }

    /// A public address that no load balancer of the region uses.
    pub(crate) fn public_address(&mut self, call: &Call<'_>) -> Ipv4Addr {
        let number = u32::try_from(self.number() % (1 << 16)).unwrap_or_default();
        let Region { slb, nlb, .. } = self.region(call);
        let taken: BTreeSet<Ipv4Addr> = slb.addresses().chain(nlb.public_addresses()).collect();
        let mut addresses = (0..1 << 16).map(|step| Ipv4Addr::from(PUBLIC | ((number + step) & 0xffff)));
        addresses.find(|address| !taken.contains(address)).unwrap_or(Ipv4Addr::from(PUBLIC))
    }

    /// The free addresses of a VSwitch, the highest first, since other resources take the lowest. The first
    /// address and the last three are the cloud's own.
    pub(crate) fn private_addresses(
        &self,
        call: &Call<'_>,
        place: &Subnet,
    ) -> impl Iterator<Item = Ipv4Addr> + use<> {
        let taken: BTreeSet<Ipv4Addr> = used(self.region(call), &place.v_switch_id).collect();
        let first = place.cidr_block.network().to_bits().saturating_add(1);
        let last = place.cidr_block.broadcast().to_bits().saturating_sub(3);
        (first..=last).rev().map(Ipv4Addr::from).filter(move |address| !taken.contains(address))
    }
}

/// Two VSwitches of a network, the first in zone a with 252 addresses and the second in zone b with four.
#[cfg(test)]
pub(crate) fn vswitches(cloud: &crate::testing::TestCloud) -> (String, [String; 2]) {
    let vpc = cloud.text("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/16")], "VpcId");
    cloud.step(3);
    let vswitches = [("cn-shanghai-a", "10.0.0.0/24"), ("cn-shanghai-b", "10.0.1.0/29")].map(|(zone, block)| {
        let parameters = [("VpcId", vpc.as_str()), ("ZoneId", zone), ("CidrBlock", block)];
        let id = cloud.text("vpc", "CreateVSwitch", &parameters, "VSwitchId");
        cloud.step(3);
        id
    });
    (vpc, vswitches)
}
