//! Who holds a lock, as the file of the lock has it.

use std::fmt;
use std::fs::File;
use std::io::{Read as _, Seek as _};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Who holds a lock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Holder {
    /// Number of the process.
    pub pid: u32,
    /// The machine that it runs on.
    pub host: String,
    /// The command of the process.
    pub command: String,
    /// Since when.
    pub since: Timestamp,
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, host, command, since } = self;
        write!(formatter, "`{command}`, process {pid} on {host}, since {since}")
    }
}

/// The holder that a file names, where it names one.
pub(super) fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(4_096).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Name of this machine.
#[cfg(unix)]
pub fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Name of this machine.
#[cfg(not(unix))]
pub fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".to_owned())
}
