//! The page, as `npm run build --workspace page` leaves it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ServeError;

/// A folder with a page in it. Its files are read when they are asked for, so a page that is built again is seen
/// at the next reload.
#[derive(Clone, Debug)]
pub struct Page {
    folder: PathBuf,
}

impl Page {
    /// The page in a folder.
    pub fn open(folder: &Path) -> Result<Self, ServeError> {
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ServeError::NoPage(folder.to_owned()),
            _ => ServeError::Unreadable { folder: folder.to_owned(), error },
        };
        let resolved = fs::canonicalize(folder).map_err(unreadable)?;
        if !fs::metadata(&resolved).map_err(unreadable)?.is_dir() {
            return Err(ServeError::NoPage(folder.to_owned()));
        }
        if resolved.join("index.html").is_file() {
            Ok(Self { folder: resolved })
        } else {
            Err(ServeError::NotAPage(folder.to_owned()))
        }
    }

    /// Its folder, without links.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}
