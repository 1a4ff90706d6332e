//! Secrets with an access key, and the bindings that refer to them (ALI-SEC, ALI-CRED).

use super::advice;
use crate::gardener::checks::bindings::{BindingRules, check_binding};
use crate::gardener::checks::kinds::SECRET;
use crate::gardener::checks::secrets::{self, Supported};
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::credentials::validate;
use crate::provider::alicloud::rules::credentials as rules;
use crate::report::Report;

const BINDINGS: BindingRules = BindingRules {
    secret_binding: &rules::CRED_003,
    credentials_binding: |_| &rules::CRED_005,
    supported: &rules::CRED_006,
    credentials: Supported { kinds: &[SECRET], looks_up_all: false },
    checked: "its access key",
    workload_identity: None,
};

/// Judges a Secret. An update that changes no value is accepted.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let Some((secret, values)) = secrets::changed(request, report)? else { return Ok(()) };
    let place = |key: Option<&str>| secret.place(key);
    validate(&secret, &values, place, report);
    advice::secret::secret(&values, place, report);
    Ok(())
}

/// Judges a SecretBinding or a CredentialsBinding by the Secret behind it.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_binding(
        request,
        &BINDINGS,
        |secret, values, place, report| {
            validate(secret, values, |_| place.to_owned(), report);
        },
        report,
    )
}
