//! Standard input, output and error of a command.

use std::io::{BufRead, Write};

use super::CommandError;

/// What a run reads and writes.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of a stream of its own")]
pub struct Streams<'s> {
    /// Standard input.
    pub stdin: &'s mut dyn BufRead,
    /// Whether a person types the input.
    pub stdin_is_terminal: bool,
    /// Standard output.
    pub stdout: &'s mut dyn Write,
    /// Whether standard output shows colors, unless `--color` says otherwise.
    pub stdout_has_color: bool,
    /// Whether a person sees the output.
    pub stdout_is_terminal: bool,
    /// Standard error.
    pub stderr: &'s mut dyn Write,
    /// Whether standard error shows colors, unless `--color` says otherwise.
    pub stderr_has_color: bool,
}

impl Streams<'_> {
    /// Writes to standard output. A closed pipe is no error: its reader has seen enough.
    pub(super) fn print(&mut self, text: &str) -> Result<(), CommandError> {
        match self.show(text) {
            Err(CommandError::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            shown => shown,
        }
    }

    /// Writes to standard output what a person has to see: a closed pipe is an error.
    pub(super) fn show(&mut self, text: &str) -> Result<(), CommandError> {
        let written = self.stdout.write_all(text.as_bytes()).and_then(|()| self.stdout.flush());
        written.map_err(CommandError::Output)
    }

    /// Writes to standard error, and ignores failures.
    pub(super) fn say(&mut self, text: &str) {
        let _ = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.flush());
    }
}
