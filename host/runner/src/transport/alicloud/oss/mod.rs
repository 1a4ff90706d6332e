//! OSS, which has its own protocol: a call is named by method, path and query, and its documents are XML.
//!
//! `bucket` and `key` of a call are in its address, `body` is an object with what is under the root of its
//! document, and other parameters are in its query.

mod actions;
mod answer;
mod request;
mod xml;

use std::time::Duration;

use self::actions::Action;
use super::invalid;
use super::service::label;
use crate::call::failure::INVALID_CALL;
use crate::call::{CallFailure, Parameter, ResolvedCall};

pub(super) use answer::response;
pub(super) use request::request;

/// The name of the service in calls.
pub(super) const SERVICE: &str = "oss";
/// How long an answer may take.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// The host that a call goes to where hosts are the cloud's.
pub(super) fn host_of(call: &ResolvedCall, region: &str) -> Result<String, CallFailure> {
    host(bucket(call)?, region)
}

fn host(bucket: &str, region: &str) -> Result<String, CallFailure> {
    let region = label(region).map_err(|error| invalid(&error))?;
    Ok(format!("{bucket}.oss-{region}.aliyuncs.com"))
}

fn action(call: &ResolvedCall) -> Result<&'static Action, CallFailure> {
    Action::find(&call.action).ok_or_else(|| {
        let message = format!("`oss` has no action `{}` here; it has {}", call.action, Action::names());
        CallFailure::own(INVALID_CALL, message)
    })
}

fn bucket(call: &ResolvedCall) -> Result<&str, CallFailure> {
    label(call.text("bucket").unwrap_or_default()).map_err(|error| invalid(&error))
}

fn parameter<'c>(call: &'c ResolvedCall, name: &str) -> Option<&'c Parameter> {
    call.parameters.iter().find_map(|(known, value)| (known == name).then_some(value))
}

/// The text of a parameter; none where it is absent or empty.
fn text(call: &ResolvedCall, name: &str) -> Result<Option<String>, CallFailure> {
    let text = match parameter(call, name) {
        None | Some(Parameter::Null) => return Ok(None),
        Some(Parameter::Text(text)) => text.clone(),
        Some(Parameter::Number(number)) => number.to_string(),
        Some(Parameter::Bool(bool)) => bool.to_string(),
        Some(Parameter::List(_) | Parameter::Object(_)) => {
            return Err(CallFailure::own(INVALID_CALL, format!("the parameter `{name}` must be a text")));
        }
    };
    Ok(Some(text).filter(|text| !text.is_empty()))
}
