//! Advice on the network of a Shoot.

use crate::cidr::Cidr;
use crate::document::{PatchOperation, Value};
use crate::gardener::shoot::NETWORKING;
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
    deprecated_range(networks, report);
    if create {
        shared_network(new, networks, report);
    }
    let workers = &new.manifest.shoot.spec.provider.workers;
    let wanted: u64 = workers.iter().map(|worker| u64::try_from(worker.maximum).unwrap_or_default()).sum();
    if let Some((key, cidr)) = networks.range().and_then(|(key, text)| Some((key, Cidr::parse(text)?))) {
        let usable = u64::try_from(cidr.size().saturating_sub(RESERVED_ADDRESSES)).unwrap_or(u64::MAX);
        if wanted > usable {
            let detail = format!("has {usable} addresses for nodes, the worker pools may want {wanted}");
            report.warn(&rules::ADV_003, &NETWORKS.key(key), detail);
        }
    }
    if let Some(nat) = &networks.cloud_nat {
        ports(nat, wanted, report);
    }
}

fn deprecated_range(networks: &Networks<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("worker");
    if networks.worker.is_empty() {
        return;
    }
    if networks.workers.is_empty() {
        let entry = report.warn(&rules::ADV_001, &path, "the field is deprecated, use `workers`");
        if Cidr::parse(networks.worker).is_some_and(|cidr| cidr.is_canonical()) {
            entry.fix(vec![
                PatchOperation::add(NETWORKS.key("workers").pointer(), &Value::string(networks.worker)),
                PatchOperation::remove(path.pointer()),
            ]);
        }
    } else {
        report.warn(&rules::ADV_002, &path, "has no effect beside `workers`").fix_removal();
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
