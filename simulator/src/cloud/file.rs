//! The state in a file, so that it outlives the simulator.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::file;
use crate::world::World;

/// The word by which a state file is known.
const FORMAT: &str = "trellis-simulator-state";
/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// Most bytes of a state file, which has the contents of all objects.
const MOST: u64 = 512 << 20;
/// The mark in the names of temporary files, which then replace the state file, and the number of letters and
/// digits that follow.
const NEW: &str = ".new-";
const RANDOM: usize = 6;

/// The fields of every version of the format.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Content<W> {
    format: String,
    version: u32,
    time: Timestamp,
    world: W,
}

/// Why a state file cannot be used. It is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum StateFileError {
    /// Another simulator uses the file.
    #[error("state file `{0}` is in use by another simulator")]
    InUse(PathBuf),
    /// The file or its lock file cannot be read or written.
    #[error("cannot use state file `{path}`: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The file is something else.
    #[error("`{path}` is no state file of the simulator: {reason}; name another file, or remove this one")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file is of another version.
    #[error("state file `{path}` has format version {found}, and this simulator knows version {VERSION} alone")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

/// A file that keeps the state. A lock file next to it, with `.lock` after its name, keeps other simulators away.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    folder: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl StateFile {
    /// Opens a file, and gives what is in it if it exists.
    pub(super) fn open(path: &Path) -> Result<(Self, Option<(Timestamp, World)>), StateFileError> {
        // Where the name is a link, what it leads to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let io = |error| StateFileError::Io { path: path.clone(), error };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        // A path that is not a file gets no lock file next to it.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(io(file::not_regular()));
        }
        let lock = lock_path(&path);
        let lock = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(lock);
        let lock = lock.map_err(io)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StateFileError::InUse(path)),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        clear(&folder, &prefix(&path));
        let content = match file::read(&path, MOST) {
            Ok(bytes) => Some(read(&path, &bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io(error)),
        };
        Ok((Self { path, folder, _lock: lock }, content))
    }

    /// What is in a file, also when it is in use, and whether a simulator does; `None` where there is no file.
    pub(super) fn look(path: &Path) -> Result<Option<(Timestamp, World, bool)>, StateFileError> {
        let bytes = match file::read(path, MOST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateFileError::Io { path: path.to_owned(), error }),
        };
        let (time, world) = read(path, &bytes)?;
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_used = File::open(lock_path(&path))
            .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)));
        Ok(Some((time, world, is_used)))
    }

    /// Replaces the content of the file: a reader sees the whole old or the whole new state.
    pub(super) fn save(&self, time: Timestamp, world: &World) -> io::Result<()> {
        // Its owner alone can read it, since it has credentials of sessions.
        let prefix = prefix(&self.path);
        let mut file = tempfile::Builder::new().prefix(&prefix).rand_bytes(RANDOM).tempfile_in(&self.folder)?;
        let mut out = BufWriter::new(file.as_file_mut());
        serde_json::to_writer(&mut out, &Content { format: FORMAT.to_owned(), version: VERSION, time, world })?;
        out.flush()?;
        drop(out);
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The lock file next to a state file.
fn lock_path(path: &Path) -> PathBuf {
    let mut lock = path.to_owned().into_os_string();
    lock.push(".lock");
    lock.into()
}

/// How the names of temporary files begin, which then replace a file.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(NEW);
    prefix
}

/// Removes temporary files that a crash left. Only the holder of the lock may do that.
fn clear(folder: &Path, prefix: &OsStr) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_ours =
            random.is_some_and(|rest| rest.len() == RANDOM && rest.iter().all(u8::is_ascii_alphanumeric));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // A temporary file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<(Timestamp, World), StateFileError> {
    let foreign = |reason: String| StateFileError::Foreign { path: path.to_owned(), reason };
    let head: Head = serde_json::from_slice(bytes).map_err(|error| foreign(error.to_string()))?;
    if head.format != FORMAT {
        return Err(foreign(format!("its format is `{}`", head.format)));
    }
    if head.version != VERSION {
        return Err(StateFileError::Version { path: path.to_owned(), found: head.version });
    }
    let content: Content<World> = serde_json::from_slice(bytes).map_err(|error| foreign(error.to_string()))?;
    Ok((content.time, content.world))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn world() -> World {
        let mut world = World::default();
        world.number();
        world
    }

    #[test]
    fn a_state_is_read_as_it_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let (file, content) = StateFile::open(&path).unwrap();
        assert!(content.is_none());
        file.save(Timestamp::UNIX_EPOCH, &World::default()).unwrap();
        file.save(Timestamp::UNIX_EPOCH, &world()).unwrap();
        drop(file);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let (_, content) = StateFile::open(&path).unwrap();
        assert_eq!(content, Some((Timestamp::UNIX_EPOCH, world())));
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "the state and its lock: {names:?}");
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("state.json"), folder.path().join("link"));
        StateFile::open(&path).unwrap().0.save(Timestamp::UNIX_EPOCH, &World::default()).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        StateFile::open(&link).unwrap().0.save(Timestamp::UNIX_EPOCH, &world()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(StateFile::open(&path).unwrap().1, Some((Timestamp::UNIX_EPOCH, world())));
    }

    #[test]
    fn what_is_no_state_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let version = format!(r#"{{ "format": "{FORMAT}", "version": 7, "what": [] }}"#);
        let half = format!(r#"{{ "format": "{FORMAT}", "version": 1 }}"#);
        for (number, (text, words)) in [
            ("", "is no state file of the simulator"),
            ("a letter", "is no state file of the simulator"),
            (r#"{ "format": "other", "version": 1 }"#, "its format is `other`"),
            (half.as_str(), "missing field `time`"),
            (version.as_str(), "has format version 7"),
        ]
        .into_iter()
        .enumerate()
        {
            // A file each, because a process that another test starts may hold the lock of the last one for a
            // moment.
            let path = folder.path().join(format!("state-{number}.json"));
            fs::write(&path, text).unwrap();
            let error = StateFile::open(&path).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let error = StateFile::open(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("cannot use state file"), "{error}");
    }

    #[test]
    fn what_never_ends_or_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
        assert!(
            file::read(&folder.path().join("zero"), MOST).unwrap_err().to_string().contains("not a regular file")
        );
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = StateFile::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("state.json`: it is not a regular file"), "{error}");
        assert!(!folder.path().join("state.json.lock").exists());
        fs::remove_file(&path).unwrap();
        File::create(&path).unwrap().set_len(MOST + 1).unwrap();
        let error = StateFile::open(&path).unwrap_err().to_string();
        assert!(error.contains("it has more than 512 MiB, which is the limit"), "{error}");
    }

    #[test]
    fn what_a_crash_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        for name in [".state.json.new-aB3xyz", ".other.json.new-aB3xyz", ".state.json.new-notes"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        StateFile::open(&path).unwrap();
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort_unstable();
        assert_eq!(names, [".other.json.new-aB3xyz", ".state.json.new-notes", "state.json.lock"]);
    }

    #[test]
    fn two_simulators_do_not_share_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let first = StateFile::open(&path).unwrap();
        assert!(matches!(StateFile::open(&path), Err(StateFileError::InUse(_))));
        drop(first);
        assert!(StateFile::open(&path).is_ok());
    }
}
