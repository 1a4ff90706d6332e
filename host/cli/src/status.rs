//! How a command ends.

use std::process::ExitCode;

/// How a run ends, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Accepted, or done.
    Success,
    /// The plan changes something, and the command line asks for this code.
    Changed,
    /// Errors were found, or policies that should not be run; or an infrastructure could not be planned or
    /// applied.
    Rejected,
    /// Bad usage, unreadable input, or an object that could not be judged.
    Failed,
}

impl Status {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Rejected => 1,
            Self::Changed | Self::Failed => 2,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status.code())
    }
}
