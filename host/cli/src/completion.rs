//! `trellis completion`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, CommandError, Status, Streams};

/// Print a script that completes commands and options in a shell.
#[derive(Args, Debug)]
pub(super) struct CompletionArguments {
    /// The shell.
    shell: Shell,
}

impl CompletionArguments {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "trellis", &mut script);
        streams.print(&String::from_utf8_lossy(&script))?;
        Ok(Status::Success)
    }
}
