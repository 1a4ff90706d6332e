//! The extensions of a Shoot, and the objects that they may use (GDN-EXT, GDN-RES).

use super::Check;
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::checks::kinds::printed;
use crate::kube::names::label_faults;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::extensions as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

const SPEC: Path<'_> = Path::root("spec", "/spec");

/// Kinds of objects that extensions may use, with their API versions, in the order of the message.
const KINDS: [(&str, &str); 3] =
    [("v1", "Secret"), ("v1", "ConfigMap"), ("security.gardener.cloud/v1alpha1", "WorkloadIdentity")];

/// Judges extensions and resources.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    extensions(items(check.shoot, &["spec", "extensions"]), &SPEC.key("extensions"), report);
    resources(items(check.shoot, &["spec", "resources"]), &SPEC.key("resources"), report);
}

fn extensions(extensions: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::default();
    for (index, extension) in extensions.iter().enumerate() {
        let (extension_type, place) = (text(extension, &["type"]), path.index(index));
        let place = place.key("type");
        if extension_type.is_empty() {
            report.error(&rules::GDN_EXT_001, &place, ErrorType::Required, "field must not be empty");
        } else {
            for fault in label_faults(extension_type) {
                report.error(&rules::GDN_EXT_002, &place, ErrorType::Invalid, fault);
            }
        }
        if !seen.insert(extension_type) {
            report.error(&rules::GDN_EXT_003, &place, ErrorType::Duplicate, "");
        }
    }
}

fn resources(resources: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::default();
    for (index, resource) in resources.iter().enumerate() {
        let place = path.index(index);
        let name = text(resource, &["name"]);
        if name.is_empty() {
            let detail = "field must not be empty";
            report.error(&rules::GDN_RES_001, &place.key("name"), ErrorType::Required, detail);
        } else if !seen.insert(name) {
            report.error(&rules::GDN_RES_002, &place.key("name"), ErrorType::Duplicate, "");
        }
        reference(resource, &place.key("resourceRef"), report);
    }
}

fn reference(resource: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let member = |key| text(resource, &["resourceRef", key]);
    let (api_version, kind) = (member("apiVersion"), member("kind"));
    for (rule, key, detail) in [
        (&rules::GDN_RES_003, "apiVersion", "must provide an apiVersion"),
        (&rules::GDN_RES_004, "kind", "must provide a kind"),
    ] {
        if member(key).is_empty() {
            report.error(rule, &path.key(key), ErrorType::Required, detail);
        }
    }
    let version_of = |kind: &str| KINDS.iter().find(|(_, known)| *known == kind).map(|(version, _)| *version);
    if api_version.split('/').count() > 2 {
        let detail = "cannot determine GroupVersionKind for specified reference: unexpected GroupVersion string:";
        report.error(&rules::GDN_RES_005, path, ErrorType::Invalid, join(&[detail, api_version], " "));
    } else if !is_supported(api_version, kind) {
        let known = KINDS.map(|(version, kind)| printed(version, kind));
        let detail = supported(known.iter().map(String::as_str));
        let entry = report.error(&rules::GDN_RES_006, path, ErrorType::NotSupported, detail);
        if let Some(version) = version_of(kind) {
            entry.remedy(["Write `apiVersion: ", version, "` for a ", kind, "."].concat());
        }
    }
    if member("name").is_empty() {
        report.error(&rules::GDN_RES_007, &path.key("name"), ErrorType::Required, "must provide a name");
    }
}

/// Whether extensions may use objects of a kind. A version may have a `/` in front of it.
fn is_supported(api_version: &str, kind: &str) -> bool {
    let api_version = api_version.strip_prefix('/').unwrap_or(api_version);
    KINDS.contains(&(api_version, kind))
}
