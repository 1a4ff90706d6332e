//! The recorded state of a BackupBucket.

use crate::gardener::planning::state_form::StateKind;
use crate::policy::{PlanSubject, RequestError, State, StatusRequest, SubjectStatus};
use crate::provider::alicloud::api;

const KIND: StateKind = StateKind {
    kind: "BackupBucketState",
    group: "alicloud.provider.extensions.gardener.cloud",
    api_version: api::API_VERSION,
};

/// The state that a request is about.
pub fn recorded(request: &PlanSubject<'_>, given: Option<&State>) -> Result<State, RequestError> {
    KIND.recorded(
        request,
        given,
        |_, _| Err("the state of a BackupBucket says its `kind` and `apiVersion`".to_owned()),
        &[],
    )
}

/// Reports the status from the recorded state.
pub fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let state = recorded(&request.request, request.state.as_ref())?;
    Ok(SubjectStatus::of(KIND.write(&state)))
}
