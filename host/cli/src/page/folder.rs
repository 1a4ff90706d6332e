//! The files that the server sends: those in the folder, and nothing else that a path might lead to.

use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::pin::Pin;

use tower_http::services::fs::{Backend, TokioBackend, TokioFile};

/// A folder that no path leads out of. Files with a leading dot, devices and pipes count as missing.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// Without links.
    root: PathBuf,
}

type Answer<T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send>>;

impl Folder {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Where a path leads to once links are followed, with what is there.
    async fn resolve(&self, path: &Path) -> io::Result<(PathBuf, Metadata)> {
        // A name that is too long, or a link to itself, counts as missing, too.
        let not_found = |_| io::Error::from(io::ErrorKind::NotFound);
        let resolved = tokio::fs::canonicalize(path).await.map_err(not_found)?;
        let metadata = tokio::fs::metadata(&resolved).await.map_err(not_found)?;
        // To open a pipe would wait for its writer.
        let may_be_read = metadata.is_file() || metadata.is_dir();
        if may_be_read && resolved.strip_prefix(&self.root).is_ok_and(is_shown) {
            Ok((resolved, metadata))
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }
}

fn is_shown(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b".")))
}

impl Backend for Folder {
    type File = TokioFile;
    type Metadata = Metadata;
    type OpenFuture = Answer<TokioFile>;
    type MetadataFuture = Answer<Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let folder = self.clone();
        Box::pin(async move {
            match folder.resolve(&path).await? {
                (file, metadata) if metadata.is_file() => TokioBackend.open(file).await,
                _ => Err(io::ErrorKind::NotFound.into()),
            }
        })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let folder = self.clone();
        Box::pin(async move { Ok(folder.resolve(&path).await?.1) })
    }
}
