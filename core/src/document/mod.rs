//! JSON documents as a person wrote them: reads them, names places in them, patches them, and decodes them into
//! typed objects.

pub mod decode;
mod escape;
pub mod float;
mod meant;
pub mod patch;
mod path;
mod read;
mod text;
mod value;
mod write;

pub use escape::{write_escaped, write_string};
pub use meant::meant;
pub use patch::{PatchKind, PatchOperation};
pub use path::{Path, push_segment};
pub use read::{MAX_BYTES, MAX_DEPTH, MAX_ENTRIES, MAX_VALUES, SyntaxError, parse};
pub use text::JsonText;
pub use value::{Value, segments};
pub use write::write;
