//! Kubernetes objects in the documents that people give, and how they refer to each other.

mod context;
mod excerpt;
mod problem;
mod provider;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::source::{Node, Position, Source, Value};

pub use context::{cloud_profile, context, secret};
pub use excerpt::excerpt;
pub use problem::{ManifestError, ManifestProblem};
pub use provider::{is_of_gardener, provider};

/// An object and the text it stands in.
#[derive(Debug)]
pub struct Document {
    /// The text.
    pub input: Arc<Source>,
    /// The object.
    pub root: Node,
    kind: String,
    json: OnceLock<String>,
}

/// What tells objects apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Kind.
    pub kind: String,
    /// Namespace, empty for none.
    pub namespace: String,
    /// Name.
    pub name: String,
}

/// `Shoot garden-dev/my-shoot`
impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name } = self;
        let slash = if namespace.is_empty() { "" } else { "/" };
        let name = if name.is_empty() { "(no name)" } else { name };
        // Names come from outside: characters that would steer a terminal or end a line are shown as a mark.
        let text = format!("{kind} {namespace}{slash}{name}");
        formatter.write_str(&text.replace(char::is_control, "\u{fffd}"))
    }
}

impl Document {
    /// The objects of a text: each of its documents, or the items of one that is a list of objects.
    pub fn all_of(input: &Arc<Source>, roots: Vec<Node>) -> Result<Vec<Self>, ManifestError> {
        let mut documents = Vec::new();
        for root in roots {
            Self::expand(input, root, &mut documents)?;
        }
        Ok(documents)
    }

    fn expand(input: &Arc<Source>, root: Node, documents: &mut Vec<Self>) -> Result<(), ManifestError> {
        let Some(kind) = root.get("kind").and_then(Node::as_str).map(str::to_owned) else {
            return Err(ManifestError::at(input, root.locate("/kind"), ManifestProblem::NoKind));
        };
        match root.get("items").and_then(Node::as_sequence) {
            Some(items) if kind.ends_with("List") => {
                items.iter().try_for_each(|item| Self::expand(input, item.clone(), documents))
            }
            _ => {
                documents.push(Self { input: Arc::clone(input), root, kind, json: OnceLock::new() });
                Ok(())
            }
        }
    }

    /// The object as JSON text.
    pub fn json(&self) -> &str {
        self.json.get_or_init(|| self.root.to_json())
    }

    /// Kind of the object.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// API group; empty for the core group, `None` where `apiVersion` is missing.
    pub fn group(&self) -> Option<&str> {
        let version = self.text_at(&["apiVersion"])?;
        Some(version.rsplit_once('/').map_or("", |(group, _)| group))
    }

    /// The text at a path of keys.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.root.at(path).and_then(Node::as_str)
    }

    /// What tells this object from others.
    pub fn identity(&self) -> Identity {
        let metadata = |key| self.text_at(&["metadata", key]).unwrap_or_default().to_owned();
        Identity { kind: self.kind.clone(), namespace: metadata("namespace"), name: metadata("name") }
    }

    /// Whether values of this object must stay out of messages.
    pub fn is_secret(&self) -> bool {
        is_secret_kind(&self.kind)
    }

    /// Whether the object was read from a cluster, which alone sets a uid and a resource version.
    pub fn is_from_cluster(&self) -> bool {
        ["uid", "resourceVersion"].into_iter().any(|key| {
            self.root.at(&["metadata", key]).is_some_and(|node| match &node.value {
                Value::Null => false,
                Value::String(text) => !text.is_empty(),
                _ => true,
            })
        })
    }

    /// Where the object starts.
    pub fn position(&self) -> Position {
        self.input.position(self.root.span.start)
    }
}

/// Whether values of objects of that kind must stay out of messages.
pub fn is_secret_kind(kind: &str) -> bool {
    matches!(kind, "Secret" | "InternalSecret")
}

/// All objects that were given, to find those that others refer to.
#[derive(Debug)]
pub struct Manifests {
    documents: Vec<Document>,
    index: HashMap<Identity, usize>,
    /// The bindings that refer to each Secret.
    bindings: HashMap<Identity, Vec<usize>>,
}

impl Manifests {
    /// Collects objects; two of the same kind, namespace and name are an error.
    pub fn new(documents: Vec<Document>) -> Result<Self, ManifestError> {
        let mut index = HashMap::new();
        let mut bindings: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, document) in documents.iter().enumerate() {
            if let Some(secret) = context::secret_of(document) {
                bindings.entry(secret).or_default().push(at);
            }
            let identity = document.identity();
            if identity.name.is_empty() {
                continue;
            }
            if let Some(first) = index.insert(identity.clone(), at).and_then(|first| documents.get(first)) {
                let first = format!("{}:{}", first.input.name(), first.position().line);
                let problem = ManifestProblem::Twice { identity: identity.to_string(), first };
                return Err(ManifestError::at(&document.input, document.root.locate("/metadata/name"), problem));
            }
        }
        Ok(Self { documents, index, bindings })
    }

    /// The objects, in the order in which they were given.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The object of that identity.
    pub fn get(&self, identity: &Identity) -> Option<&Document> {
        self.index.get(identity).and_then(|at| self.documents.get(*at))
    }

    /// The bindings that refer to a Secret.
    fn bindings_of(&self, secret: &Document) -> impl Iterator<Item = &Document> {
        let positions = self.bindings.get(&secret.identity()).map(Vec::as_slice).unwrap_or_default();
        positions.iter().filter_map(|at| self.documents.get(*at))
    }

    /// The object of that kind, namespace (empty for none) and name.
    pub fn find(&self, kind: &str, namespace: &str, name: &str) -> Option<&Document> {
        self.get(&Identity { kind: kind.to_owned(), namespace: namespace.to_owned(), name: name.to_owned() })
    }
}

/// The old version of each object, for updates.
#[derive(Debug, Default)]
pub struct OldManifests {
    index: HashMap<Identity, Document>,
}

impl OldManifests {
    /// Pairs old versions with the objects; each must have its partner.
    pub fn pair(documents: Vec<Document>, manifests: &Manifests) -> Result<Self, ManifestError> {
        let mut index = HashMap::new();
        for document in Manifests::new(documents)?.documents {
            let identity = document.identity();
            if identity.name.is_empty() {
                let problem = ManifestProblem::OldWithoutName { kind: identity.kind };
                return Err(ManifestError::at(&document.input, document.root.locate("/metadata"), problem));
            }
            if manifests.get(&identity).is_none() {
                let problem = ManifestProblem::OldWithoutNew { identity: identity.to_string() };
                return Err(ManifestError::at(&document.input, document.root.locate("/metadata/name"), problem));
            }
            index.insert(identity, document);
        }
        Ok(Self { index })
    }

    /// The old version of an object.
    pub fn of(&self, document: &Document) -> Option<&Document> {
        self.index.get(&document.identity())
    }
}

#[cfg(test)]
mod tests;
