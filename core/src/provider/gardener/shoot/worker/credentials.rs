//! References to credentials in a namespace (GDN-CRED).

use crate::document::{Path, Value};
use crate::gardener::checks::kinds::{ALL, CredentialsKind};
use crate::kube::names::subdomain_faults;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report};

/// Judges a reference.
pub fn judge(reference: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for &(rule, key, detail) in &[
        (&rules::GDN_CRED_001, "apiVersion", "must provide an apiVersion"),
        (&rules::GDN_CRED_002, "kind", "must provide a kind"),
        (&rules::GDN_CRED_003, "name", "must provide a name"),
        (&rules::GDN_CRED_005, "namespace", "must provide a namespace"),
    ] {
        if text(reference, &[key]).is_empty() {
            report.error(rule, &path.key(key), ErrorType::Required, detail);
        }
    }
    for &(rule, key) in &[(&rules::GDN_CRED_004, "name"), (&rules::GDN_CRED_006, "namespace")] {
        for fault in subdomain_faults(text(reference, &[key])) {
            report.error(rule, &path.key(key), ErrorType::Invalid, fault);
        }
    }
    let (api_version, kind) = (text(reference, &["apiVersion"]), text(reference, &["kind"]));
    if !ALL.iter().any(|known| (known.api_version, known.kind) == (api_version, kind)) {
        let detail = CredentialsKind::supported(ALL);
        report.error(&rules::GDN_CRED_007, path, ErrorType::NotSupported, detail);
    }
}
