//! The private addresses of subnets.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use crate::action::ErrorCode;
use crate::world::Region;
use crate::world::vpc::VSwitch;

/// A subnet has no address left.
pub(crate) const NONE_FREE: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied.NoAvailablePrivateIp",
    "The operation is failed because of vSwitch has not availalbe private ip",
);

/// The lowest free address of a subnet. The first address and the last three are the cloud's own.
pub(crate) fn free(region: &Region, vswitch: &VSwitch) -> Option<Ipv4Addr> {
    let used: BTreeSet<Ipv4Addr> = used(region, &vswitch.v_switch_id).collect();
    let first = vswitch.cidr_block.network().to_bits().saturating_add(1);
    let last = vswitch.cidr_block.broadcast().to_bits().saturating_sub(3);
    (first..=last).map(Ipv4Addr::from_bits).find(|address| !used.contains(address))
}

/// The addresses of a subnet that instances, load balancers, NAT gateways and the elastic addresses of these have.
pub(crate) fn used<'a>(region: &'a Region, v_switch_id: &'a str) -> impl Iterator<Item = Ipv4Addr> + 'a {
    let instances = region.ecs.instances.iter().filter(move |instance| instance.v_switch_id == v_switch_id);
    let gateways = region.vpc.nat_gateways.iter().filter(move |gateway| gateway.v_switch_id == v_switch_id);
    let eips = region.vpc.eips.iter().filter(move |eip| {
        let gateway = region.vpc.nat_gateways.get(&eip.instance_id);
        gateway.is_some_and(|gateway| gateway.v_switch_id == v_switch_id)
    });
    let balancers = region.slb.load_balancers.iter().filter(move |balancer| balancer.v_switch_id == v_switch_id);
    let zones = region.nlb.load_balancers.iter().flat_map(|balancer| &balancer.zones);
    let zones = zones.filter(move |zone| zone.v_switch_id == v_switch_id);
    (instances.map(|instance| instance.private_ip_address))
        .chain(gateways.map(|gateway| gateway.private_ip_address))
        .chain(eips.filter_map(|eip| eip.private_ip_address))
        .chain(balancers.map(|balancer| balancer.address))
        .chain(zones.map(|zone| zone.private_address))
}
