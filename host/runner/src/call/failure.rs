//! Why a call has no answer.

use std::fmt;
use std::time::Duration;

use crate::limits::permit::PermitEnded;
use trellis_policies::span::Coded;

/// The host cannot reach the cloud, or the connection broke.
pub const CONNECTION_FAILED: &str = "ConnectionFailed";
/// Nobody listens at an address of this machine: a retry is of no use.
pub const NOBODY_LISTENS: &str = "NobodyListens";
/// The cloud did not answer in time.
pub const TIMEOUT: &str = "Timeout";
/// This process makes no more calls of a service with one access key for now. The word is the cloud's, so that the
/// failure counts as one for too many calls.
pub const THROTTLED: &str = "Throttling.Host";
/// The host does not trust the certificate of the server.
pub const UNTRUSTED_CERTIFICATE: &str = "UntrustedCertificate";
/// The answer is not the cloud's, or is too large.
pub const UNREADABLE_ANSWER: &str = "UnreadableAnswer";
/// The list has more pages than the host reads.
pub const TOO_MANY_PAGES: &str = "TooManyPages";
/// There are no credentials to sign the call with.
pub const NO_CREDENTIALS: &str = "NoCredentials";
/// The new credentials belong to another account.
pub const OTHER_ACCOUNT: &str = "OtherAccount";
/// The operator of this host does not allow the call.
pub const NOT_ALLOWED: &str = "NotAllowed";
/// The caller may not send the call: the run has to end.
pub const PERMIT_ENDED: &str = "PermitEnded";
/// The call has no form as a request.
pub const INVALID_CALL: &str = "InvalidCall";

/// Why a call has no answer. Nothing in it is secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFailure {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `CreateVpc`.
    pub action: String,
    /// The error code of the cloud; else one of Trellis, such as [`CONNECTION_FAILED`].
    pub code: String,
    /// What happened, in the words of the cloud where the cloud answered.
    pub message: String,
    /// The HTTP status of the answer; 0 where there was no answer.
    pub http_status: u16,
    /// The id by which the support of the cloud finds the call.
    pub request_id: Option<String>,
    /// The name of the host that answered, as the answer has it.
    pub host_id: Option<String>,
    /// How long the cloud wants the caller to wait.
    pub retry_after: Option<Duration>,
    /// Whether the call may have had its effect although it failed.
    pub ambiguous: bool,
}

impl fmt::Display for CallFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { service, action, code, message, .. } = self;
        write!(out, "{service} {action}: {code}: {message}")?;
        match (self.http_status, &self.request_id) {
            (0, _) => Ok(()),
            (status, None) => write!(out, " (HTTP status {status})"),
            (status, Some(request)) => write!(out, " (HTTP status {status}, request id {request})"),
        }
    }
}

impl std::error::Error for CallFailure {}

impl Coded for CallFailure {
    fn code(&self) -> &str {
        &self.code
    }
}

impl From<PermitEnded> for CallFailure {
    fn from(ended: PermitEnded) -> Self {
        Self::own(PERMIT_ENDED, ended.to_string())
    }
}

impl CallFailure {
    /// A failure that Trellis itself found.
    pub(crate) fn own(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), ..Self::default() }
    }

    /// Whether the call was not sent, or not waited for, because the run has to end.
    pub fn is_permit_ended(&self) -> bool {
        self.code == PERMIT_ENDED
    }

    /// Whether the operator does not let the policy make the call.
    pub fn is_not_allowed(&self) -> bool {
        self.code == NOT_ALLOWED && self.http_status == 0
    }

    /// The same failure, of a call that may have had its effect.
    pub(crate) fn ambiguous(mut self) -> Self {
        self.ambiguous = true;
        self
    }
}
