//! Why a call has no answer.

use std::fmt;
use std::time::Duration;

/// The cloud could not be reached, or the connection broke.
pub const CONNECTION_FAILED: &str = "ConnectionFailed";
/// Nobody listens at an address of this machine, so that to try again is of no use.
pub const NOBODY_LISTENS: &str = "NobodyListens";
/// There was no answer in time.
pub const TIMEOUT: &str = "Timeout";
/// The certificate of who answers is none to be trusted.
pub const UNTRUSTED_CERTIFICATE: &str = "UntrustedCertificate";
/// What came is no answer of the cloud's, or it is too large.
pub const UNREADABLE_ANSWER: &str = "UnreadableAnswer";
/// The list goes on for longer than is followed.
pub const TOO_MANY_PAGES: &str = "TooManyPages";
/// There are no credentials to sign with.
pub const NO_CREDENTIALS: &str = "NoCredentials";
/// The credentials have become another account's.
pub const OTHER_ACCOUNT: &str = "OtherAccount";
/// The call cannot be written as a request.
pub const INVALID_CALL: &str = "InvalidCall";

/// Why a call has no answer, without anything that is secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFailure {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `CreateVpc`.
    pub action: String,
    /// The cloud's error code; else one of our own, such as [`CONNECTION_FAILED`].
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

impl CallFailure {
    /// A failure of our own.
    pub(super) fn own(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), ..Self::default() }
    }

    /// The same, although the call may have had its effect.
    pub(super) fn ambiguous(mut self) -> Self {
        self.ambiguous = true;
        self
    }
}
