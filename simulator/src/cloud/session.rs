//! Sessions: files with a line for each change of the world.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Operation;
use crate::action::Caller;
use crate::settings::Settings;
use crate::world::World;

/// The word by which a session is known.
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
    Call(Box<EffectiveCall>),
    /// The settings were changed.
    Settings(Box<Settings>),
    /// Another world took the place of the one before.
    World(Box<World>),
    /// The clock was set.
    Clock,
}

/// A call that had an effect.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EffectiveCall {
    pub(super) service: String,
    pub(super) action: String,
    pub(super) caller: Caller,
    pub(super) region: String,
    pub(super) parameters: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) body: String,
}

impl From<&Operation> for EffectiveCall {
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
        // The owner alone can read the file, since parameters may be secrets.
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

    /// Removes all that was written after a place.
    pub(super) fn undo(&mut self, start: u64) {
        // Where that fails too, a part of the line stays, which a replay accepts as a cut last line.
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
