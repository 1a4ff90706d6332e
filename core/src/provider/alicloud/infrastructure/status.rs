//! The status of an Infrastructure (`alicloud-policy` 1.3 and 5.5).

use super::state;
use crate::policy::{InfrastructureStatus, Refusal, StatusRequest};

/// Tells the status from the recorded state.
pub fn status(request: &StatusRequest<'_>) -> Result<InfrastructureStatus, Refusal> {
    let state = state::read(&request.request, request.state.as_ref())?;
    Ok(InfrastructureStatus { provider_status: None, state: state::write(&state), egress_cidrs: None })
}
