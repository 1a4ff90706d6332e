//! What can be wrong with recorded states.

use std::io;
use std::path::{Path, PathBuf};

use super::document::{DocumentError, SubjectId};
use super::holder::Holder;

/// Why a state cannot be read, written or used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// A technical id that cannot be the name of a folder.
    #[error("`{0}` cannot be the name of a folder: technical ids have letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {error}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("cannot write `{}`: {error}", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A file is not a valid state.
    #[error(
        "`{}` cannot be read as a state: {error}; put a good copy in its place with `trellis state import --force`, \
         which keeps this one as `state.json.bak`",
        .path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: DocumentError,
    },
    /// Another run works on the infrastructure.
    #[error(
        "`{name}` is in use{}: wait until that ends, or end it",
        .holder.as_deref().map(|holder| format!(" by {holder}")).unwrap_or_default()
    )]
    Held {
        /// The technical id.
        name: String,
        /// The holder of the lock, where the lock has one.
        holder: Option<Box<Holder>>,
    },
    /// The state is another infrastructure's.
    #[error(
        "the recorded state belongs to {recorded}, and this run is for {given}: check `--cloud`, the region and \
         `--state-dir`; a network that moved on purpose is bound anew by `trellis state rebind`"
    )]
    Foreign {
        /// The infrastructure of the state.
        recorded: Box<SubjectId>,
        /// The infrastructure of the run.
        given: Box<SubjectId>,
    },
    /// There is a state already.
    #[error("`{}` exists already: `--force` replaces it, and keeps the former one as `state.json.bak`", .0.display())]
    Exists(PathBuf),
}

impl StateError {
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Read { path: path.to_owned(), error }
    }

    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}
