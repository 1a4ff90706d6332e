//! Why a call has no answer.

use std::time::Duration;

/// Why a call has no answer, without anything that is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFailure {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `CreateVpc`.
    pub action: String,
    /// The cloud's error code; else one of our own, such as `ConnectionFailed`.
    pub code: String,
    /// What happened, in the words of who said so.
    pub message: String,
    /// The status of the answer; 0 where there was none.
    pub http_status: u16,
    /// What the cloud's support finds the call by.
    pub request_id: Option<String>,
    /// The host that answered, as it says.
    pub host_id: Option<String>,
    /// How long the cloud asks to wait.
    pub retry_after: Option<Duration>,
    /// Whether the call may have had its effect all the same.
    pub ambiguous: bool,
}
