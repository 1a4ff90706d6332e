//! References to credentials (GDN-CRED).

use crate::document::{Path, Value};
use crate::gardener::checks::kinds::{ALL, CredentialsKind};
use crate::kube::names::subdomain_faults;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report, Rule};

/// Where credentials are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// In the namespace that the reference names.
    Named,
    /// In the namespace of the Shoot.
    OfShoot,
}

/// Judges a reference.
pub fn judge(reference: &Value<'_>, namespace: Namespace, path: &Path<'_>, report: &mut Report<'_>) {
    required(&rules::GDN_CRED_001, reference, ("apiVersion", "must provide an apiVersion"), path, report);
    required(&rules::GDN_CRED_002, reference, ("kind", "must provide a kind"), path, report);
    required(&rules::GDN_CRED_003, reference, ("name", "must provide a name"), path, report);
    subdomain(&rules::GDN_CRED_004, reference, "name", path, report);
    if namespace == Namespace::Named {
        required(&rules::GDN_CRED_005, reference, ("namespace", "must provide a namespace"), path, report);
        subdomain(&rules::GDN_CRED_006, reference, "namespace", path, report);
    }
    let (api_version, kind) = (text(reference, &["apiVersion"]), text(reference, &["kind"]));
    if !ALL.iter().any(|known| (known.api_version, known.kind) == (api_version, kind)) {
        let detail = CredentialsKind::supported(ALL);
        report.error(&rules::GDN_CRED_007, path, ErrorType::NotSupported, detail);
    }
}

fn required(
    rule: &'static Rule,
    reference: &Value<'_>,
    (key, detail): (&str, &str),
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if text(reference, &[key]).is_empty() {
        report.error(rule, &path.key(key), ErrorType::Required, detail);
    }
}

fn subdomain(rule: &'static Rule, reference: &Value<'_>, key: &str, path: &Path<'_>, report: &mut Report<'_>) {
    for fault in subdomain_faults(text(reference, &[key])) {
        report.error(rule, &path.key(key), ErrorType::Invalid, fault);
    }
}
