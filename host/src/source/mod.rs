//! Reading what people write: YAML or JSON text becomes trees that know where each part stands.

mod json;
mod locate;
mod problem;
mod read;
mod scalar;
mod text;
mod tree;
mod yaml;

pub use locate::Location;
pub use problem::{ReadError, ReadProblem};
pub use read::{MAX_BYTES, MAX_DEPTH, MAX_NODES, read};
pub use text::{Position, Source, Span};
pub use tree::{Entry, Node, Value};
pub use yaml::YamlError;
