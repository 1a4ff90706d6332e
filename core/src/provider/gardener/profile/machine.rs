//! Machine type and image of a pool.

use super::lifecycle::{NO_TIME, Stage, is_dated, is_open};
use super::version::{is_part, preview_remedy};
use super::{Check, Pool, is_usable};
use crate::document::{PatchOperation, Path, Value};
use crate::gardener::checks::spelling::follow;
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, ARCHITECTURES};
use crate::kube::version::Version;
use crate::provider::gardener::fields::{flag, items, named, supported, text, texts};
use crate::provider::gardener::rules::profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, by_number, offer};
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

const TYPE: &[&str] = &["machine", "type"];
const IMAGE: &[&str] = &["machine", "image"];
/// All of an image.
pub const IMAGE_PARTS: [&[&str]; 3] =
    [&["machine", "image", "name"], &["machine", "image", "version"], &["machine", "image", "providerConfig"]];
const ARCH: &[&str] = &["machine", "architecture"];

/// Judges architecture, machine type and image of a pool; the first mistake counts. Whether there is none.
pub fn judge(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) -> bool {
    let written = text(pool.worker, ARCH);
    let architecture = if written.is_empty() { AMD64 } else { written };
    let machine = pool.path.key("machine");
    if !ARCHITECTURES.contains(&architecture) {
        let detail = supported(ARCHITECTURES.into_iter());
        report.error(&rules::ADM_MACH_001, &machine.key("architecture"), ErrorType::NotSupported, detail);
        return false;
    }
    if let Some(Fault { rule, error_type, detail, valid, other_architecture }) =
        machine_type(check, pool, architecture)
    {
        let entry = report.error(rule, &machine.key("type"), error_type, detail);
        if let Some(own) = other_architecture {
            let path = machine.key("architecture");
            let remedy = join(
                &[
                    "Set `machine.architecture` to `",
                    own,
                    "`, which this machine type has, or choose another type.",
                ],
                "",
            );
            let add = if written.is_empty() { PatchOperation::add } else { PatchOperation::replace };
            entry.remedy(remedy).fix(vec![add(path.pointer(), &Value::string(own))]);
        } else if valid.is_empty() {
            entry.remedy("No machine type of the CloudProfile fits. Choose other zones, or another architecture.");
        } else {
            offer(entry, text(pool.worker, TYPE), &valid, by_likeness);
        }
        return false;
    }
    image(check, pool, architecture, report) && capabilities(check, pool, report)
}

/// What is wrong with a machine type, and the types that may be chosen.
struct Fault<'c> {
    rule: &'static Rule,
    error_type: ErrorType,
    detail: String,
    valid: Vec<&'c str>,
    /// The architecture that the machine type has, where nothing else is wrong.
    other_architecture: Option<&'c str>,
}

fn machine_type<'c>(check: &Check<'c>, pool: &Pool<'_, 'c>, architecture: &str) -> Option<Fault<'c>> {
    if !pool.is_changed(&[TYPE, ARCH]) {
        return None;
    }
    let types = items(check.profile, &["machineTypes"]);
    let wanted = text(pool.worker, TYPE);
    let lacks = |name: &str| check.is_unavailable(pool, "unavailableMachineTypes", name);
    let has_architecture = |offered: &Value<'_>| architecture_of(check.profile, offered) == architecture;
    let valid = || -> Vec<&str> {
        let fits = |offered: &&Value<'_>| {
            is_usable(offered) && has_architecture(offered) && !lacks(text(offered, &["name"]))
        };
        let mut names: Vec<&str> = types.iter().filter(fits).map(|offered| text(offered, &["name"])).collect();
        names.sort_unstable();
        names
    };
    let Some(offered) = named(types, wanted) else {
        let valid = valid();
        let detail = supported(valid.iter().copied());
        let (rule, error_type) = (&rules::ADM_MACH_010, ErrorType::NotSupported);
        return Some(Fault { rule, error_type, detail, valid, other_architecture: None });
    };
    let other_architecture =
        (is_usable(offered) && !lacks(wanted)).then(|| architecture_of(check.profile, offered));
    let mut faults = String::new();
    if !is_usable(offered) {
        faults.push_str("is unusable, ");
    }
    if lacks(wanted) {
        faults.push_str("is unavailable in at least one zone, ");
    }
    if !has_architecture(offered) {
        faults.push_str("does not support CPU architecture \"");
        faults.push_str(architecture);
        faults.push_str("\", ");
    }
    (!faults.is_empty()).then(|| {
        let valid = valid();
        let detail = format!("machine type \"{wanted}\" {faults}supported types are [{}]", valid.join(" "));
        Fault { rule: &rules::ADM_MACH_011, error_type: ErrorType::Invalid, detail, valid, other_architecture }
    })
}

/// The architecture of a machine type that a profile offers.
pub fn architecture_of<'c>(profile: &'c Value<'c>, offered: &'c Value<'c>) -> &'c str {
    let values = values_of(profile, offered.at(&["capabilities"]), ARCHITECTURE);
    match values.as_slice() {
        [one] => one,
        _ => match text(offered, &["architecture"]) {
            "" if items(profile, &["machineCapabilities"]).is_empty() => AMD64,
            written => written,
        },
    }
}

/// The values of a capability: its own, else all that the profile defines.
fn values_of<'c>(profile: &'c Value<'c>, capabilities: Option<&'c Value<'c>>, name: &str) -> Vec<&'c str> {
    if let Some(own) = capabilities.and_then(|capabilities| capabilities.get(name)) {
        return texts(own.items()).collect();
    }
    let definition = named(items(profile, &["machineCapabilities"]), name);
    definition.map(|definition| texts(items(definition, &["values"])).collect()).unwrap_or_default()
}

/// The version of an image in the profile.
pub fn image_version<'c>(check: &Check<'c>, name: &str, version: &str) -> Option<&'c Value<'c>> {
    let images = items(check.profile, &["machineImages"]).iter().filter(|image| text(image, &["name"]) == name);
    let mut versions = images.rev().flat_map(|image| items(image, &["versions"]).iter().rev());
    // Of a version that is there twice, the last one counts.
    versions.find(|offered| text(offered, &["version"]) == version)
}

fn image(check: &Check<'_>, pool: &Pool<'_, '_>, architecture: &str, report: &mut Report<'_>) -> bool {
    if !pool.is_changed(&IMAGE_PARTS) && !pool.is_changed(&[ARCH]) {
        return true;
    }
    let (name, version) =
        (text(pool.worker, &["machine", "image", "name"]), text(pool.worker, &["machine", "image", "version"]));
    let before = pool.old.map(|old| text(old, &["machine", "image", "version"]));
    let is_offered = |offered: &Value<'_>| {
        let is_later = || {
            before.is_some_and(|before| {
                matches!((Version::parse(text(offered, &["version"])), Version::parse(before)), (Some(own), Some(before)) if own >= before)
            })
        };
        match Stage::of(offered, check.now) {
            Stage::Active(_) => true,
            Stage::Expired => is_later(),
            Stage::Unavailable => false,
        }
    };
    let fits_in_place = |offered: &Value<'_>| {
        let least = text(offered, &["inPlaceUpdates", "minVersionForUpdate"]);
        !pool.is_in_place()
            || flag(offered, &["inPlaceUpdates", "supported"]) == Some(true)
                && before.is_none_or(|before| {
                    matches!((Version::parse(least), Version::parse(before)), (Some(least), Some(before)) if least <= before)
                })
    };
    let has_architecture = |offered: &Value<'_>| supports(check.profile, offered, architecture);
    let choose = || {
        let (mut valid, mut versions) = (Vec::<String>::new(), Vec::new());
        for image in items(check.profile, &["machineImages"]) {
            let image_name = text(image, &["name"]);
            if pool.worker.at(IMAGE).is_some() && image_name != name {
                continue;
            }
            for offered in items(image, &["versions"]) {
                if is_offered(offered) && has_architecture(offered) && fits_in_place(offered) {
                    let version = text(offered, &["version"]);
                    valid.push(format!("{image_name}:{version}"));
                    versions.push(version);
                }
            }
        }
        valid.sort_unstable();
        (valid, versions)
    };
    let machine = pool.path.key("machine");
    let path = machine.key("image");
    let Some(offered) = image_version(check, name, version) else {
        // The API server completes such a version by the time, which nobody knows here.
        if check.now.is_none() && is_open(version) {
            report.undecided(&rules::ADM_MACH_020, NO_TIME, None);
            return true;
        }
        let (valid, versions) = choose();
        unknown_version(
            check,
            &path,
            [name, version],
            [&valid.iter().map(String::as_str).collect::<Vec<_>>(), &versions],
            report,
        );
        return false;
    };
    let mut faults = String::new();
    if !has_architecture(offered) {
        faults.push_str("does not support CPU architecture \"");
        faults.push_str(architecture);
        faults.push_str("\", ");
    }
    if !is_offered(offered) {
        faults.push_str("is expired, ");
    }
    if !fits_in_place(offered) {
        faults.push_str(if pool.old.is_some() {
            "cannot be in-place updated from the current version, "
        } else {
            "does not support in-place updates, "
        });
    }
    if faults.is_empty() {
        if check.now.is_none() && is_dated(offered) {
            report.undecided(&rules::ADM_MACH_021, NO_TIME, None);
        }
        return true;
    }
    let (valid, _) = choose();
    let detail = format!(
        "machine image version '{name}:{version}' {faults}supported machine image versions are: [{}]",
        valid.join(" ")
    );
    let entry = report.error(&rules::ADM_MACH_021, &path, ErrorType::Invalid, detail);
    if valid.is_empty() {
        entry.remedy(if pool.old.is_some() {
            "No version of a machine image fits. Write the old image, machine type and architecture."
        } else {
            "No version of a machine image fits. Choose another machine type, or another architecture."
        });
    }
    false
}

/// Says that the profile lacks a version of an image, or the image: the place is what is wrong, the field that of
/// the version.
fn unknown_version(
    check: &Check<'_>,
    image: &Path<'_>,
    [name, version]: [&str; 2],
    [valid, versions]: [&[&str]; 2],
    report: &mut Report<'_>,
) {
    let is_known = name.is_empty() || named(items(check.profile, &["machineImages"]), name).is_some();
    let (place, name_at) = (image.key("version"), image.key("name").pointer());
    let (field, pointer) = (place.field(), if is_known { place.pointer() } else { name_at.clone() });
    let detail = supported(valid.iter().copied());
    let path = Path::root(&field, &pointer);
    let no_name = report.error_at(&name_at);
    let entry = report.error(&rules::ADM_MACH_020, &path, ErrorType::NotSupported, detail);
    let entry = follow(entry, no_name.as_ref());
    let choose = if is_known { choose_version } else { unknown_image };
    choose(check, [name, version], versions, entry);
}

/// Offers the versions of an image that fit, in a finding about a version that the profile lacks.
fn choose_version(check: &Check<'_>, [name, version]: [&str; 2], versions: &[&str], entry: Reported<'_>) {
    if versions.is_empty() {
        entry.remedy(
            "No version of the image fits. Choose another image, another machine type, or another architecture.",
        );
        return;
    }
    let meant: Vec<&Value<'_>> = versions
        .iter()
        .filter(|whole| is_part(version, whole))
        .filter_map(|whole| image_version(check, name, whole))
        .collect();
    let is_preview = |offered: &Value<'_>| Stage::of(offered, check.now) == Stage::Active("preview");
    let entry = match preview_remedy(version, &meant, is_preview) {
        Some(remedy) => entry.remedy(remedy),
        None => entry,
    };
    offer(entry, version, versions, by_number);
}

/// Names the images that there are, in a finding about one that the profile lacks.
fn unknown_image(check: &Check<'_>, [name, _]: [&str; 2], _: &[&str], entry: Reported<'_>) {
    let names: Vec<&str> =
        items(check.profile, &["machineImages"]).iter().map(|image| text(image, &["name"])).collect();
    let remedy = match names.as_slice() {
        [] => "Ask the operators of the CloudProfile for an image: it has none.".to_owned(),
        names => join(&["The profile has no image `", name, "`. Choose one of: ", &join(names, ", "), "."], ""),
    };
    offer(entry.remedy(remedy), name, &names, by_likeness);
}

/// Whether a version of an image has an architecture.
pub fn supports(profile: &Value<'_>, offered: &Value<'_>, architecture: &str) -> bool {
    architectures_of(profile, offered).contains(&architecture)
}

/// The architectures of a version of an image: those of its flavors, else its own.
fn architectures_of<'c>(profile: &'c Value<'c>, offered: &'c Value<'c>) -> Vec<&'c str> {
    let flavors = items(offered, &["capabilityFlavors"]);
    let found: Vec<&str> = if flavors.is_empty() {
        values_of(profile, None, ARCHITECTURE)
    } else {
        flavors.iter().flat_map(|flavor| values_of(profile, Some(flavor), ARCHITECTURE)).collect()
    };
    if !found.is_empty() {
        return found;
    }
    let own: Vec<&str> = texts(items(offered, &["architectures"])).collect();
    let has_capabilities = !items(profile, &["machineCapabilities"]).is_empty();
    if own.is_empty() && !has_capabilities { vec![AMD64] } else { own }
}

/// Judges whether a flavor of the image goes with the machine type.
fn capabilities(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) -> bool {
    let wanted = text(pool.worker, TYPE);
    let (name, version) =
        (text(pool.worker, &["machine", "image", "name"]), text(pool.worker, &["machine", "image", "version"]));
    let machine = named(items(check.profile, &["machineTypes"]), wanted);
    let image = image_version(check, name, version);
    let Some((machine, image)) = machine.zip(image) else { return true };
    if fits(check.profile, machine, image) {
        return true;
    }
    let own = machine.at(&["capabilities"]);
    let path = pool.path.key("machine");
    let image = path.key("image");
    let detail = format!(
        "machine capabilities {} of machine type \"{wanted}\" are not supported by machine image {name}:{version}",
        rendered(own)
    );
    report.error(&rules::ADM_MACH_030, &image.key("version"), ErrorType::Invalid, detail);
    false
}

/// Whether a version of an image goes with a machine type: one of its flavors does, or it has none.
pub fn fits(profile: &Value<'_>, machine: &Value<'_>, image: &Value<'_>) -> bool {
    let definitions = items(profile, &["machineCapabilities"]);
    let flavors = items(image, &["capabilityFlavors"]);
    let own = machine.at(&["capabilities"]);
    let goes = |flavor: &Value<'_>| {
        definitions.iter().all(|definition| {
            let name = text(definition, &["name"]);
            let values = values_of(profile, own, name);
            values_of(profile, Some(flavor), name).iter().any(|value| values.contains(value))
        })
    };
    flavors.is_empty() || flavors.iter().any(goes)
}

/// Capabilities as Go prints a map: sorted, and a list without commas.
fn rendered(capabilities: Option<&Value<'_>>) -> String {
    let mut entries: Vec<(&str, String)> = match capabilities {
        Some(Value::Object(members)) => members
            .iter()
            .map(|(name, values)| (name.as_ref(), texts(values.items()).collect::<Vec<_>>().join(" ")))
            .collect(),
        _ => Vec::new(),
    };
    entries.sort_unstable();
    let entries: Vec<String> = entries.into_iter().map(|(name, values)| format!("{name}:[{values}]")).collect();
    format!("map[{}]", entries.join(" "))
}
