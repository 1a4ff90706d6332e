//! Compiled policies, kept on disk from run to run.
//!
//! wasmtime has a cache of its own, which trusts whatever is in its directory. That directory is one that nobody
//! else sees: made at start, gone at the end. What is kept for the next run is in files of ours in another one,
//! and goes into wasmtime's only after its [record](super::record) was checked.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::{NamedTempFile, TempDir};
use wasmtime::component::Component;
use wasmtime::{Cache, CacheConfig, Engine};

use super::record::{Key, Name, Record, RecordError};
use crate::digest::Digest;

/// Largest file that is read. Machine code has some times the size of its policy.
const MAX_BYTES: u64 = 128 << 20;
/// Decompression is what takes time when a policy is loaded, and does not depend on the level.
const COMPRESSION: i32 = 1;

/// Why compiled policies are not kept, or one that was kept is not run. Everything works without, but starts
/// slower.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// There is no private directory.
    #[error("compiled policies are not kept: there is no place for temporary files: {0}")]
    Private(String),
    /// The directory cannot be used.
    #[error("compiled policies are not kept: `{}` cannot be used: {cause}", .folder.display())]
    Folder {
        /// The directory.
        folder: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// Others could put something into the directory.
    #[error("compiled policies are not kept: `{}` can be changed by other users", .0.display())]
    Shared(PathBuf),
    /// A file could not be written.
    #[error("the compiled policy is not kept: `{}` cannot be written: {cause}", .file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A file is not what was written. Its policy is compiled anew, and the file replaced.
    #[error("`{}`, compiled from the policy with the SHA-256 digest {digest}, is refused and made anew: {cause}", .file.display())]
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
    private: Option<Private>,
    /// Where files are kept; none if nothing is to be kept or can be.
    folder: Option<PathBuf>,
    /// What went wrong; also makes compilations follow each other.
    errors: Mutex<Vec<CacheError>>,
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
        let mut artifacts = Self { private: None, folder: None, errors: Mutex::default() };
        let Some(folder) = folder else { return artifacts };
        let opened = Private::new().map_err(CacheError::Private).and_then(|private| {
            prepare(folder, private.folder.path())?;
            Ok(private)
        });
        match opened {
            Ok(private) => (artifacts.private, artifacts.folder) = (Some(private), Some(folder.to_owned())),
            Err(error) => artifacts.errors = Mutex::new(vec![error]),
        }
        artifacts
    }

    /// wasmtime's cache, for the configuration of the engine.
    pub(super) fn cache(&self) -> Option<Cache> {
        self.private.as_ref().map(|private| private.cache.clone())
    }

    /// What went wrong since this was asked before.
    pub(super) fn take_errors(&self) -> Vec<CacheError> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Compiles a policy, or takes what was compiled before. The engine has to have the [cache](Self::cache).
    pub(super) fn compile(&self, engine: &Engine, digest: Digest, wasm: &[u8]) -> wasmtime::Result<Component> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(private), Some(folder)) = (&self.private, &self.folder) else {
            return Component::new(engine, wasm);
        };
        let key = Key { policy: digest, compiler: compiler(engine) };
        let file = folder.join(format!("{digest}-{:016x}", key.compiler));
        let mut bytes = Vec::new();
        let found = read(&file, folder, &mut bytes);
        match found.and_then(|found| found.then(|| Record::from_bytes(&bytes, &key)).transpose()) {
            Ok(Some(record)) => {
                let hits = private.cache.cache_hits();
                // What cannot be put there is compiled anew.
                let _ = private.put(&record);
                let component = Component::new(engine, wasm);
                private.remove(&record.name);
                if private.cache.cache_hits() > hits {
                    return component;
                }
            }
            Ok(None) => {}
            Err(cause) => errors.push(CacheError::Refused { file: file.clone(), digest, cause: cause.into() }),
        }
        let component = Component::new(engine, wasm)?;
        if let Some((name, bytes)) = private.take()
            && let Err(cause) = write(&file, folder, &Record { name, bytes: &bytes }.to_bytes(&key))
        {
            errors.push(CacheError::Write { file, cause });
        }
        Ok(component)
    }
}

/// What the machine code depends on beside the policy: wasmtime's version and settings, and the processor.
fn compiler(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

/// Makes a folder that is for this user alone, or checks that it is.
fn prepare(folder: &Path, own: &Path) -> Result<(), CacheError> {
    let unusable = |cause| CacheError::Folder { folder: folder.to_owned(), cause };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(unusable)?;
    let metadata = fs::metadata(folder).map_err(unusable)?;
    if is_own(&metadata, &fs::metadata(own).map_err(unusable)?) {
        Ok(())
    } else {
        Err(CacheError::Shared(folder.to_owned()))
    }
}

/// Whether something belongs to whom `own` belongs to, and nobody else may write to it.
fn is_own(metadata: &fs::Metadata, own: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        metadata.uid() == own.uid() && metadata.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    {
        let _ = (metadata, own);
        true
    }
}

/// Reads what was kept; `false` if nothing was.
fn read(file: &Path, folder: &Path, bytes: &mut Vec<u8>) -> Result<bool, RecordError> {
    let unreadable = |error: io::Error| RecordError::Unreadable(error);
    let metadata = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        metadata => metadata.map_err(unreadable)?,
    };
    if !metadata.is_file() || !is_own(&metadata, &fs::metadata(folder).map_err(unreadable)?) {
        return Err(RecordError::NotOurs);
    }
    let size = metadata.len().min(MAX_BYTES);
    bytes.reserve_exact(usize::try_from(size).unwrap_or_default() + 1);
    File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_end(bytes)).map_err(unreadable)?;
    Ok(true)
}

/// Puts a file where there is none, or another one, in one step.
fn write(file: &Path, folder: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(file)?;
    Ok(())
}

impl Private {
    fn new() -> Result<Self, String> {
        let folder = private_folder().map_err(|error| error.to_string())?;
        let path = folder.path().canonicalize().map_err(|error| error.to_string())?;
        let mut config = CacheConfig::new();
        config
            .with_directory(path)
            .with_baseline_compression_level(COMPRESSION)
            // Nothing is compressed again, and nothing grows old or too much: there is one entry at a time.
            .with_optimized_compression_level(COMPRESSION)
            .with_cleanup_interval(Duration::from_secs(u64::from(u32::MAX)))
            .with_file_count_soft_limit(u64::from(u32::MAX))
            .with_files_total_size_soft_limit(u64::from(u32::MAX) << 16);
        let cache = Cache::new(config).map_err(|error| format!("{error:#}"))?;
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

    /// Takes the entry that is there. wasmtime's own notes beside it have extensions.
    fn take(&self) -> Option<(Name, Vec<u8>)> {
        let mut entries = fs::read_dir(self.folder.path().join("modules")).ok()?.flatten().flat_map(|version| {
            let names = fs::read_dir(version.path()).into_iter().flatten().flatten();
            names.filter_map(move |name| Name::new(&version.file_name(), &name.file_name()))
        });
        let name = entries.find(|name| self.path(name).extension().is_none())?;
        let bytes = fs::read(self.path(&name));
        self.remove(&name);
        Some((name, bytes.ok()?))
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

fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("trellis-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}
