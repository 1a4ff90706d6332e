//! SecretBindings and CredentialsBindings: the Secret behind them (ALI-CRED).

use crate::gardener::credentials::{Binding, Secret};
use crate::gardener::{read, read_old};
use crate::policy::{FactAnswer, Refusal, Request};
use crate::provider::alicloud::credentials::{Values, validate};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::credentials as rules;
use crate::report::{Report, Rule};

/// Judges a SecretBinding: on creation, and when its provider type changes.
pub fn secret_binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
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
    referenced_secret(request, reference.namespace, reference.name, "/secretRef", &rules::CRED_003, report)
}

/// Judges a CredentialsBinding, on creation only: it cannot change.
pub fn credentials_binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
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
    referenced_secret(request, reference.namespace, reference.name, "/credentialsRef", &rules::CRED_005, report)
}

fn referenced_secret(
    request: &Request<'_>,
    namespace: &str,
    name: &str,
    place: &'static str,
    rule: &'static Rule,
    report: &mut Report<'_>,
) -> Result<(), Refusal> {
    let query = queries::object("v1", "Secret", namespace, name);
    let secret = match (request.context("secret"), request.fact(&query)) {
        (Some(secret), _) | (None, Some(FactAnswer::Response(secret))) => secret,
        (None, Some(FactAnswer::Error { message, .. })) => {
            report.deny(rule, place, message);
            return Ok(());
        }
        (None, None) => {
            let why = format!("Secret {namespace}/{name} is not known here; its access key is checked on submit");
            report.undecided(rule, why, Some(query));
            return Ok(());
        }
    };
    // What is wrong inside the Secret must not place a pointer into the binding.
    let in_secret = |refusal| match refusal {
        Refusal::Malformed { message, .. } => {
            Refusal::Malformed { message: format!("secret {namespace}/{name}: {message}"), pointer: None }
        }
        other => other,
    };
    let secret: Secret<'_> = read(secret).map_err(in_secret)?;
    let values = Values::of(&secret).map_err(in_secret)?;
    validate(&secret, &values, |_| place.into(), report);
    Ok(())
}
