//! `trellis eval`

use std::io::{self, BufRead, Read as _};

use clap::{Args, ValueEnum};

use super::session::unknown_provider;
use super::{Status, Streams, Trouble};
use crate::engine::Engine;

/// Longest line that is kept, in bytes. It is above what policies take, so that they say themselves that a
/// longer one is too long.
const MAX_LINE: u64 = 16 << 20;

/// Call a function of a policy for each line: request documents in, answer documents out.
///
/// Standard input has one JSON document a line; standard output gets one answer a line, in the same order
/// and as soon as it is there.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The function to call.
    function: Function,

    /// Whose policy.
    #[arg(long, value_name = "NAME")]
    provider: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Function {
    /// What the policy is and what it reads.
    Info,
    /// Every rule.
    Rules,
    /// Judge an object.
    Validate,
    /// Set the defaults of an object.
    Default,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Rules => "rules",
            Self::Validate => "validate",
            Self::Default => "default",
        }
    }
}

impl Arguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let known = engine.providers();
        if !known.contains(&self.provider) {
            return Err(unknown_provider(&self.provider, &known));
        }
        let input = |error| Trouble::File { name: "<stdin>".to_owned(), error };
        let mut line = Vec::new();
        while next_line(&mut streams.stdin, &mut line).map_err(input)? {
            // Bytes that are no text make it a line that is no JSON, which the policy says.
            let request = String::from_utf8_lossy(&line);
            let answer = engine.call(&self.provider, self.function.name(), &request);
            match write_line(streams, &answer) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                written => written.map_err(Trouble::Output)?,
            }
        }
        Ok(Status::Success)
    }
}

fn write_line(streams: &mut Streams<'_>, answer: &str) -> io::Result<()> {
    streams.stdout.write_all(answer.as_bytes())?;
    streams.stdout.write_all(b"\n")?;
    streams.stdout.flush()
}

/// The next line without its end; of one that is too long, its first part. `false` at the end of the input.
fn next_line(stdin: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    stdin.take(MAX_LINE).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == MAX_LINE {
        skip_line(stdin)?;
    }
    Ok(true)
}

fn skip_line(stdin: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = stdin.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        stdin.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
