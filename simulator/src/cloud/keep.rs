//! The files of the world: one with its state, one with the session of its changes.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::file::StateFile;
use super::session::{Event, Line, Recorder, Start};
use crate::world::World;

/// The files that follow the world.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    session: Option<Recorder>,
    state: Option<StateFile>,
}

/// A change cannot be saved in a file, and is therefore not made.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// It cannot be added to the session.
    #[error("cannot write the session: {0}")]
    Session(io::Error),
    /// It cannot be written to the state file.
    #[error("cannot write the state file: {0}")]
    State(io::Error),
}

/// A session cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is a file already.
    #[error("`{0}` exists already: name another file for the session, or remove this one")]
    Exists(PathBuf),
    /// It cannot be written.
    #[error("cannot write the session to `{path}`: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

impl Keeper {
    /// Whether there is a file to write to.
    pub(super) fn keeps(&self) -> bool {
        self.session.is_some() || self.state.is_some()
    }

    /// Records a session from now on.
    pub(super) fn record(&mut self, path: &Path, start: &Start) -> Result<(), RecordError> {
        let recorder = Recorder::create(path, start).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RecordError::Exists(path.to_owned()),
            _ => RecordError::Io { path: path.to_owned(), error },
        })?;
        self.session = Some(recorder);
        Ok(())
    }

    /// Saves the state in a file from now on.
    pub(super) fn follow(&mut self, file: StateFile) {
        self.state = Some(file);
    }

    /// Saves an event and the world after it: in all files or in none.
    pub(super) fn keep(
        &mut self,
        at: Timestamp,
        world: &World,
        event: impl FnOnce() -> Event,
    ) -> Result<(), KeepError> {
        let line = match &mut self.session {
            Some(session) => Some(session.append(&Line { at, event: event() }).map_err(KeepError::Session)?),
            None => None,
        };
        let Some(state) = &self.state else { return Ok(()) };
        state.save(at, world).map_err(|error| {
            if let (Some(session), Some(line)) = (&mut self.session, line) {
                session.undo(line);
            }
            KeepError::State(error)
        })
    }
}
