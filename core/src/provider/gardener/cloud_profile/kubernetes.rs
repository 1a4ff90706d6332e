//! The Kubernetes versions of a profile (GDN-CPR-010 to 015).

use super::expirable::{Expirable, Supported};
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::kube::semver::SemVer;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::cloud_profile as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges whether there is a latest version, which does not expire.
pub fn latest(versions: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    if versions.is_empty() {
        let detail = "must provide at least one Kubernetes version";
        report.error(&rules::GDN_CPR_010, path, ErrorType::Required, detail);
    }
    let Some((version, index)) = highest(versions) else {
        let detail = "failed to determine the latest kubernetes version from the cloud profile";
        report.error(&rules::GDN_CPR_011, path, ErrorType::Invalid, detail);
        return;
    };
    let name = text(version, &["version"]);
    let (field, index) = (path.field(), index.to_string());
    let place = |key: &str| (join(&[&field, "[].", key], ""), path.hidden(&index).key(key).pointer());
    if version.get("expirationDate").is_some() {
        let (field, pointer) = place("expirationDate");
        let detail = join(&["expiration date of latest kubernetes version ('", name, "') must not be set"], "");
        let path = Path::root(&field, &pointer);
        report.error(&rules::GDN_CPR_012, &path, ErrorType::Invalid, detail).fix_removal();
    }
    let last = items(version, &["lifecycle"]).last();
    if last.is_some_and(|stage| text(stage, &["classification"]) == "expired") {
        let (field, pointer) = place("lifecycle");
        let detail =
            join(&["classification expired of latest kubernetes version ('", name, "') must not be set"], "");
        report.error(&rules::GDN_CPR_013, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
    }
}

/// The highest version and its index; none where there is no version, or one that is none.
fn highest<'v>(versions: &'v [Value<'v>]) -> Option<(&'v Value<'v>, usize)> {
    let mut highest: Option<(SemVer<'_>, &Value<'_>, usize)> = None;
    for (index, version) in versions.iter().enumerate() {
        let own = SemVer::parse(text(version, &["version"]))?;
        if highest.as_ref().is_none_or(|(highest, ..)| own > *highest) {
            highest = Some((own, version, index));
        }
    }
    highest.map(|(_, version, index)| (version, index))
}

/// Judges each version.
pub fn each(expirable: &Expirable, versions: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::new();
    for (index, version) in versions.iter().enumerate() {
        let (name, entry) = (text(version, &["version"]), path.index(index));
        if !is_full(name) {
            let detail = "all Kubernetes versions must match the regex ^([0-9]+\\.){2}[0-9]+$";
            report.error(&rules::GDN_CPR_014, &entry, ErrorType::Invalid, detail);
        } else if !seen.insert(name) {
            report.error(&rules::GDN_CPR_015, &entry.key("version"), ErrorType::Duplicate, "");
        }
        expirable.judge(version, &entry, report);
    }
    let all = Supported::of(versions);
    for index in 0..versions.len() {
        expirable.overlap(&all, index, &path.index(index), report);
    }
}

/// Whether a version has three numbers.
fn is_full(version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version.split('.').count() == 3 && version.split('.').all(is_number)
}
