//! What no policy judges.

use std::fmt;
use std::sync::Arc;

use super::clean;
use trellis_policies::manifest::{Document, Identity};
use trellis_policies::source::{Node, Source, Span};

/// A document that no policy judges, and why.
#[derive(Clone)]
pub(crate) struct Skipped {
    pub(super) input: Arc<Source>,
    pub(super) span: Span,
    /// Absent where the document is no Kubernetes object.
    pub(super) object: Option<Identity>,
    pub(super) why: &'static str,
}

impl Skipped {
    /// An object.
    pub(crate) fn object(document: &Document, why: &'static str) -> Self {
        let input = Arc::clone(&document.input);
        let span = document.root.locate("").highlight(&input);
        Self { input, span, object: Some(document.identity()), why }
    }

    /// YAML that is no object.
    pub(crate) fn no_object(input: &Arc<Source>, root: &Node) -> Self {
        let why = "it is no Kubernetes object, as it has neither `apiVersion` nor `kind`";
        Self { input: Arc::clone(input), span: root.span, object: None, why }
    }

    /// A file without a document.
    pub(crate) fn empty(input: &Arc<Source>) -> Self {
        Self { input: Arc::clone(input), span: Span::new(0, 0), object: None, why: "it has no document" }
    }

    pub(super) fn line(&self) -> usize {
        self.input.position(self.span.start).line
    }
}

/// `skipped Role garden-dev/a (a.yaml:1): no policy judges objects of its kind`
impl fmt::Display for Skipped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = clean(&format!("{}:{}", self.input.name(), self.line()));
        match &self.object {
            Some(object) => write!(formatter, "skipped {object} ({place}): {}", self.why),
            None => write!(formatter, "skipped {place}: {}", self.why),
        }
    }
}
