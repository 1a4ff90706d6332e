//! Files that are replaced as a whole or not at all.

use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::path::Path;

/// How names begin of files that are to take the place of others.
const NEW: &str = ".new-";
/// How many characters follow, which are letters and digits.
const RANDOM: usize = 6;

/// Puts a file in the place of another, readable by its owner alone. After a crash there is one of the two, complete.
#[cfg(feature = "apply")]
pub(crate) fn replace(folder: &Path, name: &str, content: impl Read) -> io::Result<()> {
    put(&folder.join(name), content, None)
}

/// The same with permissions; with those of a file that is new where they are `None` in turn.
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
    /// As of any file that this user makes.
    New,
    /// As of the file that is replaced.
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

/// Removes what a crash left of files that were to take the place of others in a folder. Only the holder of the folder's
/// lock may do that.
#[cfg(feature = "apply")]
pub(crate) fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(NEW));
        let is_ours = random
            .is_some_and(|rest| rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // What cannot be removed disturbs nobody.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a folder with all folders above it, so that they outlast a crash.
#[cfg(feature = "apply")]
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = folder_of(path);
    if parent != path {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Somebody else has made it meanwhile.
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
