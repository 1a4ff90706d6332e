//! Recorded states in a directory, a folder for each subject.
//!
//! A folder has `state.json` and `applied.json`, the manifest that was applied last, which are replaced as a whole
//! or not at all, and `lock`, which the operating system frees when its holder ends, however that happens.

mod document;
mod error;
mod holder;
mod lock;
pub mod object;
mod read_only;
mod recorded;
mod saved;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

pub use document::{DocumentError, LastRun, StateDocument, SubjectId};
pub use error::StateError;
pub use holder::{Holder, host};
pub use lock::{Lock, UnfinishedRun};
pub use read_only::ReadOnly;
pub use recorded::Recorded;
pub use saved::{SavedPlan, SavedPlanError};

use trellis_policies::file;
/// The key for the id of the account that the resources are in.
pub const ACCOUNT: &str = "Account";
/// The key that marks a state whose account a person has named.
pub const REBOUND: &str = "Rebound";

const STATE: &str = "state.json";
const BACKUP: &str = "state.json.bak";
const MANIFEST: &str = "applied.json";
const LOCK: &str = "lock";

/// A directory of recorded states.
#[derive(Clone, Debug)]
pub struct StateDirectory {
    root: PathBuf,
}

impl StateDirectory {
    /// A directory, which is made with the first file in it.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Names of the subjects that have a recorded state, sorted.
    pub fn names(&self) -> Result<Vec<String>, StateError> {
        self.with(&[STATE])
    }

    /// Names of the subjects that have a recorded state or a lock, sorted.
    pub fn begun(&self) -> Result<Vec<String>, StateError> {
        self.with(&[STATE, LOCK])
    }

    /// Names of the folders that have one of some files, sorted.
    fn with(&self, files: &[&str]) -> Result<Vec<String>, StateError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StateError::read(&self.root)(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(StateError::read(&self.root))?;
            let name = entry.file_name().into_string().ok();
            // A link or a device counts, too: reading it fails later, and says so.
            let has = |file: &&str| entry.path().join(file).symlink_metadata().is_ok();
            names.extend(name.filter(|name| is_name(name) && files.iter().any(has)));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// The folder of a subject, which may not be there yet.
    pub fn folder(&self, name: &str) -> Result<PathBuf, StateError> {
        if is_name(name) { Ok(self.root.join(name)) } else { Err(StateError::Name(name.to_owned())) }
    }

    /// The state of a subject, read without a lock: a run may record a newer one meanwhile.
    pub fn read(&self, name: &str) -> Result<Option<StateDocument>, StateError> {
        read(&self.folder(name)?)
    }

    /// The manifest that was applied last, as JSON text; `None` where none was, or where it was destroyed since.
    pub fn manifest(&self, name: &str) -> Result<Option<String>, StateError> {
        let path = self.folder(name)?.join(MANIFEST);
        match read_text(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StateError::read(&path)(error)),
        }
    }

    /// The run on a subject that goes on, or was interrupted.
    pub fn unfinished_run(&self, name: &str) -> Result<Option<UnfinishedRun>, StateError> {
        Lock::unfinished_run(&self.folder(name)?)
    }

    /// Keeps other runs away from a subject as long as the lock is held, and shows them `command`.
    pub fn lock(&self, name: &str, command: &str) -> Result<Lock, StateError> {
        let folder = self.folder(name)?;
        file::make_folder(&folder).map_err(StateError::write(&folder))?;
        Lock::take(folder, name, command)
    }

    /// Clears the name of a holder that is no more, and returns the holder. Fails while the holder is alive.
    pub fn unlock(&self, name: &str) -> Result<Option<Holder>, StateError> {
        let folder = self.folder(name)?;
        if !folder.join(LOCK).exists() {
            return Ok(None);
        }
        Lock::take(folder, name, "trellis state unlock").map(|lock| lock.former().cloned())
    }
}

/// The state that is recorded in a folder.
fn read(folder: &Path) -> Result<Option<StateDocument>, StateError> {
    let path = folder.join(STATE);
    let text = match read_text(&path) {
        Ok(text) => text,
        // A dangling link does not show that nothing was recorded.
        Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => return Ok(None),
        Err(error) => return Err(StateError::read(&path)(error)),
    };
    StateDocument::read(&text).map(Some).map_err(|error| StateError::Unreadable { path, error })
}

/// The text of a file of our own.
fn read_text(path: &Path) -> io::Result<String> {
    file::open_regular(path).and_then(|file| file::limited(file, file::MAX_OWN)).and_then(file::text)
}

/// Whether a technical id can be the name of a folder, on any system.
fn is_name(id: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    !id.is_empty() && id.len() <= 200 && !id.starts_with('.') && !id.ends_with('.') && id.chars().all(plain)
}

#[cfg(test)]
mod tests;
