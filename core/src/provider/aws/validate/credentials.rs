//! Secrets with an access key, and the bindings that refer to credentials (AWS-SEC, AWS-CRED).

use super::{advice, workload_identity};
use crate::gardener::checks::bindings::{BindingRules, check_binding};
use crate::gardener::checks::credentials_fault::report_secret;
use crate::gardener::checks::kinds::{INTERNAL_SECRET, SECRET, WORKLOAD_IDENTITY};
use crate::gardener::checks::secrets::{self, Supported};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError};
use crate::provider::aws::credentials::{faults, spelling};
use crate::provider::aws::rules::credentials as rules;
use crate::report::Report;

const BINDINGS: BindingRules = BindingRules {
    secret_binding: &rules::CRED_002,
    credentials_binding: |kind| match kind {
        _ if kind == INTERNAL_SECRET.kind => &rules::CRED_005,
        _ if kind == WORKLOAD_IDENTITY.kind => &rules::CRED_006,
        _ => &rules::CRED_004,
    },
    supported: &rules::CRED_007,
    credentials: Supported { kinds: &[SECRET, INTERNAL_SECRET], looks_up_all: false },
    checked: "its content",
    workload_identity: Some(workload_identity::behind_binding),
};

/// Judges a Secret. An update that changes no value is accepted.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let Some((secret, values)) = secrets::changed(request, report)? else { return Ok(()) };
    let place = |key: Option<&str>| secret.place(key);
    judge(&secret, &values, place, report);
    advice::credentials::secret(&values, place, report);
    Ok(())
}

/// Judges a SecretBinding or a CredentialsBinding by the credentials behind it.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_binding(
        request,
        &BINDINGS,
        |secret, values, place, report| {
            judge(secret, values, |_| place.to_owned(), report);
            advice::credentials::behind_binding(values, place, report);
        },
        report,
    )
}

/// Judges the values of a Secret. `place` says where a finding about a key, or about the whole data, points.
fn judge(
    secret: &Secret<'_>,
    values: &Values<'_>,
    place: impl Fn(Option<&str>) -> String,
    report: &mut Report<'_>,
) {
    let name = format!("{}/{}", secret.metadata.namespace, secret.metadata.name);
    report_secret(faults(values, &name), &spelling(values), place, report);
}
