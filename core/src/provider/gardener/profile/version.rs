//! The Kubernetes versions of a Shoot and of its pools.

use super::lifecycle::{NO_TIME, Stage, is_dated, is_open};
use super::{Check, Pool};
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::profile as rules;
use crate::provider::gardener::structure::nearest::{by_number, offer};
use crate::report::{ErrorType, Report, Reported, Rule};

const VERSION: &[&str] = &["spec", "kubernetes", "version"];

/// Judges the version of the Shoot.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let version = text(check.shoot, VERSION);
    if check.old.map(|old| text(old, VERSION)).unwrap_or_default() == version {
        return;
    }
    let path = Path::root("spec.kubernetes.version", "/spec/kubernetes/version");
    offered(check, version, check.old.is_none(), &path, &rules::ADM_K8S_001, report);
}

/// Judges the version of a pool.
pub fn judge_pool(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) {
    let version = text(pool.worker, &["kubernetes", "version"]);
    let own = pool.old.map(|old| text(old, &["kubernetes", "version"])).filter(|version| !version.is_empty());
    let before = own.or(check.old.map(|old| text(old, VERSION)));
    if version.is_empty() || before == Some(version) {
        return;
    }
    let kubernetes = pool.path.key("kubernetes");
    offered(check, version, pool.old.is_none(), &kubernetes.key("version"), &rules::ADM_K8S_002, report);
}

/// Complains where the profile has no such version.
fn offered(
    check: &Check<'_>,
    version: &str,
    only_active: bool,
    path: &Path<'_>,
    rule: &'static Rule,
    report: &mut Report<'_>,
) {
    let found = candidates(check, only_active).find(|candidate| text(candidate, &["version"]) == version);
    match found {
        Some(found) if only_active && check.now.is_none() && is_dated(found) => {
            report.undecided(rule, NO_TIME, None);
        }
        Some(_) => {}
        // The API server completes such a version by the time, which nobody knows here.
        None if check.now.is_none() && is_open(version) => report.undecided(rule, NO_TIME, None),
        None => {
            let entry = report.error(rule, path, ErrorType::NotSupported, list(check, only_active));
            choose(check, version, only_active, entry);
        }
    }
}

/// The versions that may be chosen, in the order of the profile.
fn candidates<'c>(check: &Check<'c>, only_active: bool) -> impl Iterator<Item = &'c Value<'c>> {
    let now = check.now;
    let versions = items(check.profile, &["kubernetes", "versions"]).iter();
    versions.filter(move |version| !only_active || Stage::of(version, now).is_active())
}

/// Offers the nearest versions. Nobody should come to a preview by a mistake.
fn choose(check: &Check<'_>, version: &str, only_active: bool, entry: Reported<'_>) {
    let final_ones = candidates(check, only_active).filter(|version| !is_preview(version));
    let versions: Vec<&str> = final_ones.map(|version| text(version, &["version"])).collect();
    offer(entry, version, &versions, by_number);
}

fn is_preview(version: &Value<'_>) -> bool {
    text(version, &["classification"]) == "preview"
}

fn list(check: &Check<'_>, only_active: bool) -> String {
    let named: Vec<String> = candidates(check, only_active)
        .map(|version| {
            format!("{}{}", text(version, &["version"]), if is_preview(version) { " (preview)" } else { "" })
        })
        .collect();
    supported(named.iter().map(String::as_str))
}
