//! Programs as processes: what they print, and how they end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// After so much time without what it waits for, a test fails; a machine may be busy with much else.
const LIMIT: Duration = Duration::from_mins(3);

/// A program that has started; dropping it kills it.
pub struct Program {
    child: Child,
    lines: Receiver<String>,
    /// What it has printed.
    pub printed: String,
}

impl Program {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        // Ends with the program, and with the test.
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, lines, printed: String::new() }
    }

    /// Waits for a line, and returns it.
    pub fn line(&mut self, is_it: impl Fn(&str) -> bool) -> Result<String, String> {
        let end = Instant::now() + LIMIT;
        loop {
            let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) else {
                return Err(format!(
                    "the program does not say that it serves; it prints at last\n{}",
                    self.last()
                ));
            };
            self.keep(&line);
            if is_it(&line) {
                return Ok(line);
            }
        }
    }

    /// Gives it a line.
    pub fn write_line(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// Ends its input, and waits until it ends.
    pub fn end(&mut self) -> Result<ExitStatus, String> {
        drop(self.child.stdin.take());
        let end = Instant::now() + LIMIT;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => self.keep(&line),
                Err(RecvTimeoutError::Disconnected) => return Ok(self.child.wait().unwrap()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("the program does not end; it prints at last\n{}", self.last()));
                }
            }
        }
    }

    /// Sends Ctrl-C, upon which it ends with 0.
    pub fn interrupt(mut self) -> Result<(), String> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        let status = self.end()?;
        let reported = format!("Ctrl-C ends the program with {status}; it prints at last\n{}", self.last());
        if status.success() { Ok(()) } else { Err(reported) }
    }

    fn keep(&mut self, line: &str) {
        self.printed.push_str(line);
        self.printed.push('\n');
    }

    /// The last lines that it has printed.
    fn last(&self) -> String {
        let lines: Vec<&str> = self.printed.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
