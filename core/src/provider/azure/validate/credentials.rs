//! Secrets with the values to log in to Azure, and the bindings that refer to credentials (AZ-SEC, AZ-CRED).

use super::advice;
use super::workload_identity;
use crate::gardener::checks::bindings::{BindingRules, check_binding};
use crate::gardener::checks::credentials_fault::report_secret;
use crate::gardener::checks::kinds::{INTERNAL_SECRET, SECRET};
use crate::gardener::checks::secrets::{self, Supported};
use crate::policy::{Request, RequestError};
use crate::provider::azure::credentials::{INFRASTRUCTURE, faults, spelling};
use crate::provider::azure::rules::credentials as rules;
use crate::report::Report;

const BINDINGS: BindingRules = BindingRules {
    secret_binding: &rules::CRED_002,
    credentials_binding: |_| &rules::CRED_011,
    supported: &rules::CRED_015,
    credentials: Supported { kinds: &[SECRET, INTERNAL_SECRET], looks_up_all: true },
    checked: "its content",
    workload_identity: Some(workload_identity::behind_binding),
};

/// Judges a Secret. An update that changes no value is accepted.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let Some((secret, values)) = secrets::changed(request, report)? else { return Ok(()) };
    let old = secrets::old_values(request)?;
    let place = |key: Option<&str>| secret.place(key);
    let spelling = spelling(&values, INFRASTRUCTURE);
    report_secret(faults(&values, old.as_ref(), INFRASTRUCTURE), &spelling, place, report);
    advice::credentials::secret(&values, &spelling, "/data", place, report);
    Ok(())
}

/// Judges a SecretBinding or a CredentialsBinding by the credentials behind it.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_binding(
        request,
        &BINDINGS,
        |_, values, place, report| {
            let spelling = spelling(values, INFRASTRUCTURE);
            report_secret(faults(values, None, INFRASTRUCTURE), &spelling, |_| place.to_owned(), report);
            advice::credentials::secret(values, &spelling, place, |_| place.to_owned(), report);
        },
        report,
    )
}
