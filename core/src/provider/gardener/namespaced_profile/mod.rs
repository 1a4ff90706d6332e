//! What Gardener checks of a NamespacedCloudProfile: its own parts (GDN-NCP), and what they make of its parent
//! (ADM-NCP).

mod extension;
mod form;
mod images;
mod merged;
mod origin;
mod parent;
mod versions;

use super::cloud_profile::{
    self, Check, Definitions, Expirable, Namespace, SPEC, added_images, added_machine_types, kubernetes_versions,
    volume_types,
};
use super::fields::{items, text};
use super::rules::namespaced_profile as rules;
use super::same::{is_same, type_of};
use super::structure::NAMESPACED_PROFILE;
use crate::document::Value;
use crate::gardener::checks::immutable::restored;
use crate::policy::{Request, RequestError};
use crate::report::{ErrorType, Report};

const PARENT_KIND: &str = "CloudProfile";

/// Judges a NamespacedCloudProfile, on an update together with the old one.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let none = Value::Null;
    let spec = request.object.get("spec").unwrap_or(&none);
    let check = Check { definitions: Definitions::default(), expirable: Expirable::of(request)? };
    cloud_profile::metadata(request, old, Namespace::Some, report);
    let parent = SPEC.key("parent");
    if text(spec, &["parent", "kind"]) != PARENT_KIND {
        let detail = "supported values: \"CloudProfile\"";
        report
            .error(&rules::GDN_NCP_002, &parent.key("kind"), ErrorType::NotSupported, detail)
            .fix_value(&Value::string(PARENT_KIND));
    }
    let mut unnamed = None;
    if text(spec, &["parent", "name"]).is_empty() {
        let detail = "must provide a parent name";
        unnamed = report.error(&rules::GDN_NCP_003, &parent.key("name"), ErrorType::Required, detail).as_cause();
    }
    let kubernetes = SPEC.key("kubernetes");
    let versions = kubernetes.key("versions");
    for (index, version) in items(spec, &["kubernetes", "versions"]).iter().enumerate() {
        if version.get("classification").is_some() {
            let entry = versions.index(index);
            let detail = "must not provide a classification to a Kubernetes version in NamespacedCloudProfile";
            let place = entry.key("classification");
            report.error(&rules::GDN_NCP_004, &place, ErrorType::Forbidden, detail).fix_removal();
        }
    }
    kubernetes_versions(&check, spec, &SPEC, report);
    added_images(&check, spec, &SPEC, report);
    added_machine_types(&check, spec, &SPEC, report);
    volume_types(spec, &SPEC, report);
    cloud_profile::ca_bundle(spec, report);
    cloud_profile::limits(spec, report);
    if let Some(old) = old {
        const PARENT: &[&str] = &["spec", "parent"];
        let of = type_of(&NAMESPACED_PROFILE, PARENT);
        if !is_same(of, old.at(PARENT), request.object.at(PARENT)) {
            restored(&rules::GDN_NCP_009, &parent, old, report);
        }
    }
    parent::judge(request, old, unnamed.as_ref(), report)
}

#[cfg(test)]
mod tests;
