//! A version of a machine image (GDN-CPR-037 to 053).

use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::types::capabilities::{ARCHITECTURE, ARCHITECTURES};
use crate::kube::semver::SemVer;
use crate::provider::gardener::cloud_profile::capabilities::{Definitions, values};
use crate::provider::gardener::cloud_profile::names;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::machine_offers as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Severity};
use crate::text::join;

const INTERFACE: &str = "containerd";

/// Judges a version as far as it has to be right in a NamespacedCloudProfile, too, whose parent may say the rest.
pub fn judge(definitions: &Definitions<'_>, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (number, place) = (text(version, &["version"]), path.key("version"));
    if number.is_empty() {
        report.error(&rules::GDN_CPR_037, &place, ErrorType::Required, "");
    }
    if SemVer::parse(number).is_none() {
        let detail = "could not parse version. Use a semantic version. In case there is no semantic version for this image use the \
                      extensibility provider (define mapping in the CloudProfile) to map to the actual non semantic version";
        report.error(&rules::GDN_CPR_038, &place, ErrorType::Invalid, detail);
    }
    let least = version.at(&["inPlaceUpdates", "minVersionForUpdate"]).and_then(Value::as_str);
    if least.is_some_and(|least| SemVer::parse(least).is_none()) {
        let (field, pointer) = (
            path.key("minVersionForInPlaceUpdate").field(),
            path.key("inPlaceUpdates").key("minVersionForUpdate").pointer(),
        );
        let detail = "could not parse version. Use a semantic version.";
        report.error(&rules::GDN_CPR_039, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
    }
    architectures(definitions, version, path, report);
    if !definitions.is_empty() {
        let flavors = path.key("capabilityFlavors");
        for (index, flavor) in items(version, &["capabilityFlavors"]).iter().enumerate() {
            definitions.judge(&rules::GDN_CPR_044, Some(flavor), &flavors.index(index), report);
        }
    }
    let constraint = version.get("kubeletVersionConstraint").and_then(Value::as_str);
    if let Some(constraint) = constraint.filter(|constraint| SemVer::default().satisfies(constraint).is_none()) {
        let detail = join(
            &["cannot parse the kubeletVersionConstraint: improper constraint: ", &crate::text::quote(constraint)],
            "",
        );
        report.error(&rules::GDN_CPR_046, &path.key("kubeletVersionConstraint"), ErrorType::Invalid, detail);
    }
}

/// Judges the architectures of a version, and those of its flavors.
fn architectures(definitions: &Definitions<'_>, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let flavors = items(version, &["capabilityFlavors"]);
    let all = path.key("capabilityFlavors");
    let has_several = definitions.architectures().len() > 1;
    if has_several && flavors.is_empty() {
        let detail = "must provide at least one image flavor when multiple architectures are defined in spec.machineCapabilities";
        report.error(&rules::GDN_CPR_040, &all, ErrorType::Required, detail);
        return;
    }
    let own = values(version.get("architectures"));
    let place = path.key("architectures");
    if !definitions.is_empty() {
        let mut of_flavors: Vec<&str> = Vec::new();
        for (index, flavor) in flavors.iter().enumerate() {
            let entry = all.index(index);
            let place = entry.key(ARCHITECTURE);
            let values = values(flavor.get(ARCHITECTURE));
            if values.is_empty() && has_several {
                let detail = "must specify one architecture explicitly as multiple architectures are defined in spec.machineCapabilities";
                report.error(&rules::GDN_CPR_041, &place, ErrorType::Required, detail);
            }
            if values.len() > 1 {
                let detail = "must not define more than one architecture within an image flavor";
                report.error(&rules::GDN_CPR_041, &place, ErrorType::Invalid, detail);
            }
            of_flavors.extend(values);
        }
        if of_flavors.is_empty()
            && let [one] = definitions.architectures()
        {
            of_flavors.push(one);
        }
        of_flavors.sort_unstable();
        of_flavors.dedup();
        if own.iter().any(|architecture| of_flavors.binary_search(architecture).is_err()) {
            let detail = join(
                &[
                    "architecture field values set (",
                    &own.join(","),
                    ") conflict with the capability architectures (",
                    &of_flavors.join(","),
                    ")",
                ],
                "",
            );
            report.error(&rules::GDN_CPR_042, &place, ErrorType::Invalid, detail);
        }
    }
    let known: &[&str] = if definitions.is_empty() { &ARCHITECTURES } else { definitions.architectures() };
    for (index, architecture) in own.iter().enumerate() {
        if known.binary_search(architecture).is_err() && !report.is_full(Severity::Error) {
            let detail = supported(known.iter().copied());
            let place = place.index(index);
            let entry = report.error(&rules::GDN_CPR_043, &place, ErrorType::NotSupported, detail);
            offer(entry, architecture, known, by_likeness);
        }
    }
}

/// Judges the rest of a version of a CloudProfile, and of one that no parent completes.
pub fn judge_whole(definitions: &Definitions<'_>, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    runtimes(version, path, report);
    if !definitions.is_empty() {
        return;
    }
    if items(version, &["architectures"]).is_empty() {
        let detail = "must provide at least one architecture";
        report.error(&rules::GDN_CPR_052, &path.key("architectures"), ErrorType::Required, detail);
    }
    if !items(version, &["capabilityFlavors"]).is_empty() {
        let detail = "must not provide capabilities without global definition";
        report.error(&rules::GDN_CPR_053, &path.key("capabilityFlavors"), ErrorType::Forbidden, detail);
    }
}

fn runtimes(version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (interfaces, all) = (items(version, &["cri"]), path.key("cri"));
    if interfaces.is_empty() {
        let detail = "must provide at least one supported container runtime";
        report.error(&rules::GDN_CPR_048, &all, ErrorType::Required, detail);
    }
    let mut seen = NameSet::new();
    for (index, interface) in interfaces.iter().enumerate() {
        let (name, entry) = (text(interface, &["name"]), all.index(index));
        if !seen.insert(name) {
            report.error(&rules::GDN_CPR_049, &entry, ErrorType::Duplicate, "");
        }
        if name != INTERFACE {
            let detail = supported([INTERFACE].into_iter());
            let entry = report.error(&rules::GDN_CPR_050, &entry.key("name"), ErrorType::NotSupported, detail);
            offer(entry, name, &[INTERFACE], by_likeness);
        }
        let all = entry.key("containerRuntimes");
        let mut seen = NameSet::new();
        for (index, runtime) in items(interface, &["containerRuntimes"]).iter().enumerate() {
            let (kind, entry) = (text(runtime, &["type"]), all.index(index));
            let place = entry.key("type");
            if !seen.insert(kind) {
                report.error(&rules::GDN_CPR_051, &place, ErrorType::Duplicate, "");
            }
            if let Some(detail) = names::fault("container runtime type", kind) {
                report.error(&rules::GDN_CPR_051, &place, ErrorType::Invalid, detail);
            }
        }
    }
}

/// What Gardener's library says of a text that is no semantic version.
pub fn faults_of_version(text: &str) -> &'static str {
    if text.len() > 256 {
        return "version string is too long (max 256 bytes)";
    }
    let (version, _) = text.split_once('+').unwrap_or((text, ""));
    let pre_release = version.split_once('-').map(|(_, pre_release)| pre_release).unwrap_or_default();
    let has_leading_zero =
        |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    if pre_release.split('.').any(has_leading_zero) {
        return "version segment starts with 0";
    }
    crate::kube::version::NO_VERSION
}
