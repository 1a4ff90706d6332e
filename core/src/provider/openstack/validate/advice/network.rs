//! Advice on the network of a Shoot.

use crate::cidr::Cidr;
use crate::document::Value;
use crate::gardener::checks::node_ranges::{warn_of_deprecated, warn_of_few_addresses};
use crate::gardener::shoot::{NETWORKING, nodes};
use crate::provider::openstack::api::Networks;
use crate::provider::openstack::rules::advice as rules;
use crate::provider::openstack::validate::infrastructure::NETWORKS;
use crate::provider::openstack::validate::parts::Parts;
use crate::report::Report;

/// Addresses of a subnet that no node gets: the first, the last, and that of the router. Source: OpenStack's
/// documentation of subnets.
const RESERVED_ADDRESSES: u128 = 3;

/// Looks at the network of a Shoot.
pub fn network(new: &Parts<'_>, create: bool, report: &mut Report<'_>) {
    let Some(config) = &new.infrastructure else { return };
    let networks = &config.networks;
    // An existing Shoot keeps its fields as they are.
    if create {
        warn_of_deprecated(
            [&rules::ADV_001, &rules::ADV_002],
            [networks.worker, networks.workers],
            &NETWORKS,
            report,
        );
        shared_network(new, networks, report);
    }
    let Some((key, cidr)) = networks.range().and_then(|(key, text)| Some((key, Cidr::parse(text)?))) else {
        return;
    };
    let wanted = nodes(&new.manifest.shoot.spec.provider.workers);
    warn_of_few_addresses(&rules::ADV_017, &cidr, RESERVED_ADDRESSES, wanted, &NETWORKS.key(key), report);
}

/// Without an overlay, the routers of a network know the addresses of all pods in it.
fn shared_network(new: &Parts<'_>, networks: &Networks<'_>, report: &mut Report<'_>) {
    let overlay = new.manifest.object.at(&["spec", "networking", "providerConfig", "overlay", "enabled"]);
    if let (Some(id), Some(Value::Bool(false))) = (networks.id, overlay) {
        let detail = format!("no other cluster in network {id} may have this range");
        report.warn(&rules::ADV_004, &NETWORKING.key("pods"), detail);
    }
}
