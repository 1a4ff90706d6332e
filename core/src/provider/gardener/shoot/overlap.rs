//! Ranges of a Shoot that overlap (ADM-NET-003).

use super::Check;
use super::networking::RANGES;
use crate::call::Known;
use crate::cidr::{Cidr, may_overlap};
use crate::gardener::checks::spelling::follow;
use crate::gardener::shoot::NETWORKING;
use crate::policy::CORE;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::networking as rules;
use crate::provider::gardener::same::is_same_at;
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Two ranges of `spec.networking`, the one whose field the finding is at, and what Gardener says.
const PAIRS: [(&str, &str, &str, &str); 3] = [
    ("pods", "services", "services", "shoot pod network intersects with shoot service network"),
    ("pods", "nodes", "pods", "shoot pod network intersects with shoot node network"),
    ("services", "nodes", "services", "shoot service network intersects with shoot node network"),
];

/// Judges whether ranges overlap. Gardener judges neither a Shoot of which an update changes nothing, nor one that
/// names no profile.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let spec = |key| check.shoot.at(&["spec", key]);
    let is_same = |old| {
        !check.request.is_itself()
            && ["spec", "metadata"].iter().all(|part| is_same_at(&[], &[part], old, check.shoot))
    };
    let families = items(check.shoot, &["spec", "networking", "ipFamilies"]);
    let has_ipv4 = families.is_empty() || texts(families).any(|family| family == "IPv4");
    if !check.names_profile() || !has_ipv4 || check.old.is_some_and(is_same) {
        return;
    }
    let range = |key| spec("networking").and_then(|networking| networking.get(key)?.as_str());
    let has_seed = !text(check.shoot, &["spec", "seedName"]).is_empty();
    let is_older = !check.garden.is_from(146);
    for (one, other, place, detail) in PAIRS {
        let (Some(first), Some(second)) = (range(one), range(other)) else { continue };
        if !may_overlap(first, second) {
            continue;
        }
        let path = NETWORKING.key(place);
        let what =
            ["Choose ranges that do not overlap: `", one, "` is ", first, ", `", other, "` is ", second, "."];
        let remedy = join(&what, "");
        // What is no range overlaps with every other one.
        let is_no_range = |(_, range): &(&str, &str)| Cidr::parse(range).is_none();
        let wrong = [(one, first), (other, second)].into_iter().find(is_no_range);
        if has_seed || !is_older {
            let rule = wrong.and_then(|(wrong, _)| RANGES.iter().find(|(key, _)| *key == wrong));
            let cause = rule.and_then(|(_, rule)| report.error_of(rule));
            let entry = report.error(&rules::ADM_NET_003, &path, ErrorType::Invalid, detail).remedy(remedy);
            let entry = follow(entry, cause.as_ref());
            if !has_seed {
                entry.since(146);
            }
        } else if wrong.is_none() {
            let detail = join(&[detail, "; Gardener refuses this as soon as the Shoot has a seed"], "");
            report.warn(&rules::ADM_NET_003, &path, detail).remedy(remedy);
        }
    }
    // Newer versions leave this to a rule that asks the seed.
    let seed = || check.request.object(CORE, "Seed", "", text(check.shoot, &["spec", "seedName"]));
    // Before it judges, the API server takes what is missing from the Seed, which may not be known here.
    if !has_seed || !is_older || matches!(seed(), Known::Unknown(_)) {
        return;
    }
    if range("pods").is_none() && !check.workers().is_empty() {
        let detail = "shoot pod network is required";
        report.error(&rules::ADM_NET_003, &NETWORKING.key("pods"), ErrorType::Required, detail);
    }
    if range("services").is_none() {
        let detail = "shoot service network is required";
        report.error(&rules::ADM_NET_003, &NETWORKING.key("services"), ErrorType::Required, detail);
    }
}
