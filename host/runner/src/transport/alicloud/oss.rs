//! Requests to OSS, which has its own protocol.

use std::sync::atomic::Ordering;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::http::uri::Uri;
use hyper::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqsign_aliyun_oss::{Credential as Key, RequestSigner, SigningVersion};
use reqsign_core::{Context, SignRequest as _};
use serde::Deserialize;

use super::access_key::AccessKey;
use super::answer::refusal;
use super::refuses_the_time;
use super::service::label;
use crate::call::CallFailure;
use crate::call::failure::{INVALID_CALL, UNREADABLE_ANSWER};
use crate::credentials::Credential as _;
use crate::limits::permit::Terms;
use crate::transport::answer::Answer;
use crate::transport::clock;
use crate::transport::session::{Effect, Session, Who, may_send, named, role};

/// How long an answer may take.
const OBJECT_PATIENCE: Duration = Duration::from_mins(1);

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// A request to OSS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectRequest {
    /// The HTTP method.
    pub method: Method,
    /// The bucket; absent in requests for the account.
    pub bucket: Option<String>,
    /// The object; empty in requests for the bucket.
    pub key: String,
    /// Names of the query with their values. The name of a subresource such as `bucketInfo` has an empty value.
    pub query: Vec<(String, String)>,
    /// Headers, in lower case.
    pub headers: Vec<(String, String)>,
    /// The content.
    pub body: Bytes,
    /// The role of the account whose credentials sign the request; where absent, the account is the Shoot's.
    pub account: Option<String>,
}

impl ObjectRequest {
    /// What the request does, for people.
    pub(super) fn action(&self) -> String {
        let subresource = self.query.first().map(|(name, _)| format!(" {name}"));
        format!("{}{}", self.method, subresource.unwrap_or_default())
    }

    /// The signed request. Without an address for everything, it goes to the host of the bucket.
    pub(super) async fn signed(
        &self,
        address: Option<&str>,
        region: &str,
        key: &AccessKey,
    ) -> Result<Request<Bytes>, CallFailure> {
        let bucket = self.bucket.as_deref().map(label).transpose().map_err(|error| invalid(&error))?;
        let region = label(region).map_err(|error| invalid(&error))?;
        let (mut head, body) = self.request(address, region).map_err(|error| invalid(&error))?.into_parts();
        let signer = RequestSigner::new(bucket.unwrap_or_default())
            .with_region(region)
            .with_signing_version(SigningVersion::V4);
        let key = Key {
            access_key_id: key.id().to_owned(),
            access_key_secret: key.secret().to_owned(),
            security_token: key.token().map(str::to_owned),
            expires_in: None,
        };
        signer
            .sign_request(&Context::new(), &mut head, Some(&key), None)
            .await
            .map_err(|error| invalid(&error))?;
        Ok(Request::from_parts(head, body))
    }

    fn request(&self, address: Option<&str>, region: &str) -> Result<Request<Bytes>, hyper::http::Error> {
        let key = utf8_percent_encode(&self.key, RESERVED_IN_PATH);
        let mut target = match (address, &self.bucket) {
            (None, None) => format!("https://oss-{region}.aliyuncs.com/{key}"),
            (None, Some(bucket)) => format!("https://{bucket}.oss-{region}.aliyuncs.com/{key}"),
            (Some(address), None) => format!("{address}/{key}"),
            (Some(address), Some(bucket)) => format!("{address}/{bucket}/{key}"),
        };
        for (position, (name, value)) in self.query.iter().enumerate() {
            target.push(if position == 0 { '?' } else { '&' });
            target.extend(utf8_percent_encode(name, RESERVED));
            if !value.is_empty() {
                target.push('=');
                target.extend(utf8_percent_encode(value, RESERVED));
            }
        }
        let uri = Uri::try_from(target)?;
        let mut request = Request::builder().method(self.method.clone()).uri(uri);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.body(self.body.clone())
    }
}

fn invalid(error: &impl std::fmt::Display) -> CallFailure {
    CallFailure::own(INVALID_CALL, format!("the call cannot be written as a request: {error}"))
}

impl Session {
    /// Sends a request to OSS, once.
    pub async fn object(&self, request: &ObjectRequest, terms: Terms<'_>) -> Result<Answer, CallFailure> {
        let action = request.action();
        let exchange = async {
            self.allowed_calls.check_call(role(request.account.as_deref()), "oss", &action)?;
            let credential = self.credential(request.account.as_deref())?;
            let who = Who { credential: &*credential, service: "oss", action: &action };
            self.turn(who, terms).await?;
            let address = self.endpoint.address();
            let signed = request.signed(address.as_deref(), &self.region, AccessKey::of(&*credential)?).await?;
            may_send(Effect::Change, terms).await?;
            self.sent.fetch_add(1, Ordering::Relaxed);
            let answer = self.send(signed, OBJECT_PATIENCE, terms).await;
            let date = answer.as_ref().ok().and_then(Answer::date);
            let answer = answer.and_then(|answer| self.heard(who, object(answer)));
            self.count(who, &answer);
            answer.map_err(|failure| {
                // Requests to OSS are signed with the time of this machine.
                if refuses_the_time(&failure) { clock::explained(failure, date) } else { failure }
            })
        };
        exchange.await.map_err(|failure| named(failure, "oss", &action))
    }
}

/// An error of OSS.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Failed {
    code: Option<String>,
    message: Option<String>,
    request_id: Option<String>,
    host_id: Option<String>,
}

/// The answer of OSS, where the request succeeded; else the failure.
pub fn object(answer: Answer) -> Result<Answer, CallFailure> {
    if answer.is_success() {
        return Ok(answer);
    }
    let failed = std::str::from_utf8(&answer.body).ok().and_then(|text| quick_xml::de::from_str(text).ok());
    let Failed { code, message, request_id, host_id } = failed.unwrap_or_default();
    let code = code.unwrap_or_else(|| UNREADABLE_ANSWER.to_owned());
    let message = message.unwrap_or_else(|| "OSS says nothing more".to_owned());
    let request_id = request_id.or_else(|| answer.header("x-oss-request-id").map(str::to_owned));
    Err(refusal(&answer, code, message, request_id, host_id))
}

#[cfg(test)]
mod tests;
