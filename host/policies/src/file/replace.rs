//! Files that are replaced as a whole or not at all.

use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::path::Path;

/// How the names of temporary files begin, which then replace others.
const NEW: &str = ".new-";
/// How many letters and digits follow in such a name.
const RANDOM: usize = 6;

/// Replaces a file; its owner alone can read the new one. After a crash, the old or the new file is there,
/// complete.
pub fn replace(folder: &Path, name: &str, content: impl Read) -> io::Result<()> {
    put(&folder.join(name), content, None)
}

/// Replaces a file, and gives the new one permissions; without any, its owner alone can read it.
pub(super) fn put(path: &Path, mut content: impl Read, permissions: Option<Mode>) -> io::Result<()> {
    let folder = folder_of(path);
    let mut builder = builder();
    if permissions.is_some() {
        like_any_other(&mut builder);
    }
    let mut file = builder.tempfile_in(folder)?;
    io::copy(&mut content, &mut file)?;
    if let Some(Mode::Like(permissions)) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Permissions of a file that others may read, too.
pub(super) enum Mode {
    /// Those of any file that this user makes.
    New,
    /// Those of the file that is replaced.
    Like(Permissions),
}

/// Whether a folder takes new files.
pub(super) fn try_folder(path: &Path) -> io::Result<()> {
    builder().tempfile_in(folder_of(path)).map(drop)
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(NEW).rand_bytes(RANDOM);
    builder
}

/// With the permissions that the user's mask leaves to new files.
#[cfg(unix)]
fn like_any_other(builder: &mut tempfile::Builder<'static, 'static>) {
    use std::os::unix::fs::PermissionsExt as _;

    builder.permissions(Permissions::from_mode(0o666));
}

/// Elsewhere, files get the permissions of their folder.
#[cfg(not(unix))]
fn like_any_other(_: &mut tempfile::Builder<'static, 'static>) {}

/// Removes temporary files that a crash left in a folder. Only the holder of the folder's lock may do that.
pub fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(NEW));
        let is_ours = random
            .is_some_and(|rest| rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // A temporary file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a folder with all folders above it, so that they outlast a crash.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = folder_of(path);
    if parent != path {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Another process has made the folder meanwhile.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        made => made?,
    }
    sync_folder(parent)
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes sure that the names in a folder outlast a crash.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Elsewhere, folders cannot be synchronized, and a name is kept with its file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
