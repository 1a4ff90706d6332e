//! Files that are replaced as a whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

/// Puts a file in the place of another. After a crash there is one of the two, complete.
pub(super) fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(folder.join(name)).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Makes sure that the names in a folder outlast a crash.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

/// Elsewhere, folders cannot be synchronized, and a name is kept with its file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
