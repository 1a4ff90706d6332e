//! The region of a Shoot, and the binding of its credentials (GDN-SPEC-001 to 006).

use super::Check;
use super::pools::is_self_hosted;
use crate::document::Path;
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::spec as rules;
use crate::report::{ErrorType, Report};

const SECRET_BINDING: Path<'_> = Path::root("spec.secretBindingName", "/spec/secretBindingName");
const CREDENTIALS_BINDING: Path<'_> = Path::root("spec.credentialsBindingName", "/spec/credentialsBindingName");

/// Judges the region and the binding.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    if text(check.shoot, &["spec", "region"]).is_empty() {
        let path = Path::root("spec.region", "/spec/region");
        report.error(&rules::GDN_SPEC_001, &path, ErrorType::Required, "must specify a region");
    }
    if check.workers().is_empty() {
        for &(rule, key, path) in &[
            (&rules::GDN_SPEC_002, "secretBindingName", SECRET_BINDING),
            (&rules::GDN_SPEC_003, "credentialsBindingName", CREDENTIALS_BINDING),
        ] {
            if check.shoot.at(&["spec", key]).is_some() {
                check.forbid_without_workers(rule, &path, report);
            }
        }
        return;
    }
    if is_self_hosted(check.workers()) {
        return;
    }
    let has_secret = !text(check.shoot, &["spec", "secretBindingName"]).is_empty();
    let has_credentials = !text(check.shoot, &["spec", "credentialsBindingName"]).is_empty();
    if !has_secret && !has_credentials {
        let detail = "must be set when credentialsBindingName is not";
        report.error(&rules::GDN_SPEC_004, &SECRET_BINDING, ErrorType::Required, detail);
    }
    if has_secret && has_credentials {
        let detail = "is incompatible with credentialsBindingName";
        report.error(&rules::GDN_SPEC_005, &SECRET_BINDING, ErrorType::Forbidden, detail).fix_removal();
    }
    if has_secret && is_at_least(check.version(), 34) {
        let detail = "for Kubernetes versions >= 1.34, secretBindingName field is no longer supported, use \
                      spec.credentialsBindingName instead";
        report.error(&rules::GDN_SPEC_006, &SECRET_BINDING, ErrorType::Forbidden, detail);
    }
}
