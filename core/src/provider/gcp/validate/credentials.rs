//! Secrets with a service account key, and the bindings that refer to credentials (GCP-SEC, GCP-CRED).

use super::workload_identity;
use crate::gardener::checks::bindings::{BindingRules, check_binding};
use crate::gardener::checks::credentials_fault::report_secret;
use crate::gardener::checks::kinds::{INTERNAL_SECRET, SECRET};
use crate::gardener::checks::secrets::{self, Supported};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError};
use crate::provider::gcp::credentials::{faults, spelling};
use crate::provider::gcp::rules::credentials as rules;
use crate::report::Report;

const BINDINGS: BindingRules = BindingRules {
    secret_binding: &rules::CRED_002,
    credentials_binding: |_| &rules::CRED_004,
    supported: &rules::CRED_008,
    credentials: Supported { kinds: &[SECRET, INTERNAL_SECRET], looks_up_all: true },
    checked: "its content",
    workload_identity: Some(workload_identity::behind_binding),
};

/// Judges a Secret. An update that changes no value is accepted.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let Some((secret, values)) = secrets::changed(request, report)? else { return Ok(()) };
    judge(&secret, &values, |key| secret.place(key), report);
    Ok(())
}

/// Judges a SecretBinding or a CredentialsBinding by the credentials behind it.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let judge = |secret: &Secret<'_>, values: &Values<'_>, place: &'static str, report: &mut Report<'_>| {
        judge(secret, values, |_| place.to_owned(), report);
    };
    check_binding(request, &BINDINGS, judge, report)
}

/// Judges the values of a Secret. `place` says where a finding about a key, or about the whole data, points.
fn judge(
    secret: &Secret<'_>,
    values: &Values<'_>,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    let name = format!("{}/{}", secret.metadata.namespace, secret.metadata.name);
    let spelling = spelling(values);
    spelling.warn(&place, report);
    report_secret(faults(values, &name), &spelling, place, report);
}
