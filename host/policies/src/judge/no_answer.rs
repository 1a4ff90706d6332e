//! An object about which a policy gave no answer.

use std::sync::Arc;

use crate::answer::Failure;
use crate::manifest::Document;
use crate::source::{Source, Span};

/// An object about which a policy gave no answer, and its place in the manifests.
#[derive(Debug, thiserror::Error)]
#[error("{object} could not be judged: {}", failure.message)]
pub struct NoAnswer {
    /// The object, for people.
    pub object: String,
    /// What the policy says.
    pub failure: Failure,
    /// The text of the object.
    pub input: Arc<Source>,
    /// The place in that text.
    pub span: Span,
}

impl NoAnswer {
    /// The failure of a policy, at its place in an object.
    pub fn about(document: &Document, failure: Failure) -> Self {
        let location = document.root.locate(failure.pointer.as_deref().unwrap_or_default());
        let object = document.identity().to_string();
        let span = location.highlight(&document.input);
        Self { object, failure, input: Arc::clone(&document.input), span }
    }
}
