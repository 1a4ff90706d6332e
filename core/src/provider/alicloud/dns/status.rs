//! The recorded state of a DNSRecord, and what its status shows.

use super::input::ZONE;
use crate::gardener::planning::state_form::StateKind;
use crate::plan::recorded_value;
use crate::policy::{PlanSubject, RequestError, State, StatusRequest, SubjectStatus};
use crate::provider::alicloud::api;

const KIND: StateKind = StateKind {
    kind: "DNSRecordState",
    group: "alicloud.provider.extensions.gardener.cloud",
    api_version: api::API_VERSION,
};

/// The state that a request is about.
pub fn recorded(request: &PlanSubject<'_>, given: Option<&State>) -> Result<State, RequestError> {
    KIND.recorded(
        request,
        given,
        |_, _| Err("the state of a DNSRecord says its `kind` and `apiVersion`".to_owned()),
        &[],
    )
}

/// Reports the status from the recorded state.
pub fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let state = recorded(&request.request, request.state.as_ref())?;
    let zone = recorded_value(&state, ZONE).map(str::to_owned);
    Ok(SubjectStatus { zone, ..SubjectStatus::of(KIND.write(&state)) })
}
