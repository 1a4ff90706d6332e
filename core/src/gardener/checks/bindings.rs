//! SecretBindings and CredentialsBindings: when a change of one is judged, and the Secret behind it.

use super::secrets::referenced;
use crate::call::Known;
use crate::gardener::types::binding::{Binding, ObjectReference};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError, kind_of, read, read_old};
use crate::report::{Report, Rule};

/// What a binding refers to, and the place of the reference as an RFC 6901 pointer.
pub fn reference<'r>(request: &Request<'r>) -> Result<(ObjectReference<'r>, &'static str), RequestError> {
    let binding: Binding<'r> = read(request.object)?;
    Ok(match kind_of(request.object).0 {
        "SecretBinding" => (binding.secret_ref, "/secretRef"),
        _ => (binding.credentials_ref, "/credentialsRef"),
    })
}

/// The rules on the Secret behind a binding.
#[derive(Debug)]
pub struct BindingRules {
    /// The Secret behind a SecretBinding can be read.
    pub secret_binding: &'static Rule,
    /// The Secret behind a CredentialsBinding can be read.
    pub credentials_binding: &'static Rule,
    /// A CredentialsBinding refers to a kind that the cloud supports.
    pub supported: &'static Rule,
    /// What is checked in the Secret, such as `its access key`.
    pub checked: &'static str,
}

/// Judges a SecretBinding on creation and when its provider type changes, and a CredentialsBinding, which cannot change, on
/// creation. `judge` judges the Secret behind it; its findings belong at the given pointer.
pub fn check_binding(
    request: &Request<'_>,
    rules: &BindingRules,
    judge: fn(&Secret<'_>, &Values<'_>, &'static str, &mut Report<'_>),
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let (reference, place) = reference(request)?;
    let is_secret_binding = kind_of(request.object).0 == "SecretBinding";
    if is_secret_binding {
        if has_same_provider(request)? {
            return Ok(());
        }
    } else if request.old_object.is_some() {
        return Ok(());
    } else if (reference.api_version, reference.kind) != ("v1", "Secret") {
        let detail = format!(
            "unsupported credentials reference: version \"{}\", kind \"{}\"",
            reference.api_version, reference.kind
        );
        report.deny(rules.supported, place, detail);
        return Ok(());
    }
    let rule = if is_secret_binding { rules.secret_binding } else { rules.credentials_binding };
    let ObjectReference { namespace, name, .. } = reference;
    match referenced(request, namespace, name)? {
        Known::Found((secret, values)) => judge(&secret, &values, place, report),
        Known::Failed(message) => {
            report.deny(rule, place, message);
        }
        Known::Unknown(query) => {
            let why =
                format!("Secret {namespace}/{name} is not known here; {} is checked on submit", rules.checked);
            report.undecided(rule, why, Some(query));
        }
    }
    Ok(())
}

/// Whether an update keeps the provider type of a binding that had one.
fn has_same_provider(request: &Request<'_>) -> Result<bool, RequestError> {
    let Some(old) = request.old_object else { return Ok(false) };
    let (new, old): (Binding<'_>, Binding<'_>) = (read(request.object)?, read_old(old)?);
    Ok(old.provider.is_some() && old.provider == new.provider)
}
