//! What can be wrong with a file of the corpus.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A corpus that cannot be read.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no YAML, lacks a member, or has one that the format does not know.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// A case has a mistake.
    #[error("{}: case `{case}`: {mistake}", path.display())]
    Case {
        /// The file.
        path: PathBuf,
        /// Name of the case.
        case: String,
        /// What is wrong.
        mistake: Mistake,
    },
    /// Two cases of a function have one name.
    #[error("two cases have the name `{0}`")]
    NameTwice(String),
}

impl CorpusError {
    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }
}

/// What is wrong with a case.
#[derive(Debug, Error)]
pub enum Mistake {
    /// There is no such base.
    #[error("there is no base `{0}`: neither in `bases` of the file, nor in the folder `bases` beside it")]
    UnknownBase(String),
    /// A base is made of itself.
    #[error("the base `{0}` is made of itself")]
    Circle(String),
    /// An edit cannot be read.
    #[error("the edits are no RFC 6902 patch: {0}")]
    Edits(serde_json::Error),
    /// An edit cannot be made.
    #[error("an edit does not apply: {0}")]
    Edit(#[from] json_patch::PatchError),
    /// A case is like one that is not there.
    #[error("`like` names `{0}`, which is no earlier case of the file")]
    UnknownCase(String),
    /// A case says nothing that a request could be made of.
    #[error("neither the case nor its file has a `base`, and the case has no `request`")]
    NoRequest,
    /// A text to replace is not in the request.
    #[error("`{0}` is not in the text of the request")]
    NoSuchText(String),
    /// The expectation cannot be made an answer.
    #[error("`expect`: {0}")]
    Expectation(String),
}
