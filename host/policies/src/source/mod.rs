//! Reading what people write: YAML or JSON text becomes trees that know where each part stands.

mod json;
mod locate;
mod problem;
mod read;
mod scalar;
mod text;
mod tree;
mod yaml;

pub use json::read_own;
pub use locate::Location;
pub use problem::{ReadError, ReadProblem};
pub use read::read;
pub use text::{Position, Source, Span};
pub use tree::{Entry, Node, Value};
pub use yaml::YamlError;

/// Largest input, in bytes.
pub const MAX_BYTES: usize = 3 << 20;
/// Deepest nesting of lists and mappings.
pub const MAX_DEPTH: usize = 64;
/// Most values in one input. Keys do not count; what anchors keep and aliases repeat does.
pub const MAX_NODES: usize = 50_000;
