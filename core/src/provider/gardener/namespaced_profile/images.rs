//! The machine images of a NamespacedCloudProfile together with those of its parent (ADM-NCP-006 to 008).

use super::extension::Extension;
use super::versions::{dates, is_over};
use crate::collections::NameMap;
use crate::document::{PatchOperation, Path, Value};
use crate::provider::gardener::cloud_profile::{SPEC, new_image, new_image_version};
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::profile::NO_TIME;
use crate::provider::gardener::rules::namespaced_profile as rules;
use crate::provider::gardener::same::{is_same, type_of};
use crate::provider::gardener::structure::{NAMESPACED_PROFILE, Type};
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

/// What the parent says of a version, and how Gardener calls it.
const OF_PARENT: [(&str, &str); 6] = [
    ("classification", "a classification"),
    ("cri", "a cri"),
    ("architectures", "an architecture"),
    ("capabilityFlavors", "capabilities"),
    ("kubeletVersionConstraint", "a kubelet version constraint"),
    ("inPlaceUpdates", "inPlaceUpdates"),
];

type Versions<'v> = NameMap<'v, &'v Value<'v>>;

/// Judges each image.
pub fn judge(extension: &Extension<'_>, report: &mut Report<'_>) {
    let path = SPEC.key("machineImages");
    let of_parent = by_name(extension.parent);
    let olds = extension.old.map(by_name).unwrap_or_default();
    for (index, image) in items(extension.spec, &["machineImages"]).iter().enumerate() {
        let (name, entry) = (text(image, &["name"]), path.index(index));
        let old = olds.get(name).copied();
        match of_parent.get(name) {
            Some(parent) => extended(extension, image, parent, old, &entry, report),
            None => new_image(&extension.check, image, &entry, report),
        }
    }
}

/// Images by their names.
fn by_name<'v>(spec: &'v Value<'v>) -> Versions<'v> {
    items(spec, &["machineImages"]).iter().map(|image| (text(image, &["name"]), image)).collect()
}

/// Versions of an image by their numbers.
fn by_number<'v>(image: Option<&'v Value<'v>>) -> Versions<'v> {
    let versions = image.map(|image| items(image, &["versions"])).unwrap_or_default();
    versions.iter().map(|version| (text(version, &["version"]), version)).collect()
}

/// Judges an image that the parent has, too.
fn extended<'v>(
    extension: &'v Extension<'v>,
    image: &'v Value<'v>,
    parent: &'v Value<'v>,
    old: Option<&'v Value<'v>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let name = text(image, &["name"]);
    let strategy = |image: &'v Value<'v>| image.get("updateStrategy").and_then(Value::as_str);
    if old.is_some_and(|old| strategy(old) != strategy(image)) {
        let detail = join(
            &[
                "cannot update the machine image update strategy of ",
                &quote(name),
                ", as this version has been added to the parent CloudProfile by now",
            ],
            "",
        );
        report.error(&rules::ADM_NCP_007, &path.key("updateStrategy"), ErrorType::Forbidden, detail);
    }
    let (of_parent, olds) = (by_number(Some(parent)), by_number(old));
    let dates_before =
        named(items(extension.old_status, &["machineImages"]), name).map(|old| dates(old, &["versions"]));
    let path = path.key("versions");
    for (index, version) in items(image, &["versions"]).iter().enumerate() {
        let (number, entry) = (text(version, &["version"]), path.index(index));
        match (of_parent.contains(number), olds.get(number)) {
            (false, _) => new_image_version(&extension.check, version, &entry, report),
            (true, None) => overridden(version, &entry, report),
            (true, Some(old)) => {
                let before = dates_before.as_ref().and_then(|dates| dates.get(number)).copied();
                changed(extension, [name, before.unwrap_or_default()], version, old, &entry, report);
            }
        }
    }
}

/// The other form in which a person may write architectures.
fn other_form(key: &str) -> Option<&'static str> {
    match key {
        "architectures" => Some("capabilityFlavors"),
        "capabilityFlavors" => Some("architectures"),
        _ => None,
    }
}

/// Judges a version of the parent that is new in the NamespacedCloudProfile.
fn overridden(version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for (key, words) in OF_PARENT {
        let is_written = match version.get(key) {
            Some(Value::Array(items)) => !items.is_empty(),
            Some(Value::String(text)) => !text.is_empty(),
            value => value.is_some(),
        };
        if is_written {
            let detail =
                join(&["must not provide ", words, " to an extended machine image in NamespacedCloudProfile"], "");
            let entry = report.error(&rules::ADM_NCP_006, &path.key(key), ErrorType::Forbidden, detail);
            match other_form(key) {
                // The person wrote the other form, of which Gardener made this one.
                Some(written) if !entry.is_of_value() => {
                    entry.fix(vec![PatchOperation::remove(path.key(written).pointer())]);
                }
                _ => entry.fix_removal(),
            }
        }
    }
    if version.get("expirationDate").is_none() {
        let number = quote(text(version, &["version"]));
        let detail = join(&["expiration date for version ", &number, " must be set"], "");
        report.error(&rules::ADM_NCP_006, &path.key("expirationDate"), ErrorType::Invalid, detail);
    }
}

/// Judges a version that the NamespacedCloudProfile had already, and that the parent has by now.
fn changed(
    extension: &Extension<'_>,
    [image, before]: [&str; 2],
    version: &Value<'_>,
    old: &Value<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let number = text(version, &["version"]);
    let Type::Object(fields) = type_of(&NAMESPACED_PROFILE, &["spec", "machineImages", "versions"]) else {
        return;
    };
    let is_kept = |key: &str, of: &'static Type| {
        let (before, after) = (old.get(key), version.get(key));
        // Gardener distinguishes an empty value from none here.
        key == "expirationDate" || before.is_some() == after.is_some() && is_same(of, before, after)
    };
    if !fields.iter().all(|(key, of)| is_kept(key, of)) {
        let detail = join(
            &[
                "cannot update the machine image version spec (except for the expiration date) of \"",
                image,
                "@",
                number,
                "\", as this version has been added to the parent CloudProfile by now",
            ],
            "",
        );
        report.error(&rules::ADM_NCP_007, path, ErrorType::Forbidden, detail);
    }
    let Some(date) = version.get("expirationDate").and_then(Value::as_str) else { return };
    match is_over(date, Some(before), extension.check.expirable.now) {
        None => report.undecided(&rules::ADM_NCP_007, NO_TIME, None),
        Some(true) => {
            let detail = join(&["expiration date for version ", &quote(number), " is in the past"], "");
            report.error(&rules::ADM_NCP_007, &path.key("expirationDate"), ErrorType::Invalid, detail);
        }
        Some(false) => {}
    }
}
