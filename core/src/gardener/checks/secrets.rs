//! Secrets with credentials: as the object of a request, and behind a reference.

use super::kinds::{ALL, CredentialsKind, SECRET, unknown_kind, unsupported_kind};
use crate::call::Known;
use crate::document::Value;
use crate::document::decode::DecodeError;
use crate::gardener::types::binding::ObjectReference;
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError, wrong_old_type, wrong_type};
use crate::report::Report;

/// The Secret of a request, with its values.
pub fn secret<'r>(request: &Request<'r>) -> Result<(Secret<'r>, Values<'r>), RequestError> {
    decoded(request.object).map_err(|error| wrong_type(&error))
}

/// The values of the old Secret; none where there is no old one.
pub fn old_values<'r>(request: &Request<'r>) -> Result<Option<Values<'r>>, RequestError> {
    let old = request.old_object.map(decoded).transpose().map_err(|error| wrong_old_type(&error))?;
    Ok(old.map(|(_, values)| values))
}

/// The Secret of a request, with its values; none where an update changes no value, which is accepted.
pub fn changed<'r>(
    request: &Request<'r>,
    report: &mut Report<'_>,
) -> Result<Option<(Secret<'r>, Values<'r>)>, RequestError> {
    let (secret, values) = secret(request)?;
    if old_values(request)?.is_some_and(|old| old.same(&values)) {
        report.leaves_out("a Secret whose values do not change");
        return Ok(None);
    }
    Ok(Some((secret, values)))
}

/// A Secret that the object of a request refers to.
pub fn referenced<'r>(
    request: &Request<'r>,
    namespace: &str,
    name: &str,
) -> Result<Known<(Secret<'r>, Values<'r>)>, RequestError> {
    Ok(match object(request, SECRET, namespace, name) {
        Known::Found(secret) => Known::Found(found(secret, namespace, name)?),
        Known::Failed(message) => Known::Failed(message),
        Known::Unknown(query) => Known::Unknown(query),
    })
}

/// Credentials that a cloud takes.
#[derive(Debug)]
pub struct Supported {
    /// Their kinds, whose objects have the members of a Secret.
    pub kinds: &'static [CredentialsKind],
    /// Whether the existing extension looks up credentials of every kind before it refuses a kind.
    pub looks_up_all: bool,
}

/// Why a reference leads to no credentials that a cloud takes, in the words of the existing extensions.
#[derive(Debug)]
pub enum Refusal {
    /// The cloud takes no credentials of the kind.
    Unsupported(String),
    /// A look-up failed.
    Failed(String),
}

/// The object that a reference to credentials leads to, with its values.
pub fn credentials<'r>(
    request: &Request<'r>,
    reference: &ObjectReference<'_>,
    supported: &Supported,
) -> Result<Known<(Secret<'r>, Values<'r>), Refusal>, RequestError> {
    let ObjectReference { namespace, name, .. } = *reference;
    let unsupported = |words: String| Ok(Known::Failed(Refusal::Unsupported(words)));
    let looked_up = if supported.looks_up_all { ALL } else { supported.kinds };
    let Some(kind) = CredentialsKind::of(reference, looked_up) else {
        let words = if supported.looks_up_all { unknown_kind } else { unsupported_kind };
        return unsupported(words(reference));
    };
    Ok(match object(request, kind, namespace, name) {
        Known::Found(_) if !supported.kinds.contains(&kind) => return unsupported(unsupported_kind(reference)),
        Known::Found(secret) => Known::Found(found(secret, namespace, name)?),
        Known::Failed(message) => Known::Failed(Refusal::Failed(message)),
        Known::Unknown(query) => Known::Unknown(query),
    })
}

/// An object with credentials: `secret` or one of `objects` of the request's context, else from a fact.
fn object<'r>(request: &Request<'r>, kind: CredentialsKind, namespace: &str, name: &str) -> Known<&'r Value<'r>> {
    // A Secret of another name says nothing of this one.
    let given = request.context("secret").filter(|secret| {
        let is = |keys: &[&str], wanted| secret.at(keys).and_then(Value::as_str).is_none_or(|text| text == wanted);
        is(&["kind"], kind.kind) && is(&["metadata", "name"], name) && is(&["metadata", "namespace"], namespace)
    });
    given.map_or_else(|| request.object(kind.api_version, kind.kind, namespace, name), Known::Found)
}

/// A Secret that a look-up found.
pub fn found<'r>(
    secret: &'r Value<'r>,
    namespace: &str,
    name: &str,
) -> Result<(Secret<'r>, Values<'r>), RequestError> {
    decoded(secret).map_err(|error| RequestError::Malformed {
        message: format!("secret {namespace}/{name}: {error}"),
        // The place of the mistake is in the Secret, and not in the object of the request.
        pointer: None,
    })
}

fn decoded<'r>(object: &'r Value<'r>) -> Result<(Secret<'r>, Values<'r>), DecodeError> {
    let secret = Secret::read(object)?;
    let values = Values::of(&secret)?;
    Ok((secret, values))
}
