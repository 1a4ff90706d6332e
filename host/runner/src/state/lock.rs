//! One run at a time.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;

use super::document::StateDocument;
use super::holder::{Holder, holder, host};
use super::{BACKUP, LOCK, MANIFEST, STATE, StateError, read};
use trellis_policies::file;

/// How often a run tries to lock, and the time between two tries: a process that only inspects a lock holds it for
/// a moment.
const TRIES: u32 = 5;
const BETWEEN: Duration = Duration::from_millis(20);

/// A run that has not ended yet, or not as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnfinishedRun {
    /// The run goes on. Its holder, where the lock has one.
    GoingOn(Option<Holder>),
    /// The process of the run is no more.
    Interrupted(Holder),
}

/// Keeps others away from a folder. The operating system frees it when this program ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    file: File,
    former: Option<Holder>,
}

impl Lock {
    pub(super) fn take(folder: PathBuf, name: &str, command: &str) -> Result<Self, StateError> {
        let path = folder.join(LOCK);
        // Behind a link, another file would be rewritten.
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            let error = io::Error::new(ErrorKind::InvalidInput, "it is not a regular file");
            return Err(StateError::write(&path)(error));
        }
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StateError::write(&path))?;
        let mut tries = 1;
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::WouldBlock if tries < TRIES => thread::sleep(BETWEEN),
                TryLockError::WouldBlock => {
                    let holder = holder(&mut file).map(Box::new);
                    return Err(StateError::Held { name: name.to_owned(), holder });
                }
                TryLockError::Error(error) => return Err(StateError::write(&path)(error)),
            }
            tries += 1;
        }
        file::clear(&folder);
        let former = holder(&mut file);
        let holder = Holder {
            pid: std::process::id(),
            host: host(),
            command: command.to_owned(),
            since: Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default(),
        };
        // Never fails: there are only texts and numbers in it.
        let text = serde_json::to_string(&holder).unwrap_or_default();
        rewrite(&mut file, &text).map_err(StateError::write(&path))?;
        Ok(Self { folder, file, former })
    }

    /// The run that goes on in a folder, or was interrupted there. Other runs are not kept away.
    pub(super) fn unfinished_run(folder: &Path) -> Result<Option<UnfinishedRun>, StateError> {
        let path = folder.join(LOCK);
        let mut file = match file::open_regular(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::read(&path)(error)),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(holder(&mut file).map(UnfinishedRun::Interrupted)),
            Err(TryLockError::WouldBlock) => Ok(Some(UnfinishedRun::GoingOn(holder(&mut file)))),
            Err(TryLockError::Error(error)) => Err(StateError::read(&path)(error)),
        }
    }

    /// The holder before, where it ended without freeing the lock.
    pub fn former(&self) -> Option<&Holder> {
        self.former.as_ref()
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Records a state that was exported elsewhere. Where a state is recorded already, `force` replaces it and
    /// keeps it as `state.json.bak`; without `force` that is an error.
    pub fn import(&self, document: &StateDocument, force: bool) -> Result<(), StateError> {
        let path = self.folder.join(STATE);
        let there = path.exists();
        if there && !force {
            return Err(StateError::Exists(path));
        }
        if there {
            self.back_up()?;
        }
        // The manifest that was applied here does not belong to the imported state.
        self.write_manifest(None)?;
        self.write(document)
    }

    /// Changes the recorded state, and keeps the former one as `state.json.bak`. Does nothing where no state is
    /// recorded.
    pub fn change(&self, change: impl FnOnce(&mut StateDocument)) -> Result<(), StateError> {
        let Some(mut document) = read(&self.folder)? else { return Ok(()) };
        self.back_up()?;
        change(&mut document);
        document.serial += 1;
        self.write(&document)
    }

    fn back_up(&self) -> Result<(), StateError> {
        let path = self.folder.join(STATE);
        let former = file::open_regular(&path).map_err(StateError::read(&path))?;
        file::replace(&self.folder, BACKUP, former).map_err(StateError::write(&self.folder.join(BACKUP)))
    }

    /// Saves the manifest that was applied; `None` removes it after a destroy.
    pub(super) fn write_manifest(&self, manifest: Option<&str>) -> Result<(), StateError> {
        let path = self.folder.join(MANIFEST);
        match manifest {
            Some(text) => file::replace(&self.folder, MANIFEST, text.as_bytes()).map_err(StateError::write(&path)),
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(StateError::write(&path)(error)),
                _ => Ok(()),
            },
        }
    }

    pub(super) fn write(&self, document: &StateDocument) -> Result<(), StateError> {
        let path = self.folder.join(STATE);
        file::replace(&self.folder, STATE, document.text().as_bytes()).map_err(StateError::write(&path))
    }
}

impl fmt::Display for UnfinishedRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoingOn(None) => formatter.write_str("a run goes on"),
            Self::GoingOn(Some(holder)) => write!(formatter, "a run goes on: {holder}"),
            Self::Interrupted(holder) => write!(formatter, "a run was interrupted: {holder}"),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A name that stays in the file says who held the lock last, and locks nothing.
        let _ = rewrite(&mut self.file, "");
    }
}

fn rewrite(file: &mut File, text: &str) -> std::io::Result<()> {
    file.rewind()?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}
