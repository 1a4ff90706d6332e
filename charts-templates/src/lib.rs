//! Compiles templates of Kubernetes objects, which are Handlebars in YAML, into trees with holes.
//!
//! A build step writes the trees as Rust code for `trellis_core::render`. What fills a hole is never read as YAML,
//! so no value changes the structure of an object, and a policy needs neither a template engine nor a YAML parser.
//! The language is in `charts-templates/README.md`.

mod blocks;
mod code;
mod error;
mod expression;
mod folder;
mod hole;
mod identity;
mod images;
mod scalar;
mod tree;
mod yaml;

pub use code::code;
pub use error::{CompileError, Problem};
pub use folder::{Bundle, bundles};
pub use hole::{BlockKind, Hole, Name};
pub use identity::Identity;
pub use images::{ImageEntry, images, images_code};
pub use tree::{Node, Part, Piece, Template, compile};
