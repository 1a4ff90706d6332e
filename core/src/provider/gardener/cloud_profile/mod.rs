//! What Gardener checks of a CloudProfile (GDN-CPR). NamespacedCloudProfiles are judged by the same parts.

mod bastion;
mod capabilities;
mod expirable;
mod gates;
mod images;
mod kubernetes;
mod machine_types;
mod metadata;
mod names;
mod regions;
mod volume_types;

pub use capabilities::Definitions;
pub use expirable::Expirable;
pub use gates::Gates;
pub use images::Images;
pub use metadata::Namespace;

use super::fields::{integer, items, text};
use super::rules::cloud_profile as rules;
use super::shoot::label_selector;
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::policy::{Request, RequestError};
use crate::report::{ErrorType, Report};
use crate::text::is_certificate;

/// Where the specification of a profile is.
pub const SPEC: Path<'_> = Path::root("spec", "/spec");

/// What the rules on the parts of a profile go by.
pub struct Check<'c> {
    /// The capabilities by which machine types and images are described.
    pub definitions: Definitions<'c>,
    /// The rules on versions that appear and expire.
    pub expirable: Expirable,
}

/// Judges a CloudProfile, on an update together with the old one.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let none = Value::Null;
    let spec = request.object.get("spec").unwrap_or(&none);
    let check = Check { definitions: Definitions::of(spec), expirable: Expirable::of(request)? };
    metadata::judge(request, old, Namespace::None, report);
    if text(spec, &["type"]).is_empty() {
        report.error(&rules::GDN_CPR_001, &SPEC.key("type"), ErrorType::Required, "must provide a provider type");
    }
    capabilities::judge(Gates::of(request), spec, report);
    kubernetes(&check, spec, &SPEC, report);
    images(&check, spec, &SPEC, report);
    machine_types(&check, spec, &SPEC, report);
    volume_types(spec, &SPEC, report);
    regions::judge(items(spec, &["regions"]), report);
    if let Some(bastion) = spec.get("bastion") {
        bastion::judge(&check, bastion, spec, report);
    }
    limits(spec, report);
    if let Some(selector) = spec.get("seedSelector") {
        label_selector(&rules::GDN_CPR_100, selector, &SPEC.key("seedSelector"), report);
    }
    ca_bundle(spec, report);
    if let Some(old) = old {
        update(&check, spec, old.get("spec").unwrap_or(&none), report);
    }
    Ok(())
}

/// Judges the Kubernetes versions of a whole profile.
pub fn kubernetes(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let kubernetes = path.key("kubernetes");
    let versions = items(spec, &["kubernetes", "versions"]);
    kubernetes::latest(versions, &kubernetes.key("versions"), report);
    kubernetes::each(&check.expirable, versions, &kubernetes.key("versions"), report);
}

/// Judges the Kubernetes versions that a NamespacedCloudProfile changes.
pub fn kubernetes_versions(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let kubernetes = path.key("kubernetes");
    let versions = items(spec, &["kubernetes", "versions"]);
    kubernetes::each(&check.expirable, versions, &kubernetes.key("versions"), report);
}

/// Judges the images of a whole profile.
pub fn images(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    images::judge(check, items(spec, &["machineImages"]), Images::OfProfile, &path.key("machineImages"), report);
}

/// Judges the images that a NamespacedCloudProfile adds or completes, as far as they can be judged without its
/// parent.
pub fn added_images(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    images::judge(check, items(spec, &["machineImages"]), Images::Added, &path.key("machineImages"), report);
}

/// Judges one image that a NamespacedCloudProfile adds to those of its parent.
pub fn new_image(check: &Check<'_>, image: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    images::new(check, image, path, report);
}

/// Judges one version that a NamespacedCloudProfile adds to an image of its parent.
pub fn new_image_version(check: &Check<'_>, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    images::version(check, version, path, report);
}

/// Judges the machine types of a whole profile.
pub fn machine_types(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (types, path) = (items(spec, &["machineTypes"]), path.key("machineTypes"));
    if types.is_empty() {
        machine_types::missing(&path, report);
    }
    machine_types::judge(&check.definitions, types, &path, report);
    machine_types::judge_whole(&check.definitions, types, &path, report);
}

/// Judges the machine types that a NamespacedCloudProfile adds.
pub fn added_machine_types(check: &Check<'_>, spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (types, path) = (items(spec, &["machineTypes"]), path.key("machineTypes"));
    machine_types::judge(&check.definitions, types, &path, report);
}

/// Judges the volume types of a profile.
pub fn volume_types(spec: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    volume_types::judge(items(spec, &["volumeTypes"]), &path.key("volumeTypes"), report);
}

/// Judges metadata.
pub fn metadata(request: &Request<'_>, old: Option<&Value<'_>>, namespace: Namespace, report: &mut Report<'_>) {
    metadata::judge(request, old, namespace, report);
}

const MOST_NODES: &[&str] = &["limits", "maxNodesTotal"];

/// Judges the limits of a profile.
pub fn limits(spec: &Value<'_>, report: &mut Report<'_>) {
    if spec.at(MOST_NODES).is_some() && integer(spec, MOST_NODES) <= 0 {
        let limits = SPEC.key("limits");
        let detail = "maxNodesTotal must be greater than 0";
        report.error(&rules::GDN_CPR_099, &limits.key("maxNodesTotal"), ErrorType::Invalid, detail);
    }
}

/// Judges the certificates of a profile.
pub fn ca_bundle(spec: &Value<'_>, report: &mut Report<'_>) {
    if spec.get("caBundle").and_then(Value::as_str).is_some_and(|bundle| !is_certificate(bundle)) {
        let detail = "caBundle is not a valid PEM-encoded certificate";
        report.error(&rules::GDN_CPR_101, &SPEC.key("caBundle"), ErrorType::Invalid, detail);
    }
}

/// Judges what changes in a CloudProfile.
fn update(check: &Check<'_>, spec: &Value<'_>, old: &Value<'_>, report: &mut Report<'_>) {
    let limits = [old, spec].map(|spec| spec.at(MOST_NODES).map(|_| integer(spec, MOST_NODES)));
    if let [Some(before), Some(after)] = limits
        && after < before
    {
        let limits = SPEC.key("limits");
        let detail = "maxNodesTotal cannot be decreased";
        report
            .error(&rules::GDN_CPR_060, &limits.key("maxNodesTotal"), ErrorType::Invalid, detail)
            .remedy(format!("Write {before} or more."));
    }
    let kubernetes = SPEC.key("kubernetes");
    let [olds, news] = [old, spec].map(|spec| items(spec, &["kubernetes", "versions"]));
    check.expirable.withdrawn(olds, news, &kubernetes.key("versions"), report);
    let path = SPEC.key("machineImages");
    let olds: NameMap<'_, &Value<'_>> =
        items(old, &["machineImages"]).iter().map(|image| (text(image, &["name"]), image)).collect();
    for (index, image) in items(spec, &["machineImages"]).iter().enumerate() {
        let before = olds.get(text(image, &["name"])).map(|old| items(old, &["versions"])).unwrap_or_default();
        let path = path.index(index);
        check.expirable.withdrawn(before, items(image, &["versions"]), &path.key("versions"), report);
    }
}

#[cfg(test)]
mod tests;
