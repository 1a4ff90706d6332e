//! The command line, run in this process with policies that a test gives.

#![expect(clippy::unwrap_used, reason = "the program writes text")]

use std::ffi::OsString;

use trellis_cli::{Opened, Status, Streams, run};

/// What a run said and how it ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Status,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `trellis` with policies and with these bytes, or with a terminal, as standard input.
pub(crate) fn outcome(
    open: impl Fn() -> Opened,
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
    mut stdin: &[u8],
    stdin_is_terminal: bool,
) -> Outcome {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let streams = Streams {
        stdin: &mut stdin,
        stdin_is_terminal,
        stdout: &mut stdout,
        stdout_has_color: false,
        stdout_is_terminal: false,
        stderr: &mut stderr,
        stderr_has_color: false,
    };
    let arguments = std::iter::once("trellis".into()).chain(arguments.into_iter().map(Into::into));
    let status = run(arguments, None, |_| Ok(open()), streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome { status, stdout: text(stdout), stderr: text(stderr) }
}
