//! A command that goes on while a test listens to it.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::infrastructure::site::Site;

/// The most time that a test waits for a command.
const PATIENCE: Duration = Duration::from_mins(10);

/// A command whose standard error goes to a file, where a test can read it meanwhile.
pub struct Running {
    pub child: Child,
    errors: PathBuf,
}

impl Running {
    pub fn start(site: &Site, command: &mut Command) -> Self {
        let errors = site.state().with_file_name("errors");
        let child = command.stderr(File::create(&errors).unwrap()).spawn().unwrap();
        Self { child, errors }
    }

    /// Waits until the command has written this to its standard error.
    pub fn wait_for_words(&mut self, words: &str) {
        let Self { child, errors } = self;
        let said = || fs::read_to_string(&errors).unwrap();
        assert!(wait_until(child, || said().contains(words)), "`{words}` is not said: {}", said());
    }

    /// Waits for the end: the exit code, standard output and standard error.
    pub fn ended(self) -> (Option<i32>, String, String) {
        let output = self.child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), stdout, fs::read_to_string(self.errors).unwrap())
    }
}

/// Waits until something is so. Returns `false` where the command ended before.
pub fn wait_until(child: &mut Child, mut is_so: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        // Asked for first, because what a command does at its very end is so, too.
        let has_ended = child.try_wait().unwrap().is_some();
        if is_so() {
            return true;
        }
        if has_ended {
            return false;
        }
        assert!(began.elapsed() < PATIENCE, "the command neither ends nor comes to what is waited for");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal, such as `INT`.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}
