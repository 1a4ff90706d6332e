//! The bastion of a CloudProfile (GDN-CPR-094 to 098).

use super::{Check, SPEC};
use crate::document::{Path, Value};
use crate::gardener::types::capabilities::ARCHITECTURE;
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::profile::{NO_TIME, Stage, is_dated, supports};
use crate::provider::gardener::rules::cloud_profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, by_number, offer};
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges the bastion of a profile.
pub fn judge(check: &Check<'_>, bastion: &Value<'_>, spec: &Value<'_>, report: &mut Report<'_>) {
    let path = SPEC.key("bastion");
    let (machine, image) = (bastion.get("machineType"), bastion.get("machineImage"));
    if machine.is_none() && image.is_none() {
        let detail = "bastion section needs a machine type or machine image";
        report.error(&rules::GDN_CPR_094, &path, ErrorType::Invalid, detail);
    }
    let mut architecture = None;
    if let Some(machine) = machine {
        let name = text(machine, &["name"]);
        let types = items(spec, &["machineTypes"]);
        if let Some(found) = named(types, name) {
            architecture = Some(architecture_of(check, found));
        } else {
            let detail = "machine type not found in spec.machineTypes";
            let place = path.key("machineType");
            let entry = report.error(&rules::GDN_CPR_095, &place.key("name"), ErrorType::Invalid, detail);
            let names: Vec<&str> = types.iter().map(|one| text(one, &["name"])).collect();
            offer(entry, name, &names, by_likeness);
        }
    }
    if let Some(image) = image {
        self::image(check, image, architecture, spec, &path.key("machineImage"), report);
    }
}

/// The architecture of a machine type: the only value of its capability, else that of the field.
fn architecture_of<'m>(check: &'m Check<'_>, machine: &'m Value<'_>) -> &'m str {
    match check.definitions.values_of(machine.get("capabilities"), ARCHITECTURE).as_slice() {
        [one] if !check.definitions.is_empty() => one,
        _ => text(machine, &["architecture"]),
    }
}

/// Judges the image, by the architecture of the machine type where there is one.
fn image(
    check: &Check<'_>,
    image: &Value<'_>,
    architecture: Option<&str>,
    spec: &Value<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let name = text(image, &["name"]);
    let images = items(spec, &["machineImages"]);
    let at_name = path.key("name");
    let Some(found) = named(images, name) else {
        let detail = "image name not found in spec.machineImages";
        let entry = report.error(&rules::GDN_CPR_096, &at_name, ErrorType::Invalid, detail);
        let names: Vec<&str> = images.iter().map(|one| text(one, &["name"])).collect();
        offer(entry, name, &names, by_likeness);
        return;
    };
    let at_version = path.key("version");
    let version = image.get("version").and_then(Value::as_str);
    let versions = items(found, &["versions"]);
    let is_wanted = |one: &&Value<'_>| version.is_none_or(|version| text(one, &["version"]) == version);
    if !versions.iter().any(|one| is_wanted(&one)) && version.is_some() {
        let detail = "image version not found in spec.machineImages";
        let entry = report.error(&rules::GDN_CPR_097, &at_version, ErrorType::Invalid, detail);
        let numbers: Vec<&str> = versions.iter().map(|one| text(one, &["version"])).collect();
        offer(entry, version.unwrap_or_default(), &numbers, by_number);
        return;
    }
    let now = check.expirable.now;
    let fits = |one: &&Value<'_>| {
        one.get("classification").is_some()
            && Stage::of(one, now) == Stage::Active("supported")
            && architecture.is_none_or(|wanted| {
                // Gardener takes every architecture that the capabilities define for one that the image has.
                check.definitions.architectures().contains(&wanted) || supports(spec, one, wanted)
            })
    };
    let mut fitting = versions.iter().filter(is_wanted).filter(fits).peekable();
    if fitting.peek().is_none() {
        let detail = join(
            &["no image with classification supported and arch \"", architecture.unwrap_or("<nil>"), "\" found"],
            "",
        );
        let place = if version.is_some() { at_version } else { at_name };
        report.error(&rules::GDN_CPR_098, &place, ErrorType::Invalid, detail);
    } else if now.is_none() && fitting.all(is_dated) {
        report.undecided(&rules::GDN_CPR_098, NO_TIME, None);
    }
}
