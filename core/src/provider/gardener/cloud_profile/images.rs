//! The machine images of a profile (GDN-CPR-030 to 053).

mod version;

use super::Check;
use super::expirable::Supported;
use super::names;
use crate::collections::{NameMap, NameSet};
use crate::document::{Path, Value};
use crate::kube::semver::SemVer;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::machine_offers as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report};
use crate::text::join;

pub use version::faults_of_version;

const STRATEGIES: [&str; 3] = ["major", "minor", "patch"];

/// Whose images are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// Those of a CloudProfile.
    OfProfile,
    /// Those of a NamespacedCloudProfile, of which the parent may say a part.
    Added,
}

/// Judges all images.
pub fn judge<'v>(
    check: &Check<'_>,
    images: &'v [Value<'v>],
    whose: Images,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if images.is_empty() && whose == Images::OfProfile {
        report.error(&rules::GDN_CPR_030, path, ErrorType::Required, "must provide at least one machine image");
    }
    latest(images, path, report);
    let mut seen = NameSet::new();
    let mut seen_versions: NameMap<'_, NameSet<'_>> = NameMap::new();
    for (index, image) in images.iter().enumerate() {
        let entry = path.index(index);
        if !seen.insert(text(image, &["name"])) {
            report.error(&rules::GDN_CPR_032, &entry, ErrorType::Duplicate, "");
        }
        named(image, &entry, report);
        if whose == Images::OfProfile {
            has_versions(image, &entry, report);
        }
        strategy(image, &entry, report);
        let seen = seen_versions.or_insert_with(text(image, &["name"]), NameSet::new);
        versions(check, image, &entry, seen, report);
    }
    if whose == Images::Added {
        return;
    }
    for (index, image) in images.iter().enumerate() {
        let entry = path.index(index);
        if image.get("updateStrategy").is_none() {
            let detail = "must provide an update strategy";
            report.error(&rules::GDN_CPR_047, &entry.key("updateStrategy"), ErrorType::Required, detail);
        }
        whole_versions(check, image, &entry, report);
    }
}

/// Judges an image that a NamespacedCloudProfile adds to those of its parent.
pub fn new(check: &Check<'_>, image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    named(image, path, report);
    has_versions(image, path, report);
    strategy(image, path, report);
    versions(check, image, path, &mut NameSet::new(), report);
    whole_versions(check, image, path, report);
}

/// Judges a version that a NamespacedCloudProfile adds to an image of its parent.
pub fn version(check: &Check<'_>, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    version::judge(&check.definitions, version, path, report);
}

/// Judges whether each image has a latest version. The first version that is none is reported.
fn latest(images: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let all = path.field();
    for (index, image) in images.iter().enumerate() {
        let entry = path.index(index);
        let place = entry.key("versions");
        for (index, version) in items(image, &["versions"]).iter().enumerate() {
            let number = text(version, &["version"]);
            if SemVer::parse(number).is_none() {
                let detail = join(
                    &[
                        "failed to determine latest machine image version for image '",
                        text(image, &["name"]),
                        "': error while parsing expirable version '",
                        number,
                        "': ",
                        faults_of_version(number),
                    ],
                    "",
                );
                let pointer = place.index(index).key("version").pointer();
                report.error(&rules::GDN_CPR_031, &Path::root(&all, &pointer), ErrorType::Invalid, detail);
                return;
            }
        }
    }
}

fn named(image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let name = text(image, &["name"]);
    if name.is_empty() {
        let detail = "machine image name must not be empty";
        report.error(&rules::GDN_CPR_033, &path.key("name"), ErrorType::Required, detail);
    } else if let Some(detail) = names::fault("machine image name", name) {
        report.error(&rules::GDN_CPR_033, &path.key("name"), ErrorType::Invalid, detail);
    }
}

fn has_versions(image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if items(image, &["versions"]).is_empty() {
        let name = text(image, &["name"]);
        let detail = join(&["must provide at least one version for the machine image '", name, "'"], "");
        report.error(&rules::GDN_CPR_034, &path.key("versions"), ErrorType::Required, detail);
    }
}

fn strategy(image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(strategy) = image.get("updateStrategy").and_then(Value::as_str)
        && !STRATEGIES.contains(&strategy)
    {
        let detail = supported(STRATEGIES.into_iter());
        let place = path.key("updateStrategy");
        let entry = report.error(&rules::GDN_CPR_035, &place, ErrorType::NotSupported, detail);
        offer(entry, strategy, &STRATEGIES, by_likeness);
    }
}

/// Judges the versions of an image, of which others were seen under its name.
fn versions<'v>(
    check: &Check<'_>,
    image: &'v Value<'v>,
    path: &Path<'_>,
    seen: &mut NameSet<'v>,
    report: &mut Report<'_>,
) {
    let path = path.key("versions");
    for (index, version) in items(image, &["versions"]).iter().enumerate() {
        let entry = path.index(index);
        if !seen.insert(text(version, &["version"])) {
            report.error(&rules::GDN_CPR_036, &entry, ErrorType::Duplicate, "");
        }
        version::judge(&check.definitions, version, &entry, report);
    }
}

/// Judges the rest of the versions of an image that no parent completes.
fn whole_versions(check: &Check<'_>, image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (versions, path) = (items(image, &["versions"]), path.key("versions"));
    let all = Supported::of(versions);
    for (index, version) in versions.iter().enumerate() {
        let entry = path.index(index);
        version::judge_whole(&check.definitions, version, &entry, report);
        check.expirable.overlap(&all, index, &entry, report);
        check.expirable.judge(version, &entry, report);
    }
}
