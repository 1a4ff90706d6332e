//! Advice on the network of a Shoot.

use crate::cidr::Cidr;
use crate::document::Value;
use crate::gardener::checks::node_ranges::{warn_of_deprecated, warn_of_few_addresses};
use crate::gardener::shoot::{NETWORKING, nodes};
use crate::provider::gcp::api::{CloudNat, Networks};
use crate::provider::gcp::rules::advice as rules;
use crate::provider::gcp::validate::NETWORKS;
use crate::provider::gcp::validate::parts::Parts;
use crate::report::Report;

/// Addresses of a subnet that no node gets: the first two and the last two. Source: GCP's documentation of
/// subnets.
const RESERVED_ADDRESSES: u128 = 4;
/// Ports of an address that Cloud NAT gives to nodes. Source: GCP's documentation of Cloud NAT.
const PORTS: i64 = 64_512;
/// Ports of a node where the Shoot does not say it. Source: section 1.1 of the fact sheet `gcp`.
const DEFAULT_PORTS: i32 = 2048;

/// Looks at the network of a Shoot.
pub fn network(new: &Parts<'_>, create: bool, report: &mut Report<'_>) {
    let Some(config) = &new.infrastructure else { return };
    let networks = &config.networks;
    warn_of_deprecated([&rules::ADV_001, &rules::ADV_002], [networks.worker, networks.workers], &NETWORKS, report);
    if create {
        shared_network(new, networks, report);
    }
    let workers = &new.manifest.shoot.spec.provider.workers;
    let wanted = nodes(workers);
    if let Some((key, cidr)) = networks.range().and_then(|(key, text)| Some((key, Cidr::parse(text)?))) {
        let path = NETWORKS.key(key);
        warn_of_few_addresses(&rules::ADV_003, &cidr, RESERVED_ADDRESSES, wanted, &path, report);
    }
    if let Some(nat) = &networks.cloud_nat {
        ports(nat, wanted, report);
    }
}

/// Without an overlay, routes of the VPC lead to all pods.
fn shared_network(new: &Parts<'_>, networks: &Networks<'_>, report: &mut Report<'_>) {
    let overlay = new.manifest.object.at(&["spec", "networking", "providerConfig", "overlay", "enabled"]);
    if let (Some(vpc), Some(Value::Bool(false))) = (networks.vpc, overlay) {
        let detail = format!("nothing else in VPC {} may have this range", vpc.name);
        report.warn(&rules::ADV_005, &NETWORKING.key("pods"), detail);
    }
}

/// Cloud NAT allocates addresses as it needs them, unless a person names them.
fn ports(nat: &CloudNat<'_>, wanted: u64, report: &mut Report<'_>) {
    let Some(names) = nat.nat_ip_names.as_ref().filter(|names| !names.is_empty()) else { return };
    let each = i64::from(nat.min_ports_per_vm.unwrap_or(DEFAULT_PORTS));
    let of_address = u64::try_from(PORTS.checked_div(each).unwrap_or_default()).unwrap_or_default();
    let served = of_address.saturating_mul(names.len() as u64);
    if of_address > 0 && wanted > served {
        let path = NETWORKS.key("cloudNAT");
        let detail =
            format!("{} addresses have ports for {served} nodes, the worker pools may want {wanted}", names.len());
        report.warn(&rules::ADV_004, &path.key("natIPNames"), detail);
    }
}
