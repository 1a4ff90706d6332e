//! Sessions: a file that a line is added to for everything that changes the world.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Operation, Settings};
use crate::action::Caller;
use crate::world::World;

/// What the first line of a session says it is.
pub(super) const FORMAT: &str = "trellis-simulator-session";
/// The version of the format that is written and read.
pub(super) const VERSION: u32 = 1;

/// The first line: what the session begins with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Start {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) time: Timestamp,
    pub(super) settings: Settings,
    pub(super) world: World,
}

/// Every other line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) at: Timestamp,
    pub(super) event: Event,
}

/// What happened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Event {
    /// A call had an effect.
    Call(Box<Called>),
    /// The cloud behaves otherwise.
    Settings(Box<Settings>),
    /// Another world took the place of the one before.
    World(Box<World>),
    /// The clock was set.
    Clock,
}

/// A call that had an effect.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Called {
    pub(super) service: String,
    pub(super) action: String,
    pub(super) caller: Caller,
    pub(super) region: String,
    pub(super) parameters: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) body: String,
}

impl From<&Operation> for Called {
    fn from(operation: &Operation) -> Self {
        Self {
            service: operation.service.code.to_owned(),
            action: operation.action.name.to_owned(),
            caller: operation.caller.clone(),
            region: operation.region.clone(),
            parameters: operation.parameters.clone(),
            body: STANDARD.encode(&operation.body),
        }
    }
}

/// Writes a session.
#[derive(Debug)]
pub(super) struct Recorder {
    file: File,
    /// How long the file is.
    end: u64,
}

impl Recorder {
    /// Begins a session in a new file.
    pub(super) fn create(path: &Path, start: &Start) -> io::Result<Self> {
        // Parameters may be secrets.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let mut recorder = Self { file, end: 0 };
        recorder.write(start)?;
        Ok(recorder)
    }

    /// Adds a line, and gives where it begins.
    pub(super) fn append(&mut self, line: &Line) -> io::Result<u64> {
        let start = self.end;
        self.write(line).inspect_err(|_| self.undo(start))?;
        Ok(start)
    }

    /// Takes back what was written from a place on.
    pub(super) fn undo(&mut self, start: u64) {
        // Where that fails too, the line is cut short, as replaying expects it of a last line.
        let _ = self.file.set_len(start);
        let _ = self.file.seek(SeekFrom::Start(start));
        self.end = start;
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        self.end += u64::try_from(text.len()).unwrap_or_default();
        Ok(())
    }
}
