//! The address space of a Shoot: nodes, pods and Services, and the subnets of the workers and of internal load
//! balancers. Pods of a dual-stack Shoot get alias ranges of the workers' subnet out of the range of pods.

use crate::document::decode::Mode;
use crate::gardener::addresses::{Range, Ranges, describe};
use crate::gardener::shoot::{INFRASTRUCTURE_POINTER, infrastructure_config};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{AddressRole, Addresses, ConflictKind, Request, RequestError, UnreadableRange, read};
use crate::provider::gcp::api::{Config, InfrastructureConfig};
use crate::provider::gcp::rules::infrastructure as rules;
use crate::provider::gcp::validate::NETWORKS;
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
                pointer: format!("{INFRASTRUCTURE_POINTER}{at}"),
                text: written.pointer(at).map_or_else(String::new, |value| value.canonical(false).to_string()),
            });
            InfrastructureConfig::default()
        }
        None => InfrastructureConfig::default(),
    };
    if let Some((key, text)) = config.networks.range() {
        ranges.add(AddressRole::Workers, None, NETWORKS.key(key).pointer(), text);
    }
    if let Some(text) = config.networks.internal {
        ranges.add(AddressRole::Internal, None, NETWORKS.key("internal").pointer(), text);
    }
    // A Shoot without workers is accepted without a look at its network.
    let is_judged = !shoot.spec.provider.workers.is_empty() && shoot.spec.networking.is_some();
    let spaces = describe(&ranges.spaces(None).each_ref(), &|kind, first, second| {
        rule(kind, first, second).filter(|_| is_judged)
    });
    Ok(Addresses { spaces, unreadable: ranges.unreadable, zones: None })
}

/// The rule of `validate` that complains about one of two ranges.
fn rule(kind: ConflictKind, first: &Range<'_>, second: &Range<'_>) -> Option<&'static Rule> {
    let other = match [first.role, second.role] {
        [AddressRole::Internal, _] => second,
        [_, AddressRole::Internal] => first,
        [AddressRole::Nodes, AddressRole::Workers] if kind == ConflictKind::Outside && first.is_wanted() => {
            return Some(&rules::INF_012);
        }
        _ => return None,
    };
    match (kind, other.role) {
        (ConflictKind::Overlap, _) if !other.is_wanted() => None,
        (ConflictKind::Overlap, AddressRole::Pods) => Some(&rules::INF_008),
        (ConflictKind::Overlap, AddressRole::Services) => Some(&rules::INF_009),
        (ConflictKind::Overlap, AddressRole::Nodes) => Some(&rules::INF_010),
        (ConflictKind::Overlap, AddressRole::Workers) => Some(&rules::INF_011),
        _ => None,
    }
}
