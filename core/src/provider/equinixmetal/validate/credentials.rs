//! Secrets, and the SecretBindings and CredentialsBindings that refer to them.

use crate::document::decode::DecodeError;
use crate::gardener::credentials::{Binding, Referenced, Secret, Values, referenced_secret};
use crate::policy::{Request, RequestError, kind_of, read, wrong_type};
use crate::provider::equinixmetal::credentials::validate;
use crate::provider::equinixmetal::rules::credentials as rules;
use crate::report::Report;

/// Judges a Secret.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let malformed = |error: DecodeError| wrong_type(&error);
    let secret = Secret::read(request.object).map_err(malformed)?;
    let values = Values::of(&secret).map_err(malformed)?;
    let place = |key: Option<&str>| key.map_or("/data".into(), |key| secret.pointer(key).into());
    validate(&secret, &values, place, report);
    Ok(())
}

/// Judges the Secret behind a binding; of credentials of another kind nothing is known.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let binding: Binding<'_> = read(request.object)?;
    let (reference, place) = match kind_of(request.object).0 {
        "SecretBinding" => (binding.secret_ref, "/secretRef"),
        _ => (binding.credentials_ref, "/credentialsRef"),
    };
    if !matches!(reference.kind, "" | "Secret") {
        return Ok(());
    }
    let named = format!("Secret {}/{}", reference.namespace, reference.name);
    match referenced_secret(request, reference.namespace, reference.name)? {
        Referenced::Found(secret, values) => validate(&secret, &values, |_| place.into(), report),
        Referenced::Failed(message) => {
            report.undecided(&rules::SEC_001, format!("{named} could not be read: {message}"), None);
        }
        Referenced::Unknown(query) => {
            let why = format!("{named} is not known here; its API token and project are needed by Shoots later");
            report.undecided(&rules::SEC_001, why, Some(query));
        }
    }
    Ok(())
}
