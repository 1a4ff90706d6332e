//! Secrets with credentials: as the object of a request, and behind a binding.

use super::kinds::CredentialsKind;
use crate::call::{FactAnswer, Known};
use crate::document::Value;
use crate::document::decode::DecodeError;
use crate::gardener::types::secret::{Secret, Values};
use crate::kube::query;
use crate::policy::{Request, RequestError, wrong_old_type, wrong_type};

/// The Secret of a request, with its values.
pub fn secret<'r>(request: &Request<'r>) -> Result<(Secret<'r>, Values<'r>), RequestError> {
    decoded(request.object).map_err(|error| wrong_type(&error))
}

/// Whether an update leaves the values as they are.
pub fn is_unchanged(request: &Request<'_>, values: &Values<'_>) -> Result<bool, RequestError> {
    let Some(old) = request.old_object else { return Ok(false) };
    let (_, old) = decoded(old).map_err(|error| wrong_old_type(&error))?;
    Ok(old.same(values))
}

/// An object with the members of a Secret that the object of a request refers to: from the request's context, else from a fact.
pub fn referenced<'r>(
    request: &Request<'r>,
    kind: CredentialsKind,
    namespace: &str,
    name: &str,
) -> Result<Known<(Secret<'r>, Values<'r>)>, RequestError> {
    let query = query::object(kind.api_version, kind.kind, namespace, name);
    // A Secret of another name says nothing of this one.
    let given = request.context("secret").filter(|secret| {
        let is =
            |key, wanted| secret.at(&["metadata", key]).and_then(Value::as_str).is_none_or(|text| text == wanted);
        is("name", name) && is("namespace", namespace)
    });
    let answer = given.map(FactAnswer::Response).or_else(|| request.fact(&query));
    Ok(match Known::answered(query, answer) {
        Known::Found(secret) => Known::Found(decoded(secret).map_err(|error| RequestError::Malformed {
            message: format!("secret {namespace}/{name}: {error}"),
            // The place of the mistake is in the Secret, and not in the object of the request.
            pointer: None,
        })?),
        Known::Failed(message) => Known::Failed(message),
        Known::Unknown(query) => Known::Unknown(query),
    })
}

fn decoded<'r>(object: &'r Value<'r>) -> Result<(Secret<'r>, Values<'r>), DecodeError> {
    let secret = Secret::read(object)?;
    let values = Values::of(&secret)?;
    Ok((secret, values))
}
