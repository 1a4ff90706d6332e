//! SecretBindings and CredentialsBindings: the Secret behind them (ALI-CRED).

use crate::gardener::credentials::{Binding, Referenced, referenced_secret};
use crate::policy::{Request, RequestError, read, read_old};
use crate::provider::alicloud::credentials::validate;
use crate::provider::alicloud::rules::credentials as rules;
use crate::report::{Report, Rule};

/// Judges a SecretBinding: on creation, and when its provider type changes.
pub fn secret_binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let binding: Binding<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        let old: Binding<'_> = read_old(old)?;
        let provider_type =
            |binding: &Binding<'_>| binding.provider.map(|provider| provider.provider_type.to_owned());
        if old.provider.is_some() && provider_type(&old) == provider_type(&binding) {
            return Ok(());
        }
    }
    let reference = binding.secret_ref;
    access_key(request, reference.namespace, reference.name, "/secretRef", &rules::CRED_003, report)
}

/// Judges a CredentialsBinding, on creation only: it cannot change.
pub fn credentials_binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let binding: Binding<'_> = read(request.object)?;
    if request.old_object.is_some() {
        return Ok(());
    }
    let reference = binding.credentials_ref;
    if (reference.api_version, reference.kind) != ("v1", "Secret") {
        let detail = format!(
            "unsupported credentials reference: version \"{}\", kind \"{}\"",
            reference.api_version, reference.kind
        );
        report.deny(&rules::CRED_006, "/credentialsRef", detail);
        return Ok(());
    }
    access_key(request, reference.namespace, reference.name, "/credentialsRef", &rules::CRED_005, report)
}

fn access_key(
    request: &Request<'_>,
    namespace: &str,
    name: &str,
    place: &'static str,
    rule: &'static Rule,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    match referenced_secret(request, namespace, name)? {
        Referenced::Found(secret, values) => validate(&secret, &values, |_| place.into(), report),
        Referenced::Failed(message) => {
            report.deny(rule, place, message);
        }
        Referenced::Unknown(query) => {
            let why = format!("Secret {namespace}/{name} is not known here; its access key is checked on submit");
            report.undecided(rule, why, Some(query));
        }
    }
    Ok(())
}
