//! Engines that are programs of their own: questions go in, a line each, and answers come out.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::json;

use crate::questions::{Answer, Question};

/// Runs a script with Node and asks it everything.
///
/// A line in is `{ "provider", "function", "request" }`; a line out is the answer as a JSON string, so that every
/// character of it counts.
pub fn ask(script: &Path, questions: &[Question]) -> io::Result<Vec<Answer>> {
    let mut node = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut stdin), Some(stdout)) = (node.stdin.take(), node.stdout.take()) else {
        return Err(io::Error::other("node has no standard input and output"));
    };
    let answers = thread::scope(|scope| {
        scope.spawn(move || -> io::Result<()> {
            for Question { provider, function, request, .. } in questions {
                let line = json!({ "provider": provider, "function": function.name(), "request": request });
                // Written at once: each write to a pipe is a call of the system.
                stdin.write_all(format!("{line}\n").as_bytes())?;
            }
            Ok(())
        });
        let lines = BufReader::new(stdout).lines();
        lines.map(|line| Ok(Ok(serde_json::from_str(&line?)?))).collect::<io::Result<Vec<Answer>>>()
    })?;
    let status = node.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("{} failed ({status})", script.display())));
    }
    if answers.len() != questions.len() {
        let (found, wanted) = (answers.len(), questions.len());
        return Err(io::Error::other(format!("{} gave {found} of {wanted} answers", script.display())));
    }
    Ok(answers)
}
