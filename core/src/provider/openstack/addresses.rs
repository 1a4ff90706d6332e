//! The address space of a Shoot: nodes, pods and services, the subnet of the workers, and explicit ranges of IPv6.

use crate::cidr::Family;
use crate::document::decode::Mode;
use crate::gardener::addresses::{Range, Ranges, describe};
use crate::gardener::shoot::{INFRASTRUCTURE, infrastructure_config};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{AddressRole, Addresses, ConflictKind, Request, RequestError, UnreadableRange, read};
use crate::provider::openstack::api::{Config, InfrastructureConfig};
use crate::provider::openstack::rules::infrastructure as rules;
use crate::provider::openstack::validate::NETWORKS;
use crate::report::Rule;

/// Shows the address space of a Shoot.
pub fn addresses(request: &Request<'_>) -> Result<Addresses, RequestError> {
    let shoot: Shoot<'_> = read(request.object)?;
    let mut ranges = Ranges::default();
    ranges.add_shoot(request.object, &shoot.spec.networking.unwrap_or_default());
    let written = infrastructure_config(request.object);
    let config = match written.map(|written| (written, InfrastructureConfig::read(written, Mode::Lenient))) {
        Some((_, Ok(config))) => config,
        Some((written, Err(error))) => {
            // Nobody knows the ranges of a configuration that cannot be read.
            let at = error.pointer();
            ranges.unreadable.push(UnreadableRange {
                role: AddressRole::Workers,
                name: None,
                pointer: format!("{}{at}", INFRASTRUCTURE.pointer()),
                text: written.pointer(at).map_or_else(String::new, |value| value.canonical(false).to_string()),
            });
            InfrastructureConfig::default()
        }
        None => InfrastructureConfig::default(),
    };
    if let Some((key, text)) = config.networks.range() {
        ranges.add(AddressRole::Workers, None, NETWORKS.key(key).pointer(), text);
    }
    let path = NETWORKS.key("ipv6");
    let roles = [AddressRole::Nodes, AddressRole::Pods, AddressRole::Services];
    for (role, (key, text)) in roles.into_iter().zip(config.networks.ipv6.unwrap_or_default().ranges()) {
        if !text.is_empty() {
            // The status has the same ranges once the network exists.
            let is_reported = |range: &Range<'_>| {
                range.is_of_status && range.role == role && range.cidr.family() == Family::IPv6
            };
            ranges.ranges.retain(|range| !is_reported(range));
            ranges.add(role, None, path.key(key).pointer(), text);
        }
    }
    // A Shoot without workers is accepted without a look at its network.
    let is_judged = !shoot.spec.provider.workers.is_empty() && shoot.spec.networking.is_some();
    let spaces = describe(&ranges.spaces(None).each_ref(), &|kind, first, second| {
        rule(kind, first, second).filter(|_| is_judged)
    });
    Ok(Addresses { spaces, unreadable: ranges.unreadable, zones: None })
}

/// The rule of `validate` that complains about the second of two ranges.
fn rule(kind: ConflictKind, first: &Range<'_>, second: &Range<'_>) -> Option<&'static Rule> {
    let is_explicit = |range: &Range<'_>| {
        range.pointer.as_ref().is_some_and(|pointer| pointer.starts_with(&NETWORKS.key("ipv6").pointer()))
    };
    match (kind, first.role, second.role) {
        (ConflictKind::Outside, AddressRole::Nodes, AddressRole::Workers) if first.is_wanted() => {
            Some(&rules::INF_008)
        }
        (ConflictKind::Overlap, ..) if is_explicit(first) && is_explicit(second) => Some(&rules::INF_021),
        _ => None,
    }
}
