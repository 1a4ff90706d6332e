//! What a command that fails prints: an error for people on standard error, and a document for programs on standard output.

use std::ffi::OsString;

use serde::Serialize;

use super::validate::tell;
use super::{Status, Streams, Trouble};
use crate::answer::Failure;

/// The code of a failure that no policy told.
const FAILED: &str = "Failed";

/// Who reads the standard output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// People: standard output has nothing about a failure.
    People,
    /// Programs that read one document.
    Programs,
    /// Programs that read a list.
    List,
    /// Programs that read an event a line, the last one with the result.
    Lines,
}

/// What a program reads of a failure.
#[derive(Serialize)]
pub(in crate::cli) struct Error {
    code: String,
    message: String,
    /// What the person can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

impl Readers {
    /// The readers of a command line that nobody can parse.
    pub(super) fn of_arguments(command: &str, arguments: &[OsString]) -> Self {
        let joined = ["-ojson", "-o=json", "--output=json", "--format=json"];
        let is_option = |argument: &OsString| ["-o", "--output", "--format"].iter().any(|name| argument == name);
        let asks = arguments.iter().any(|argument| joined.iter().any(|one| argument == one))
            || arguments
                .windows(2)
                .any(|pair| matches!(pair, [name, value] if is_option(name) && value == "json"));
        match command {
            "default" | "plan" | "render" | "zones" if asks => Self::Programs,
            "validate" if asks => Self::List,
            "apply" | "destroy" | "scan" if asks => Self::Lines,
            "ram-policy" => Self::Programs,
            _ => Self::People,
        }
    }

    /// Prints the errors that ended a command.
    pub(super) fn tell(self, troubles: &[Trouble], streams: &mut Streams<'_>) -> Status {
        if let Some(first) = troubles.first()
            && let Err(unwritten) = self.print(Error::of(first), streams)
        {
            tell(&[unwritten], streams);
        }
        tell(troubles, streams)
    }

    /// Prints the document that programs read.
    pub(super) fn print(self, error: Error, streams: &mut Streams<'_>) -> Result<(), Trouble> {
        #[derive(Serialize)]
        struct Document {
            #[serde(skip_serializing_if = "Option::is_none")]
            event: Option<&'static str>,
            error: Error,
        }
        // Never fails: there are only texts in it.
        let text = match self {
            Self::People => return Ok(()),
            Self::Programs => serde_json::to_string_pretty(&Document { event: None, error }),
            Self::List => serde_json::to_string_pretty(&[Document { event: None, error }]),
            Self::Lines => serde_json::to_string(&Document { event: Some("result"), error }),
        };
        streams.print(&(text.unwrap_or_default() + "\n"))
    }
}

impl Error {
    /// What programs read of an error.
    pub(in crate::cli) fn of(trouble: &Trouble) -> Self {
        let code = trouble.failure().map_or(FAILED, |failure| &failure.code);
        Self { code: code.to_owned(), message: trouble.to_string(), help: trouble.help() }
    }

    /// What programs read of a command line that nobody can parse.
    pub(super) fn of_usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default().trim();
        let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
        Self { code: FAILED.to_owned(), message, help: None }
    }
}

impl Trouble {
    /// The failure that a policy told, where the trouble is one.
    fn failure(&self) -> Option<&Failure> {
        match self {
            Self::NoInfo { failure, .. }
            | Self::NoRules { failure, .. }
            | Self::NotJudged { failure, .. }
            | Self::Denied { failure, .. }
            | Self::NoZone { failure, .. } => Some(failure),
            Self::Render(error) => error.failure(),
            #[cfg(feature = "controller")]
            Self::Scan(error) => error.failure(),
            _ => None,
        }
    }
}
