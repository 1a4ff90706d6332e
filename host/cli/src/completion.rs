//! `trellis completion`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, Status, Streams, Trouble};

/// Print a script that completes commands and options in a shell.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The shell.
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "trellis", &mut script);
        streams.print(&String::from_utf8_lossy(&script))?;
        Ok(Status::Success)
    }
}
