//! SecretBindings and CredentialsBindings: when a change of one is judged, and the credentials behind it.

use super::kinds::{CredentialsKind, SECRET, WORKLOAD_IDENTITY};
use super::secrets::{Refusal, Supported, credentials};
use crate::call::Known;
use crate::document::Value;
use crate::document::decode::{DecodeError, Mode, decode};
use crate::gardener::types::binding::{Binding, ObjectReference};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError, kind_of, read, read_old, wrong_type};
use crate::report::{Report, Rule};

/// What a binding refers to, and the place of the reference as an RFC 6901 pointer.
pub fn reference<'v>(binding: &'v Value<'v>) -> Result<(ObjectReference<'v>, &'static str), DecodeError> {
    let Binding { secret_ref, credentials_ref, .. } = decode(binding, Mode::Lenient)?;
    Ok(if is_secret_binding(binding) {
        let secret = ObjectReference { api_version: SECRET.api_version, kind: SECRET.kind, ..secret_ref };
        (secret, "/secretRef")
    } else {
        (credentials_ref, "/credentialsRef")
    })
}

/// The rules on the credentials behind a binding.
#[derive(Debug)]
pub struct BindingRules {
    /// The Secret behind a SecretBinding can be read.
    pub secret_binding: &'static Rule,
    /// The object behind a CredentialsBinding, which is of the given kind, can be read.
    pub credentials_binding: fn(&str) -> &'static Rule,
    /// A CredentialsBinding refers to a kind that the cloud supports.
    pub supported: &'static Rule,
    /// What the cloud supports.
    pub credentials: Supported,
    /// What is checked in the Secret, such as `its access key`.
    pub checked: &'static str,
    /// Judges the WorkloadIdentity behind a CredentialsBinding, in a cloud that trusts one.
    pub workload_identity: Option<WorkloadIdentityJudge>,
}

/// Judges a WorkloadIdentity; the findings belong at the given pointer.
pub type WorkloadIdentityJudge = fn(&Request<'_>, &Value<'_>, &'static str, &mut Report<'_>);

/// Judges a SecretBinding on creation and when its provider type changes, and a CredentialsBinding, which cannot
/// change, on creation. `judge` judges the Secret behind it; its findings belong at the given pointer.
pub fn check_binding(
    request: &Request<'_>,
    rules: &BindingRules,
    judge: fn(&Secret<'_>, &Values<'_>, &'static str, &mut Report<'_>),
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let (reference, place) = reference(request.object).map_err(|error| wrong_type(&error))?;
    if is_accepted(request)? {
        report.leaves_out("the credentials behind a binding that does not change");
        return Ok(());
    }
    let ObjectReference { api_version, kind, namespace, name } = reference;
    let is_identity = CredentialsKind::of(&reference, &[WORKLOAD_IDENTITY]).is_some();
    let found = match rules.workload_identity.filter(|_| is_identity) {
        None => credentials(request, &reference, &rules.credentials)?,
        Some(judge_identity) => match request.object(api_version, kind, namespace, name) {
            Known::Found(identity) => {
                judge_identity(request, identity, place, report);
                return Ok(());
            }
            Known::Failed(message) => Known::Failed(Refusal::Failed(message)),
            Known::Unknown(query) => Known::Unknown(query),
        },
    };
    let is_secret_binding = is_secret_binding(request.object);
    let rule = if is_secret_binding { rules.secret_binding } else { (rules.credentials_binding)(kind) };
    match found {
        Known::Found((secret, values)) => judge(&secret, &values, place, report),
        Known::Failed(Refusal::Failed(detail)) => {
            report.deny(rule, place, detail);
        }
        Known::Failed(Refusal::Unsupported(detail)) => {
            report.deny(rules.supported, place, detail);
        }
        Known::Unknown(query) => {
            let why =
                format!("{kind} {namespace}/{name} is not known here; {} is checked on submit", rules.checked);
            report.undecided(rule, why, Some(query));
        }
    }
    Ok(())
}

/// Whether the binding is accepted as it is: a CredentialsBinding that exists, or a SecretBinding that keeps its
/// provider type.
fn is_accepted(request: &Request<'_>) -> Result<bool, RequestError> {
    let Some(old) = request.old_object else { return Ok(false) };
    if !is_secret_binding(request.object) {
        return Ok(true);
    }
    let (new, old): (Binding<'_>, Binding<'_>) = (read(request.object)?, read_old(old)?);
    Ok(old.provider.is_some() && old.provider == new.provider)
}

fn is_secret_binding(binding: &Value<'_>) -> bool {
    kind_of(binding).0 == "SecretBinding"
}
