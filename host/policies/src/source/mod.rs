//! Reading what people write: YAML or JSON text becomes trees that know where each part stands.

mod budget;
mod json;
mod locate;
mod part;
mod problem;
mod read;
mod scalar;
mod text;
mod tree;
mod yaml;

pub use json::read_own;
pub use locate::Location;
pub use part::Part;
pub use problem::{ReadError, ReadProblem};
pub use read::{read, read_owned};
pub use text::{Position, Source, Span};
pub use tree::{Entry, Node, Value};
pub use yaml::YamlError;

/// Largest text, in bytes.
pub const MAX_TEXT: usize = 64 << 20;
/// Largest document, and largest item of a list, in bytes; and the most text that anchors keep, and that aliases
/// repeat.
pub const MAX_BYTES: usize = 3 << 20;
/// The key of what a list has.
const ITEMS: &str = "items";
/// Deepest nesting of lists and mappings.
pub const MAX_DEPTH: usize = 64;
/// Most values in one text. Keys do not count; what anchors keep and aliases repeat does.
pub const MAX_NODES: usize = 8_000_000;
/// Most values in a document, and in an item of a list; and the most that anchors keep and aliases repeat in a
/// text.
pub const MAX_DOCUMENT_NODES: usize = 50_000;
