//! Writes a call as a signed request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::Request;
use hyper::body::Bytes;
use hyper::http::request::Parts;
use md5::{Digest as _, Md5};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use reqsign_aliyun_oss::{Credential as Key, RequestSigner, SigningVersion};
use reqsign_core::{Context, SignRequest as _};

use super::actions::{Action, Target};
use super::{host, invalid, parameter, text, xml};
use crate::call::failure::INVALID_CALL;
use crate::call::rest::RESERVED;
use crate::call::{CallFailure, Parameter, ResolvedCall};
use crate::credentials::Credential as _;
use crate::transport::alicloud::access_key::AccessKey;
use crate::transport::family::Place;

const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// A call as a request that is signed with the time of this machine.
pub(in crate::transport::alicloud) async fn request(
    call: &ResolvedCall,
    place: &Place,
    key: &AccessKey,
) -> Result<Request<Bytes>, CallFailure> {
    let (mut head, body) = unsigned(call, place)?.into_parts();
    let bucket = super::bucket(call)?;
    sign(&mut head, bucket, &place.region, key).await?;
    Ok(Request::from_parts(head, body))
}

async fn sign(head: &mut Parts, bucket: &str, region: &str, key: &AccessKey) -> Result<(), CallFailure> {
    let signer = RequestSigner::new(bucket).with_region(region).with_signing_version(SigningVersion::V4);
    let key = Key {
        access_key_id: key.id().to_owned(),
        access_key_secret: key.secret().to_owned(),
        security_token: key.token().map(str::to_owned),
        expires_in: None,
    };
    signer.sign_request(&Context::new(), head, Some(&key), None).await.map_err(|error| invalid(&error))?;
    if let Some(token) = head.headers.get_mut("x-oss-security-token") {
        token.set_sensitive(true);
    }
    Ok(())
}

/// The request without its signature.
fn unsigned(call: &ResolvedCall, place: &Place) -> Result<Request<Bytes>, CallFailure> {
    let action = super::action(call)?;
    let bucket = super::bucket(call)?;
    refuse_others(call, action)?;
    // Where everything goes to one address, the path names the bucket.
    let is_own = host(bucket, &place.region)? == place.host.host();
    let mut target = if is_own { "/".to_owned() } else { format!("/{bucket}/") };
    if action.target == Target::Object {
        target.extend(utf8_percent_encode(&needed(call, "key")?, RESERVED_IN_PATH));
    }
    for (position, (name, value)) in query(call, action)?.iter().enumerate() {
        target.push(if position == 0 { '?' } else { '&' });
        target.push_str(name);
        if !value.is_empty() {
            target.push('=');
            target.extend(utf8_percent_encode(value, RESERVED));
        }
    }
    let uri = format!("{}://{}{target}", place.scheme, place.host);
    let request = Request::builder().method(action.method.clone()).uri(uri);
    let Some(root) = action.body else { return request.body(Bytes::new()).map_err(|error| invalid(&error)) };
    let body = parameter(call, "body").ok_or_else(|| missing(call, "body"))?;
    refuse_quiet(body)?;
    let body = xml::write(root, body).map_err(|error| invalid(&error))?;
    let request = request
        .header("content-type", "application/xml")
        .header("content-md5", STANDARD.encode(Md5::digest(&body)))
        .body(Bytes::from(body));
    request.map_err(|error| invalid(&error))
}

/// The query: the name of the subresource has no value, and a parameter that is empty is left out.
fn query<'c>(call: &ResolvedCall, action: &'c Action) -> Result<Vec<(&'c str, String)>, CallFailure> {
    let mut query = Vec::new();
    if !action.subresource.is_empty() {
        query.push((action.subresource, String::new()));
    }
    for name in action.required {
        query.push((name, needed(call, name)?));
    }
    for name in action.optional {
        query.extend(text(call, name)?.map(|value| (*name, value)));
    }
    Ok(query)
}

/// The text of a parameter without which the call would ask for something else.
fn needed(call: &ResolvedCall, name: &str) -> Result<String, CallFailure> {
    text(call, name)?.ok_or_else(|| missing(call, name))
}

fn missing(call: &ResolvedCall, name: &str) -> CallFailure {
    CallFailure::own(INVALID_CALL, format!("`{}` needs the parameter `{name}`, which is not there", call.action))
}

/// Refuses parameters that the action does not have, because a request without them asks for something else.
fn refuse_others(call: &ResolvedCall, action: &Action) -> Result<(), CallFailure> {
    let is_known = |name: &str| {
        name == "bucket"
            || name == "RegionId"
            || name == "key" && action.target == Target::Object
            || name == "body" && action.body.is_some()
            || action.required.contains(&name)
            || action.optional.contains(&name)
    };
    match call.parameters.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, _)) => {
            Err(CallFailure::own(INVALID_CALL, format!("`{}` has no parameter `{name}`", call.action)))
        }
    }
}

/// Refuses a quiet deletion, because its answer does not say which objects were deleted and which were left out.
fn refuse_quiet(body: &Parameter) -> Result<(), CallFailure> {
    match body {
        Parameter::Object(members) if members.iter().any(|(name, _)| name == "Quiet") => {
            let message = "a deletion must not be `Quiet`: its answer would not say what was deleted";
            Err(CallFailure::own(INVALID_CALL, message))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
