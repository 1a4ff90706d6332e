//! Kubernetes objects in the documents that people give, and how they refer to each other.

mod collection;
mod context;
mod excerpt;
mod problem;
mod provider;
mod reference;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::source::{Entry, Node, Position, Source, Span, Value};

pub use collection::{Manifests, Meant, OldManifests};
pub use context::{cloud_profile, context, named, secret};
pub use excerpt::excerpt;
pub use problem::{ManifestError, ManifestProblem};
pub use provider::{OF_GARDENER, is_of_gardener, meant_provider, provider, wrong_kind};
pub use reference::{profile_reference, secret_of};

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

/// What identifies an object.
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
            if root.get("kind").and_then(Node::as_str).is_none() {
                return Err(Self::without_kind(input, &root));
            }
            Self::expand(input, root, &mut documents);
        }
        Ok(documents)
    }

    /// Whether the text of a document means to be a Kubernetes object.
    pub fn is_object(root: &Node) -> bool {
        ["apiVersion", "kind"].into_iter().any(|key| root.get(key).is_some())
    }

    fn without_kind(input: &Arc<Source>, root: &Node) -> ManifestError {
        ManifestError::at(input, root.locate("/kind"), ManifestProblem::NoKind)
    }

    /// The error in an item of a list that has no kind. The other items are objects all the same.
    pub fn has_kind(&self) -> Result<(), ManifestError> {
        if self.kind.is_empty() { Err(Self::without_kind(&self.input, &self.root)) } else { Ok(()) }
    }

    /// Adds an object, or the items of a list. Items are moved, because a list may be large.
    fn expand(input: &Arc<Source>, mut root: Node, documents: &mut Vec<Self>) {
        let kind = root.get("kind").and_then(Node::as_str).unwrap_or_default().to_owned();
        let Some((of, items)) = kind.strip_suffix("List").and_then(|of| Some((of, items(&mut root)?))) else {
            documents.push(Self { input: Arc::clone(input), root, kind, json: OnceLock::new() });
            return;
        };
        let version = root.get("apiVersion").and_then(Node::as_str);
        for item in items {
            let item = if of.is_empty() { item } else { item_of(version, of, item) };
            Self::expand(input, item, documents);
        }
    }

    /// The object as JSON text.
    pub fn json(&self) -> &str {
        self.json.get_or_init(|| self.root.to_json())
    }

    /// Kind of the object; empty for an item of a list [without one](Self::has_kind).
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

    /// What identifies this object.
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
        self.has_uid() || self.has("resourceVersion")
    }

    /// Whether the object has a uid: it exists, or existed.
    pub fn has_uid(&self) -> bool {
        self.has("uid")
    }

    fn has(&self, key: &str) -> bool {
        self.root.at(&["metadata", key]).is_some_and(|node| match &node.value {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            _ => true,
        })
    }

    /// Whether both stand in one file.
    pub fn is_next_to(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.input, &other.input)
    }

    /// File and line where the object starts, such as `shoot.yaml:3`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.input.name(), self.position().line)
    }

    /// Where the object starts.
    pub fn position(&self) -> Position {
        self.input.position(self.root.span.start)
    }
}

/// Takes the items out of a list.
fn items(list: &mut Node) -> Option<Vec<Node>> {
    match &mut list.get_mut("items")?.value {
        Value::Sequence(items) => Some(std::mem::take(items)),
        _ => None,
    }
}

/// An item of a list of one kind, such as `ShootList`: the API server leaves out `apiVersion` and `kind` of such
/// items.
fn item_of(version: Option<&str>, kind: &str, mut item: Node) -> Node {
    let span = Span::new(item.span.start, item.span.start);
    let Value::Mapping(members) = &mut item.value else { return item };
    for (key, text) in [("kind", Some(kind)), ("apiVersion", version)] {
        let is_there = members.iter().any(|member| member.key == key);
        if let Some(text) = text.filter(|_| !is_there) {
            let value = Node { value: Value::String(text.to_owned()), span };
            members.insert(0, Entry { key: key.to_owned(), key_span: span, value });
        }
    }
    item
}

/// Whether values of objects of that kind must stay out of messages.
pub fn is_secret_kind(kind: &str) -> bool {
    matches!(kind, "Secret" | "InternalSecret")
}

#[cfg(test)]
mod tests;
