//! The recorded state of a Bastion, and what its status shows.

use super::input::PUBLIC_IP;
use crate::gardener::planning::state_form::StateKind;
use crate::plan::recorded_value;
use crate::policy::{Ingress, PlanOperation, PlanSubject, RequestError, State, StatusRequest, SubjectStatus};
use crate::provider::alicloud::api;

const KIND: StateKind = StateKind {
    kind: "BastionState",
    group: "alicloud.provider.extensions.gardener.cloud",
    api_version: api::API_VERSION,
};

/// The state that a request is about.
pub fn recorded(request: &PlanSubject<'_>, given: Option<&State>) -> Result<State, RequestError> {
    KIND.recorded(
        request,
        given,
        |_, _| Err("the state of a Bastion says its `kind` and `apiVersion`".to_owned()),
        &[],
    )
}

/// Reports the status from the recorded state. While the bastion is being deleted, the present address stays.
pub fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let state = recorded(&request.request, request.state.as_ref())?;
    let is_deletion = request.request.operation == PlanOperation::Delete;
    let ip = recorded_value(&state, PUBLIC_IP).filter(|_| !is_deletion).map(str::to_owned);
    Ok(SubjectStatus { ingress: ip.map(|ip| Ingress { ip }), ..SubjectStatus::of(KIND.write(&state)) })
}
