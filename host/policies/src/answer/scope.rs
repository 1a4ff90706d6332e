//! What a verdict does not cover.

use serde::{Deserialize, Serialize};

/// Rules that nobody checked, about parts of the object, and where the text has these.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Section {
    /// The entry of `not_checked`.
    pub name: String,
    /// The parts, as RFC 6901 pointers.
    pub pointers: Vec<String>,
    /// The line of the first part that the text has.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}
