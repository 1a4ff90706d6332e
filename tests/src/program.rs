//! Engines that are programs of their own: questions go in, a line each, and answers come out.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::json;

use crate::questions::{Answer, Question};

/// Runs a script with Node, asks it everything, and hands over each answer with the place of its question.
///
/// A line in is `{ "provider", "function", "request" }`; a line out is the answer as a JSON string, so that every
/// character of it counts.
pub fn ask(script: &Path, questions: &[&Question], mut answered: impl FnMut(usize, Answer)) -> io::Result<()> {
    let mut node = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(mut stdin), Some(stdout)) = (node.stdin.take(), node.stdout.take()) else {
        return Err(io::Error::other("node has no standard input and output"));
    };
    let mut found = 0;
    thread::scope(|scope| {
        scope.spawn(move || -> io::Result<()> {
            for Question { provider, function, request, .. } in questions {
                let line = json!({ "provider": provider, "function": function.name(), "request": &**request });
                // Written at once: each write to a pipe is a call of the system.
                stdin.write_all(format!("{line}\n").as_bytes())?;
            }
            Ok(())
        });
        for line in BufReader::new(stdout).lines() {
            answered(found, Ok(serde_json::from_str(&line?)?));
            found += 1;
        }
        Ok::<_, io::Error>(())
    })?;
    let status = node.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("{} failed ({status})", script.display())));
    }
    if found != questions.len() {
        let wanted = questions.len();
        return Err(io::Error::other(format!("{} gave {found} of {wanted} answers", script.display())));
    }
    Ok(())
}
