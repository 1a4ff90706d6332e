//! The errors of the cloud.

use std::fmt;

/// An error that the cloud may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode {
    /// The status of the HTTP answer.
    pub status: u16,
    /// The code, such as `InvalidVpcID.NotFound`.
    pub code: &'static str,
    /// The message, where no more precise one is given.
    pub message: &'static str,
}

impl ErrorCode {
    /// An error with the message it usually has.
    pub const fn new(status: u16, code: &'static str, message: &'static str) -> Self {
        Self { status, code, message }
    }

    /// This error, with a more precise message.
    pub fn because(&'static self, message: impl Into<String>) -> CloudError {
        CloudError { error: self, code: None, message: Some(message.into()), detail: None }
    }
}

/// A request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloudError {
    /// Which error it is.
    pub error: &'static ErrorCode,
    /// The code, where it names the parameter that is wrong.
    code: Option<String>,
    message: Option<String>,
    /// Further elements, for services whose errors have such.
    pub detail: Option<(&'static str, String)>,
}

impl CloudError {
    /// This error, with a further element.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.detail = Some((name, value.into()));
        self
    }

    /// The gateway's error for a parameter that is missing: `MissingVpcId`.
    pub fn missing(name: &str) -> Self {
        Self {
            error: &common::MISSING_PARAMETER,
            code: Some(format!("Missing{name}")),
            message: Some(format!("{name} is mandatory for this action.")),
            detail: None,
        }
    }

    /// A service's own error for a missing parameter that only some calls must have.
    pub fn not_supplied(name: &str) -> Self {
        common::MISSING_PARAMETER.because(format!(
            "The input parameter \"{name}\" that is mandatory for processing this request is not supplied."
        ))
    }

    /// The gateway's error for a value of another form: `InvalidPageSize`.
    pub fn invalid(name: &str, expected: &str) -> Self {
        Self {
            error: &common::INVALID_PARAMETER,
            code: Some(format!("Invalid{name}")),
            message: Some(format!("Specified parameter {name} is not valid. It must be {expected}.")),
            detail: None,
        }
    }

    /// Its code.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or(self.error.code)
    }

    /// What it says.
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or(self.error.message)
    }
}

impl From<&'static ErrorCode> for CloudError {
    fn from(error: &'static ErrorCode) -> Self {
        Self { error, code: None, message: None, detail: None }
    }
}

impl fmt::Display for CloudError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code(), self.message())
    }
}

impl std::error::Error for CloudError {}

/// The errors that every action may give.
pub mod common {
    use super::ErrorCode;

    /// The version names no service.
    pub const INVALID_VERSION: ErrorCode =
        ErrorCode::new(400, "InvalidVersion", "Specified parameter Version is not valid.");
    /// The service has no such action, or the simulator leaves it out.
    pub const INVALID_ACTION: ErrorCode = ErrorCode::new(
        404,
        "InvalidAction.NotFound",
        "Specified api is not found, please check your url and method.",
    );
    /// The answer is wanted in a format that does not exist.
    pub const INVALID_FORMAT: ErrorCode =
        ErrorCode::new(400, "InvalidParameter.Format", "Specified parameter Format is not valid.");
    /// A parameter is missing; the code that is sent names it, such as `MissingVpcId`.
    pub const MISSING_PARAMETER: ErrorCode =
        ErrorCode::new(400, "MissingParameter", "A parameter is mandatory for this action.");
    /// A parameter is unknown; or its value is wrong, and the code that is sent names it, such as
    /// `InvalidPageSize`.
    pub const INVALID_PARAMETER: ErrorCode =
        ErrorCode::new(400, "InvalidParameter", "The specified parameter is not valid.");
    /// There is no such region.
    pub const INVALID_REGION: ErrorCode =
        ErrorCode::new(404, "InvalidRegionId.NotFound", "The specified RegionId does not exist.");
    /// The client token was used with other parameters.
    pub const TOKEN_MISMATCH: ErrorCode = ErrorCode::new(
        400,
        "IdempotentParameterMismatch",
        "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token \
         with different requests, unless the requests are identical.",
    );
    /// The first call with the client token failed, and the failure stays with the token.
    pub const TOKEN_FAILED: ErrorCode =
        ErrorCode::new(400, "IdempotentFailed", "The previous request with the same client token failed.");
    /// The first call with the client token still goes on.
    pub const TOKEN_PROCESSING: ErrorCode = ErrorCode::new(
        400,
        "IdempotentProcessing",
        "The previous request with the same client token is still being processed.",
    );
    /// The check of a dry run passed.
    pub const DRY_RUN: ErrorCode =
        ErrorCode::new(400, "DryRunOperation", "Request validation has been passed with DryRun flag set.");
    /// The caller may not do this.
    pub const FORBIDDEN: ErrorCode = ErrorCode::new(
        403,
        "Forbidden.RAM",
        "User not authorized to operate on the specified resource, or this API doesn't support RAM.",
    );
    /// Too many calls of this account.
    pub const THROTTLED: ErrorCode =
        ErrorCode::new(400, "Throttling.User", "Request was denied due to user flow control.");
    /// Too many calls of this action.
    pub const THROTTLED_API: ErrorCode =
        ErrorCode::new(400, "Throttling.Api", "Request was denied due to api flow control.");
    /// A quota is used up.
    pub const QUOTA: ErrorCode = ErrorCode::new(400, "QuotaExceeded", "The quota of this resource is used up.");
    /// The cloud failed.
    pub const INTERNAL: ErrorCode = ErrorCode::new(
        500,
        "InternalError",
        "The request processing has failed due to some unknown error, exception or failure.",
    );
    /// The cloud is unavailable for now.
    pub const UNAVAILABLE: ErrorCode = ErrorCode::new(
        503,
        "ServiceUnavailable",
        "The request has failed due to a temporary failure of the server.",
    );

    /// All of them.
    pub const ALL: &[&ErrorCode] = &[
        &INVALID_VERSION,
        &INVALID_ACTION,
        &INVALID_FORMAT,
        &MISSING_PARAMETER,
        &INVALID_PARAMETER,
        &INVALID_REGION,
        &TOKEN_MISMATCH,
        &TOKEN_FAILED,
        &TOKEN_PROCESSING,
        &DRY_RUN,
        &FORBIDDEN,
        &THROTTLED,
        &THROTTLED_API,
        &QUOTA,
        &INTERNAL,
        &UNAVAILABLE,
    ];
}
