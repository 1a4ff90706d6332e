//! What a command that fails prints: an error for people on standard error, and a document for programs on
//! standard output.

use std::ffi::OsString;

use serde::Serialize;

use super::notes::show_errors;
use super::output::Error;
use super::{CommandError, Status, Streams};

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
    pub(super) fn show(self, errors: &[CommandError], streams: &mut Streams<'_>) -> Status {
        if let Some(first) = errors.first()
            && let Err(unwritten) = self.print(Error::of(first), streams)
        {
            show_errors(&[unwritten], streams);
        }
        show_errors(errors, streams)
    }

    /// Prints the document that programs read.
    pub(super) fn print(self, error: Error, streams: &mut Streams<'_>) -> Result<(), CommandError> {
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

/// Prints the errors that ended a command on infrastructures; these commands fail with 1, because 2 stands for
/// changes.
pub(super) fn failed(errors: &[CommandError], readers: Readers, streams: &mut Streams<'_>) -> Status {
    readers.show(errors, streams).min(Status::Rejected)
}
