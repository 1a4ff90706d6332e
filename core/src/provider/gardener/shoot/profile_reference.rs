//! How a Shoot names its profile (GDN-CP).

use super::Check;
use crate::document::{PatchOperation, Path, Value};
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{supported, text};
use crate::provider::gardener::rules::metadata as rules;
use crate::report::{ErrorType, Report};

const SPEC: Path<'_> = Path::root("spec", "/spec");
const KINDS: [&str; 2] = ["CloudProfile", "NamespacedCloudProfile"];

/// Judges the reference to the profile.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let old_name = text(check.shoot, &["spec", "cloudProfileName"]);
    if !old_name.is_empty() && is_at_least(check.version(), 34) {
        let detail = "for Kubernetes version >= 1.34, cloudProfileName field is no longer supported, use spec.cloudProfile.name \
                      instead";
        let place = SPEC.key("cloudProfileName");
        report.error(&rules::GDN_CP_001, &place, ErrorType::Forbidden, detail).fix(renamed(check.shoot));
    }
    let path = SPEC.key("cloudProfile");
    let (kind, name) = match check.shoot.at(&["spec", "cloudProfile"]) {
        Some(reference) => (text(reference, &["kind"]), text(reference, &["name"])),
        None => ("CloudProfile", old_name),
    };
    if name.is_empty() {
        report.error(&rules::GDN_CP_002, &path.key("name"), ErrorType::Required, "must specify a cloud profile");
    } else if !KINDS.contains(&kind) {
        let detail = supported(KINDS.into_iter());
        report.error(&rules::GDN_CP_003, &path.key("kind"), ErrorType::NotSupported, detail);
    }
}

/// The operations that name the profile by `cloudProfile` alone.
pub fn renamed(shoot: &Value<'_>) -> Vec<PatchOperation> {
    let name = Value::string(text(shoot, &["spec", "cloudProfileName"]));
    let reference = match shoot.at(&["spec", "cloudProfile"]) {
        Some(reference) => reference.clone(),
        None => Value::object([("kind", Value::string("CloudProfile")), ("name", name)]),
    };
    // Also where the object has it already, because it may be a default that the manifest lacks.
    let reference = PatchOperation::add(SPEC.key("cloudProfile").pointer(), &reference);
    vec![reference, PatchOperation::remove(SPEC.key("cloudProfileName").pointer())]
}
