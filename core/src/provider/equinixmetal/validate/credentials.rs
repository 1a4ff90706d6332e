//! Secrets, and the SecretBindings and CredentialsBindings that refer to them.

use crate::call::Known;
use crate::gardener::checks::bindings::reference;
use crate::gardener::checks::secrets;
use crate::policy::{Request, RequestError, wrong_type};
use crate::provider::equinixmetal::credentials::validate;
use crate::provider::equinixmetal::rules::credentials as rules;
use crate::report::Report;

/// Judges a Secret.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let (secret, values) = secrets::secret(request)?;
    validate(&secret, &values, |key| secret.place(key), report);
    Ok(())
}

/// Judges the Secret behind a binding. The policy has no rules on credentials of another kind.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let (reference, place) = reference(request.object).map_err(|error| wrong_type(&error))?;
    if !matches!(reference.kind, "" | "Secret") {
        return Ok(());
    }
    let named = format!("Secret {}/{}", reference.namespace, reference.name);
    match secrets::referenced(request, reference.namespace, reference.name)? {
        Known::Found((secret, values)) => validate(&secret, &values, |_| place.to_owned(), report),
        Known::Failed(message) => {
            report.undecided(&rules::SEC_001, format!("{named} could not be read: {message}"), None);
        }
        Known::Unknown(query) => {
            let why = format!("{named} is not known here; its API token and project are needed by Shoots later");
            report.undecided(&rules::SEC_001, why, Some(query));
        }
    }
    Ok(())
}
