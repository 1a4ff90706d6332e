//! Advice on the network of a Shoot.

use crate::cidr::Cidr;
use crate::document::{PatchOperation, Value};
use crate::gardener::shoot::NETWORKING;
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
    if create {
        deprecated_range(&config.networks, report);
        shared_network(new, &config.networks, report);
    }
    let Some((key, cidr)) = config.networks.range().and_then(|(key, text)| Some((key, Cidr::parse(text)?))) else {
        return;
    };
    let workers = &new.manifest.shoot.spec.provider.workers;
    let wanted: u64 = workers.iter().map(|worker| u64::try_from(worker.maximum).unwrap_or_default()).sum();
    let usable = u64::try_from(cidr.size().saturating_sub(RESERVED_ADDRESSES)).unwrap_or(u64::MAX);
    if wanted > usable {
        let detail = format!("has {usable} addresses for nodes, the worker pools may want {wanted}");
        report.warn(&rules::ADV_017, &NETWORKS.key(key), detail);
    }
}

/// An existing Shoot keeps its fields as they are.
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

/// Without an overlay, the routers of a network know the addresses of all pods in it.
fn shared_network(new: &Parts<'_>, networks: &Networks<'_>, report: &mut Report<'_>) {
    let overlay = new.manifest.object.at(&["spec", "networking", "providerConfig", "overlay", "enabled"]);
    if let (Some(id), Some(Value::Bool(false))) = (networks.id, overlay) {
        let detail = format!("no other cluster in network {id} may have this range");
        report.warn(&rules::ADV_004, &NETWORKING.key("pods"), detail);
    }
}
