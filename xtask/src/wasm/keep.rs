//! Results that are kept, by a digest of what they are made of: what nobody changed is not made again, not even in
//! another checkout.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

/// How long a result stays that nobody uses.
const UNUSED: Duration = Duration::from_hours(30 * 24);

/// A digest of what a result is made of.
pub(super) struct Key(Sha256);

impl Key {
    /// The key of what is made by this program, from nothing yet.
    pub(super) fn new(what: &str) -> Self {
        let mut key = Self(Sha256::new());
        key.add(what);
        key
    }

    /// Adds what the result depends on.
    pub(super) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        // The length keeps two parts apart from one of both.
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds a file, or all files of a folder with their names. What is not there is added as nothing.
    pub(super) fn add_files(&mut self, root: &Path, path: &str) -> anyhow::Result<()> {
        let whole = root.join(path);
        self.add(path);
        if whole.is_dir() {
            let entries = fs::read_dir(&whole).with_context(|| format!("cannot list {}", whole.display()))?;
            let mut names = entries
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect::<std::io::Result<Vec<_>>>()?;
            names.sort();
            return names.iter().try_for_each(|name| self.add_files(root, &format!("{path}/{name}")));
        }
        match fs::read(&whole) {
            Ok(bytes) => self.add(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", whole.display())),
        }
        Ok(())
    }

    fn name(self) -> String {
        format!("{:x}", self.0.finalize())[..32].to_owned()
    }
}

/// The folder with what `make` writes into the folder that it is given, made at most once for a key.
pub(super) fn folder(key: Key, make: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<PathBuf> {
    kept(&cache()?, key, make)
}

/// `$XDG_CACHE_HOME/trellis-modules`, in `~/.cache` where the variable is not set.
fn cache() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || env::home_dir().map(|home| home.join(".cache"));
    let cache =
        cache.or_else(home).context("there is no home folder; set XDG_CACHE_HOME to a folder for what is kept")?;
    Ok(cache.join("trellis-modules"))
}

fn kept(cache: &Path, key: Key, make: impl FnOnce(&Path) -> anyhow::Result<()>) -> anyhow::Result<PathBuf> {
    let folder = cache.join(key.name());
    if !folder.is_dir() {
        fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
        // A build that is interrupted leaves nothing that looks like a whole result.
        let unfinished = folder.with_extension(format!("new-{}", std::process::id()));
        if unfinished.exists() {
            fs::remove_dir_all(&unfinished)?;
        }
        fs::create_dir(&unfinished).with_context(|| format!("cannot make {}", unfinished.display()))?;
        make(&unfinished)?;
        if let Err(error) = fs::rename(&unfinished, &folder) {
            // Another process may have made the same.
            ensure!(folder.is_dir(), "cannot rename {} ({error})", unfinished.display());
            fs::remove_dir_all(&unfinished)?;
        }
        prune(cache)?;
    }
    // The time shows `prune` that the folder is in use.
    fs::File::open(&folder).and_then(|folder| folder.set_modified(SystemTime::now())).ok();
    Ok(folder)
}

/// Removes what nobody has used for long.
fn prune(cache: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(cache)? {
        let entry = entry?;
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > UNUSED {
            fs::remove_dir_all(entry.path())
                .with_context(|| format!("cannot remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        let mut key = Key::new("test");
        for part in parts {
            key.add(part);
        }
        key
    }

    #[test]
    fn a_result_is_made_once_for_a_key_and_again_for_another_one() {
        let cache = tempfile::tempdir().unwrap();
        let make = |text: &'static str| move |folder: &Path| Ok(fs::write(folder.join("result"), text)?);
        let first = kept(cache.path(), key(&["a", "b"]), make("first")).unwrap();
        let again = kept(cache.path(), key(&["a", "b"]), |_| anyhow::bail!("made twice")).unwrap();
        assert_eq!((&first, fs::read_to_string(first.join("result")).unwrap()), (&again, "first".to_owned()));
        assert_ne!(first, kept(cache.path(), key(&["ab"]), make("other")).unwrap());
    }

    #[test]
    fn a_result_that_could_not_be_made_whole_is_made_again() {
        let cache = tempfile::tempdir().unwrap();
        let half = |folder: &Path| {
            fs::write(folder.join("half"), "")?;
            anyhow::bail!("interrupted")
        };
        assert!(kept(cache.path(), key(&["a"]), half).is_err());
        let whole = kept(cache.path(), key(&["a"]), |folder| Ok(fs::write(folder.join("whole"), "")?)).unwrap();
        assert!(whole.join("whole").is_file() && !whole.join("half").exists());
    }

    #[test]
    fn the_key_of_a_folder_depends_on_each_name_and_content_in_it() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("core/src")).unwrap();
        let mut names = std::collections::BTreeSet::new();
        for (file, text) in [("a.rs", "1"), ("a.rs", "2"), ("b.rs", "2"), ("src/a.rs", "2")] {
            fs::write(root.path().join("core").join(file), text).unwrap();
            let mut key = key(&[]);
            key.add_files(root.path(), "core").unwrap();
            key.add_files(root.path(), "not-there").unwrap();
            assert!(names.insert(key.name()));
        }
    }
}
