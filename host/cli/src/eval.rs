//! `trellis eval`

use std::io::{self, BufRead, Read as _};

use clap::Args;

use super::session::unknown_provider;
use super::shadow::ShadowArguments;
use super::{CommandError, Status, Streams};
use trellis_policies::answer::Failure;
use trellis_policies::engine::{Engine, Function};

/// Longest line that is kept, in bytes. Policies take less, so that a policy itself refuses a line that is too
/// long.
const MAX_LINE: usize = 16 << 20;

/// Call a function of a policy for each line: request documents in, answer documents out.
///
/// Standard input has one JSON document a line; standard output gets one answer a line, in the same order
/// and as soon as it is there.
#[derive(Args, Debug)]
pub(super) struct EvalArguments {
    /// The function to call.
    function: Function,

    /// Whose policy.
    #[arg(long, value_name = "NAME")]
    provider: String,

    #[command(flatten)]
    shadow: ShadowArguments,
}

impl EvalArguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.shadow
    }

    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let known = engine.policies();
        if !known.contains(&self.provider) {
            return Err(unknown_provider(&self.provider, &known));
        }
        let input = |error| CommandError::File { name: "<stdin>".to_owned(), error };
        let mut line = Vec::new();
        while next_line(&mut streams.stdin, &mut line).map_err(input)? {
            let answer = match text(&line) {
                Ok(request) => engine.call(&self.provider, self.function, request).map_err(Failure::from),
                Err(failure) => Err(failure),
            };
            match write_line(streams, &answer.unwrap_or_else(|failure| failure.to_answer())) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                written => written.map_err(CommandError::Output)?,
            }
        }
        Ok(Status::Success)
    }
}

/// A line as text. Policies take nothing else, so a line that is no text gets its answer here.
fn text(line: &[u8]) -> Result<&str, Failure> {
    let error = match str::from_utf8(line) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let start = error.valid_up_to();
    match str::from_utf8(line.get(..start).unwrap_or_default()) {
        // A line that was cut is too long; the cut may be within a character.
        Ok(text) if line.len() == MAX_LINE && error.error_len().is_none() => Ok(text),
        _ => {
            let message = format!("the request is not JSON: byte {} of the line is not UTF-8", start + 1);
            Err(Failure::new(Failure::MALFORMED, message))
        }
    }
}

fn write_line(streams: &mut Streams<'_>, answer: &str) -> io::Result<()> {
    // An answer may have line ends between its parts, where a space does as well.
    for part in answer.split_inclusive(['\n', '\r']) {
        match part.strip_suffix(['\n', '\r']) {
            Some(part) => {
                streams.stdout.write_all(part.as_bytes())?;
                streams.stdout.write_all(b" ")?;
            }
            None => streams.stdout.write_all(part.as_bytes())?,
        }
    }
    streams.stdout.write_all(b"\n")?;
    streams.stdout.flush()
}

/// The next line without its end; of one that is too long, its first part. `false` at the end of the input.
fn next_line(stdin: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    stdin.take(MAX_LINE as u64).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == MAX_LINE {
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
