//! SecretBindings and CredentialsBindings: when a change of one is judged, and the Secret behind it.

use super::kinds::{CredentialsKind, SECRET};
use super::secrets::referenced;
use crate::call::Known;
use crate::gardener::types::binding::{Binding, ObjectReference};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError, kind_of, read, read_old};
use crate::report::{Report, Rule};

/// What a binding refers to, and the place of the reference as an RFC 6901 pointer.
pub fn reference<'r>(request: &Request<'r>) -> Result<(ObjectReference<'r>, &'static str), RequestError> {
    let binding: Binding<'r> = read(request.object)?;
    Ok(if is_secret_binding(request) {
        (binding.secret_ref, "/secretRef")
    } else {
        (binding.credentials_ref, "/credentialsRef")
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
    /// Those kinds; their objects have the members of a Secret.
    pub kinds: &'static [CredentialsKind],
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
    if is_accepted(request)? {
        return Ok(());
    }
    let (rule, kind) = if is_secret_binding(request) {
        (rules.secret_binding, SECRET)
    } else if let Some(kind) = CredentialsKind::of(&reference, rules.kinds) {
        (rules.credentials_binding, kind)
    } else {
        let ObjectReference { api_version, kind, .. } = reference;
        let detail = format!("unsupported credentials reference: version \"{api_version}\", kind \"{kind}\"");
        report.deny(rules.supported, place, detail);
        return Ok(());
    };
    let ObjectReference { namespace, name, .. } = reference;
    match referenced(request, kind, namespace, name)? {
        Known::Found((secret, values)) => judge(&secret, &values, place, report),
        Known::Failed(message) => {
            report.deny(rule, place, message);
        }
        Known::Unknown(query) => {
            let why = format!(
                "{} {namespace}/{name} is not known here; {} is checked on submit",
                kind.kind, rules.checked
            );
            report.undecided(rule, why, Some(query));
        }
    }
    Ok(())
}

/// Whether the binding is accepted as it is: a CredentialsBinding that exists, or a SecretBinding that keeps its provider type.
fn is_accepted(request: &Request<'_>) -> Result<bool, RequestError> {
    let Some(old) = request.old_object else { return Ok(false) };
    if !is_secret_binding(request) {
        return Ok(true);
    }
    let (new, old): (Binding<'_>, Binding<'_>) = (read(request.object)?, read_old(old)?);
    Ok(old.provider.is_some() && old.provider == new.provider)
}

fn is_secret_binding(request: &Request<'_>) -> bool {
    kind_of(request.object).0 == "SecretBinding"
}
