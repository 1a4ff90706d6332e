//! The Kubernetes versions of a Shoot and of its pools.

use super::lifecycle::Stage;
use super::{Check, Pool};
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::profile as rules;
use crate::report::{ErrorType, Report};

const VERSION: &[&str] = &["spec", "kubernetes", "version"];

/// Judges the version of the Shoot.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let version = text(check.shoot, VERSION);
    if check.old.map(|old| text(old, VERSION)).unwrap_or_default() == version {
        return;
    }
    let path = Path::root("spec.kubernetes.version", "/spec/kubernetes/version");
    offered(check, version, check.old.is_none(), || {
        let detail = list(check, check.old.is_none());
        report.error(&rules::ADM_K8S_001, &path, ErrorType::NotSupported, detail);
    });
}

/// Judges the version of a pool.
pub fn judge_pool(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) {
    let version = text(pool.worker, &["kubernetes", "version"]);
    let own = pool.old.map(|old| text(old, &["kubernetes", "version"])).filter(|version| !version.is_empty());
    let before = own.or(check.old.map(|old| text(old, VERSION)));
    if version.is_empty() || before == Some(version) {
        return;
    }
    let is_new = pool.old.is_none();
    offered(check, version, is_new, || {
        let (kubernetes, detail) = (pool.path.key("kubernetes"), list(check, is_new));
        report.error(&rules::ADM_K8S_002, &kubernetes.key("version"), ErrorType::NotSupported, detail);
    });
}

/// Calls `complain` where the profile has no such version.
fn offered(check: &Check<'_>, version: &str, only_active: bool, complain: impl FnOnce()) {
    if !candidates(check, only_active).any(|candidate| text(candidate, &["version"]) == version) {
        complain();
    }
}

/// The versions that may be chosen, in the order of the profile.
fn candidates<'c>(check: &Check<'c>, only_active: bool) -> impl Iterator<Item = &'c Value<'c>> {
    let now = check.now;
    let versions = items(check.profile, &["kubernetes", "versions"]).iter();
    versions.filter(move |version| !only_active || Stage::of(version, now).is_active())
}

fn list(check: &Check<'_>, only_active: bool) -> String {
    let named: Vec<String> = candidates(check, only_active)
        .map(|version| {
            let is_preview = text(version, &["classification"]) == "preview";
            format!("{}{}", text(version, &["version"]), if is_preview { " (preview)" } else { "" })
        })
        .collect();
    supported(named.iter().map(String::as_str))
}
