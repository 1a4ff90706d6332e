//! Objects of requests: their kinds, and how they are decoded.

use std::borrow::Cow;

use super::RequestError;
use crate::document::Value;
use crate::document::decode::{DecodeError, Mode, Target, decode_into};

/// Group and version of Gardener's core API.
pub const CORE: &str = "core.gardener.cloud/v1beta1";

/// Group and version of Gardener's API of credentials.
pub const SECURITY: &str = "security.gardener.cloud/v1alpha1";

/// Decodes an object of the API; a value of the wrong type makes the request malformed.
pub fn read<'v, T: Target<'v> + Default>(object: &'v Value<'v>) -> Result<T, RequestError> {
    let mut decoded = T::default();
    decode_into(&mut decoded, object, Mode::Lenient).map_err(|error| wrong_type(&error))?;
    Ok(decoded)
}

/// Decodes the old object of a request.
pub fn read_old<'v, T: Target<'v> + Default>(object: &'v Value<'v>) -> Result<T, RequestError> {
    let mut decoded = T::default();
    decode_into(&mut decoded, object, Mode::Lenient).map_err(|error| wrong_old_type(&error))?;
    Ok(decoded)
}

/// The error for a value of the wrong type in the old object. The error has no pointer, for the place is not in
/// the object of the request.
pub fn wrong_old_type(error: &DecodeError) -> RequestError {
    RequestError::Malformed { message: format!("oldObject: {error}"), pointer: None }
}

/// The error for a value of the wrong type in the object.
pub fn wrong_type(error: &DecodeError) -> RequestError {
    RequestError::Malformed { message: error.to_string(), pointer: Some(error.pointer().to_owned()) }
}

/// The kind of an object that policies judge; none where the object has an `apiVersion` of another group than the
/// kind.
pub fn judged_kind<'v>(object: &'v Value<'v>) -> Option<&'v str> {
    let (kind, api_version) = kind_of(object);
    let group = match kind {
        "Secret" => "",
        "CredentialsBinding" | "WorkloadIdentity" => "security.gardener.cloud",
        "Infrastructure" | "ControlPlane" | "Worker" | "Bastion" => "extensions.gardener.cloud",
        _ => "core.gardener.cloud",
    };
    let found = api_version.split_once('/').map_or("", |(group, _)| group);
    (api_version.is_empty() || found == group).then_some(kind)
}

/// The error for an object of a kind that a policy does not judge.
pub fn unsupported(object: &Value<'_>) -> RequestError {
    unsupported_by(object, "this policy judges")
}

/// The error for an object of a kind of which somebody has nothing to say.
pub fn unsupported_by(object: &Value<'_>, by: impl Into<Cow<'static, str>>) -> RequestError {
    let (kind, api_version) = kind_of(object);
    let by = by.into();
    RequestError::UnsupportedKind { api_version: api_version.to_owned(), kind: kind.to_owned(), by }
}

/// Kind and `apiVersion` of an object.
pub fn kind_of<'v>(object: &'v Value<'v>) -> (&'v str, &'v str) {
    let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
    (text("kind"), text("apiVersion"))
}
