//! The control plane of a self-hosted Shoot, on the machines of a pool.

use crate::document::{Path, Value};
use crate::gardener::checks::kinds::WORKLOAD_IDENTITY;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::workers as rules;
use crate::provider::gardener::shoot::Check;
use crate::provider::gardener::shoot::credentials::{self, Namespace};
use crate::provider::gardener::shoot::metadata::label;
use crate::provider::gardener::shoot::self_hosted::judge_count;
use crate::report::{ErrorType, Report};

/// Judges a pool with a control plane.
pub fn judge(check: &Check<'_>, pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(control_plane) = pool.at(&["controlPlane"]) else { return };
    if !check.garden.is_from(148) {
        judge_count(pool, path, report);
    }
    let path = path.key("controlPlane");
    if let Some(own) = control_plane.get("backup") {
        backup(check, own, &path.key("backup"), report);
    }
    let exposure = path.key("exposure");
    if let Some(extension) = control_plane.at(&["exposure", "extension"]) {
        if control_plane.at(&["exposure", "dns"]).is_some() {
            let detail = "cannot have dns and extension set at the same time";
            report.error(&rules::GDN_WRK_068, &exposure, ErrorType::Invalid, detail);
        }
        let extension_path = exposure.hidden("extension");
        let (own, at_type) = (text(extension, &["type"]), extension_path.key("type"));
        if own.is_empty() {
            report.error(&rules::GDN_WRK_069, &at_type, ErrorType::Required, "must specify a provider type");
        } else {
            label(&rules::GDN_WRK_069, own, &at_type, report);
        }
    }
}

fn backup(check: &Check<'_>, backup: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let provider = text(backup, &["provider"]);
    if provider.is_empty() {
        let detail = "must provide a backup cloud provider name";
        report.error(&rules::GDN_WRK_062, &path.key("provider"), ErrorType::Required, detail);
    }
    if provider != text(check.shoot, &["spec", "provider", "type"]) && text(backup, &["region"]).is_empty() {
        let detail = "region must be specified for if backup provider is different from shoot provider used in \
                      `spec.provider.type`";
        report.error(&rules::GDN_WRK_063, &path.key("region"), ErrorType::Required, detail);
    }
    let place = path.key("credentialsRef");
    let Some(reference) = backup.get("credentialsRef") else {
        let detail = "must be set to refer a Secret or WorkloadIdentity";
        report.error(&rules::GDN_WRK_064, &place, ErrorType::Required, detail);
        return;
    };
    credentials::judge(reference, Namespace::Named, &place, report);
    if text(reference, &["namespace"]) != text(check.shoot, &["metadata", "namespace"]) {
        let detail = "must reference credentials in the same namespace as the Shoot";
        report.error(&rules::GDN_WRK_066, &place.key("namespace"), ErrorType::Forbidden, detail);
    }
    let kind = (text(reference, &["apiVersion"]), text(reference, &["kind"]));
    if kind == (WORKLOAD_IDENTITY.api_version, WORKLOAD_IDENTITY.kind) {
        let detail = "support for WorkloadIdentity as backup credentials is not yet implemented";
        report.error(&rules::GDN_WRK_067, &place, ErrorType::Forbidden, detail);
    }
}
