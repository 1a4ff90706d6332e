//! Compiled policies, kept on disk from run to run.
//!
//! wasmtime has a cache of its own, which trusts whatever is in its directory. That directory is a private one in
//! the folder for compiled policies: made at start, gone at the end, and removed by a later run where the end came
//! too suddenly. What is kept for the next run is in files of ours next to it, and goes into wasmtime's directory
//! only after its [record](super::record) was checked. Both need a folder that nobody else may write to; who may
//! rename the folders above it is trusted.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use wasmtime::component::Component;
use wasmtime::{Cache, CacheConfig, Engine};

use super::record::{Key, Name, Record, RecordError};
use crate::digest::Digest;

/// Largest file that is read. Machine code has some times the size of its policy.
const MAX_BYTES: u64 = 128 << 20;
/// Decompression is what takes time when a policy is loaded, and does not depend on the level.
const COMPRESSION: i32 = 1;
/// How the names of private directories and of unfinished files start.
const TEMPORARY: &str = "trellis-";
/// Age at which what is temporary was left behind.
const LEFT_BEHIND: Duration = Duration::from_hours(24);
/// How long a compiled policy is kept that nobody uses.
const UNUSED: Duration = Duration::from_hours(30 * 24);

/// Why compiled policies are not kept, or one that was kept is not run. Everything works without, but starts
/// slower.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The directory cannot be used.
    #[error("compiled policies are not kept: `{}` cannot be used: {cause}; name another folder in `TRELLIS_CACHE`", .folder.display())]
    Folder {
        /// The directory.
        folder: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// Others could put something into the directory.
    #[error("compiled policies are not kept: `{folder}` can be changed by other users; run `chmod go-w {folder}`, or name another folder in `TRELLIS_CACHE`", folder = .0.display())]
    Shared(PathBuf),
    /// The directory is not this user's.
    #[error("compiled policies are not kept: `{}` belongs to another user; name another folder in `TRELLIS_CACHE`", .0.display())]
    Foreign(PathBuf),
    /// A file could not be written.
    #[error("the compiled policy is not kept: `{}` cannot be written: {cause}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A file is not what was written. Its policy is compiled again, and the file replaced.
    #[error("`{}`, compiled from the policy with the SHA-256 digest {digest}, is refused and made again: {cause}", .file.display())]
    Refused {
        /// The file.
        file: PathBuf,
        /// Of the policy.
        digest: Digest,
        /// What is wrong with it.
        cause: Box<RecordError>,
    },
}

/// The compiler, and what it has compiled before.
#[derive(Debug)]
pub(super) struct Artifacts {
    /// None if nothing is to be kept or can be.
    store: Option<Store>,
    /// What went wrong; also makes compilations follow each other.
    errors: Mutex<Vec<CacheError>>,
}

/// Where compiled policies are kept.
#[derive(Debug)]
struct Store {
    /// An absolute path without links.
    folder: PathBuf,
    /// Of something that this process made.
    own: fs::Metadata,
    private: Private,
}

/// wasmtime's cache in a directory that only this process knows.
#[derive(Debug)]
struct Private {
    folder: TempDir,
    cache: Cache,
}

impl Artifacts {
    /// Keeps compiled policies in a folder, which is made if need be.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        let (store, errors) = match folder.map(Store::open).transpose() {
            Ok(store) => (store, Vec::new()),
            Err(error) => (None, vec![error]),
        };
        Self { store, errors: Mutex::new(errors) }
    }

    /// wasmtime's cache, for the configuration of the engine.
    pub(super) fn cache(&self) -> Option<Cache> {
        self.store.as_ref().map(|store| store.private.cache.clone())
    }

    /// What went wrong since this was asked before.
    pub(super) fn take_errors(&self) -> Vec<CacheError> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Compiles a policy, or takes what was compiled before. The engine has to have the [cache](Self::cache).
    pub(super) fn compile(&self, engine: &Engine, digest: Digest, wasm: &[u8]) -> wasmtime::Result<Component> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Store { folder, own, private }) = &self.store else { return Component::new(engine, wasm) };
        let key = Key { policy: digest, compiler: compiler(engine) };
        let file = folder.join(file_name(&key));
        let refused =
            |cause: RecordError| CacheError::Refused { file: file.clone(), digest, cause: Box::new(cause) };
        let mut bytes = Vec::new();
        let found = read(&file, own, &mut bytes);
        let kept = match found.and_then(|found| found.then(|| Record::from_bytes(&bytes, &key)).transpose()) {
            Ok(record) => record,
            Err(cause) => {
                errors.push(refused(cause));
                None
            }
        };
        let hits = private.cache.cache_hits();
        let put = kept.as_ref().map_or(Ok(()), |record| private.put(record));
        let component = Component::new(engine, wasm);
        if let Some(record) = &kept
            && private.cache.cache_hits() > hits
        {
            private.remove(&record.name);
            return component;
        }
        let made = private.take(kept.as_ref());
        let component = component?;
        match put {
            Ok(()) if kept.is_some() => errors.push(refused(RecordError::Inconsistent)),
            Ok(()) => {}
            Err(cause) => errors.push(CacheError::Folder { folder: folder.clone(), cause }),
        }
        if let Some((name, bytes)) = made
            && let Err(cause) = write(&file, folder, &Record { name, bytes: &bytes }.to_bytes(&key))
        {
            errors.push(CacheError::Write { file, cause });
        }
        Ok(component)
    }
}

impl Store {
    /// Makes a folder that is for this user alone, or checks that it is.
    fn open(named: &Path) -> Result<Self, CacheError> {
        let unusable = |cause| CacheError::Folder { folder: named.to_owned(), cause };
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(named).map_err(unusable)?;
        // Links are followed here and never again.
        let folder = named.canonicalize().map_err(unusable)?;
        // A file without a name shows which user this is, because nobody can put another file in its place.
        let own = tempfile::tempfile_in(&folder).and_then(|file| file.metadata()).map_err(unusable)?;
        let metadata = fs::metadata(&folder).map_err(unusable)?;
        if !has_owner_of(&metadata, &own) {
            return Err(CacheError::Foreign(named.to_owned()));
        }
        if is_shared(&metadata) {
            return Err(CacheError::Shared(named.to_owned()));
        }
        sweep(&folder);
        let private = Private::new(&folder).map_err(unusable)?;
        Ok(Self { folder, own, private })
    }
}

/// What the machine code depends on in addition to the policy: wasmtime's version and settings, and the processor.
fn compiler(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

/// Name of the file of a compiled policy.
fn file_name(key: &Key) -> String {
    format!("{}-{:016x}", key.policy, key.compiler)
}

fn is_file_name(name: &str) -> bool {
    name.split_once('-').is_some_and(|(policy, compiler)| {
        policy.parse::<Digest>().is_ok() && compiler.len() == 16 && u64::from_str_radix(compiler, 16).is_ok()
    })
}

/// Removes from a folder what was left behind, and compiled policies that nobody uses.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let limit = match entry.file_name().to_str() {
            Some(name) if name.starts_with(TEMPORARY) => LEFT_BEHIND,
            Some(name) if is_file_name(name) => UNUSED,
            _ => continue,
        };
        let Ok(metadata) = entry.metadata() else { continue };
        // Not every file system notes when a file was read.
        let used = metadata.modified().into_iter().chain(metadata.accessed()).max();
        if used.and_then(|used| used.elapsed().ok()).is_some_and(|age| age > limit) {
            // What cannot be removed does no harm.
            let _ =
                if metadata.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

/// Whether two things belong to the same user.
fn has_owner_of(metadata: &fs::Metadata, own: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        metadata.uid() == own.uid()
    }
    #[cfg(not(unix))]
    {
        let _ = (metadata, own);
        true
    }
}

/// Whether others than its owner may write to something.
fn is_shared(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        metadata.mode() & 0o022 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Reads what was kept by whom `own` belongs to; `false` if nothing was.
fn read(file: &Path, own: &fs::Metadata, bytes: &mut Vec<u8>) -> Result<bool, RecordError> {
    // To open a pipe would wait for somebody who writes to it.
    match fs::symlink_metadata(file) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(RecordError::NotOurs),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(RecordError::Unreadable(error)),
    }
    let file = File::open(file).map_err(RecordError::Unreadable)?;
    // What counts is what was opened, whatever has the name by now.
    let metadata = file.metadata().map_err(RecordError::Unreadable)?;
    if !metadata.is_file() || !has_owner_of(&metadata, own) || is_shared(&metadata) {
        return Err(RecordError::NotOurs);
    }
    let size = metadata.len().min(MAX_BYTES);
    bytes.reserve_exact(usize::try_from(size).unwrap_or_default() + 1);
    file.take(MAX_BYTES).read_to_end(bytes).map_err(RecordError::Unreadable)?;
    Ok(true)
}

/// Puts a file where there is none, or another one, in one step.
fn write(file: &Path, folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(file)?;
    Ok(())
}

impl Private {
    /// Makes a directory in a folder, which has an absolute path.
    fn new(folder: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir_in(folder)?;
        let mut config = CacheConfig::new();
        config
            .with_directory(folder.path())
            .with_baseline_compression_level(COMPRESSION)
            // Nothing is compressed again, and nothing grows old or too much: there is one entry at a time.
            .with_optimized_compression_level(COMPRESSION)
            .with_cleanup_interval(Duration::from_secs(u64::from(u32::MAX)))
            .with_file_count_soft_limit(u64::from(u32::MAX))
            .with_files_total_size_soft_limit(u64::from(u32::MAX) << 16);
        let cache = Cache::new(config).map_err(|error| io::Error::other(format!("{error:#}")))?;
        Ok(Self { folder, cache })
    }

    /// Puts an entry where wasmtime looks for it.
    fn put(&self, record: &Record<'_>) -> io::Result<()> {
        let path = self.path(&record.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, record.bytes)
    }

    /// Takes the entry that wasmtime made, which is not the one that was put there, and leaves none. Names of
    /// wasmtime's own notes are not names of entries.
    fn take(&self, put: Option<&Record<'_>>) -> Option<(Name, Vec<u8>)> {
        let versions = fs::read_dir(self.folder.path().join("modules")).ok()?.flatten();
        let names = versions.flat_map(|version| {
            let names = fs::read_dir(version.path()).into_iter().flatten().flatten();
            names.filter_map(move |name| Name::new(&version.file_name(), &name.file_name()))
        });
        let entries = names.filter_map(|name| {
            let bytes = fs::read(self.path(&name));
            self.remove(&name);
            Some((name, bytes.ok()?))
        });
        entries.filter(|(name, bytes)| put.is_none_or(|put| (name, &bytes[..]) != (&put.name, put.bytes))).last()
    }

    /// Removes an entry: left behind, it would only take space.
    fn remove(&self, name: &Name) {
        let _ = fs::remove_file(self.path(name));
    }

    fn path(&self, name: &Name) -> PathBuf {
        self.folder.path().join(name.path())
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // wasmtime's thread may just be writing a note, which makes removing fail; then there are no more.
        for _ in 0..10 {
            if fs::remove_dir_all(self.folder.path()).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
