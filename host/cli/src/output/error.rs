//! What a program reads of a failure.

use serde::Serialize;

use crate::CommandError;
use trellis_policies::answer::Failure;

/// The code of a failure that no policy reported.
const FAILED: &str = "Failed";

/// What a program reads of a failure.
#[derive(Serialize)]
pub(crate) struct Error {
    code: String,
    message: String,
    /// What the person can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

impl Error {
    /// What programs read of an error.
    pub(crate) fn of(error: &CommandError) -> Self {
        let code = error.failure().map_or(FAILED, |failure| &failure.code);
        Self { code: code.to_owned(), message: error.to_string(), help: error.help() }
    }

    /// What programs read of a command line that nobody can parse.
    pub(crate) fn of_usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim();
        let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
        Self { code: FAILED.to_owned(), message, help: None }
    }
}

impl CommandError {
    /// The failure that a policy reported, where the error is one.
    fn failure(&self) -> Option<&Failure> {
        match self {
            Self::NoInfo { failure, .. }
            | Self::NoRules { failure, .. }
            | Self::NotJudged { failure, .. }
            | Self::Denied { failure, .. }
            | Self::NoZone { failure, .. } => Some(failure),
            Self::Render(error) => error.failure(),
            #[cfg(feature = "cluster")]
            Self::Scan(error) => error.failure(),
            _ => None,
        }
    }
}
