//! What can be wrong with recorded states.

use std::io;
use std::path::{Path, PathBuf};

use super::document::{DocumentError, SubjectId};
use super::holder::Holder;
use super::is_name;

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
    /// The state is another subject's.
    #[error("the recorded state belongs to {recorded}, and this run is for {given}")]
    Foreign {
        /// The subject of the state.
        recorded: Box<SubjectId>,
        /// The subject of the run.
        given: Box<SubjectId>,
    },
    /// There is a state already.
    #[error("`{}` exists already: `--force` replaces it, and keeps the former one as `state.json.bak`", .0.display())]
    Exists(PathBuf),
}

impl StateError {
    /// What the person can do, where the message does not say it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Foreign { recorded, given } => Some(of_foreign(recorded, given)),
            _ => None,
        }
    }

    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Read { path: path.to_owned(), error }
    }

    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}

/// What a person can do about a state of another subject: each part is about what differs.
fn of_foreign(recorded: &SubjectId, given: &SubjectId) -> String {
    let differ = |one: &Option<String>, other: &Option<String>| one.is_some() && other.is_some() && one != other;
    let (is_other_cloud, is_other_uid) =
        (differ(&recorded.cloud, &given.cloud), differ(&recorded.uid, &given.uid));
    let is_other_place = (&recorded.provider, &recorded.region) != (&given.provider, &given.region);
    let rebind = format!("trellis state rebind {}", recorded.name);
    let mut parts = Vec::new();
    if is_other_cloud || is_other_place || !is_other_uid {
        parts.push("check `--cloud`, the region and `--state-dir`".to_owned());
    }
    if is_other_cloud && !is_other_place {
        let cloud = given.cloud.as_deref().unwrap_or_default();
        parts.push(format!("if it moved to this cloud on purpose, run `{rebind} --cloud {cloud}`"));
    }
    if is_other_uid {
        let kind = recorded.kind();
        // What a manifest has may be anything, and the person may run the command.
        let uid = given.uid.as_deref().filter(|uid| is_name(uid)).unwrap_or("UID");
        parts.push(format!(
            "if somebody made the {kind} again, run `{rebind} --uid {uid}` to go on with what is recorded, or `trellis destroy` \
             with the manifest without `metadata.uid` to delete it first"
        ));
    }
    parts.join("; ")
}
