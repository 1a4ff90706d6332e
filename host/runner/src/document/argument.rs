//! What a parameter of a call is set to. The type is not generated, because a schema has no order: an object with the
//! one member `ref` is a reference before it is an object; and a number may have any size.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Number;

/// What a parameter is set to.
///
/// In JSON, an argument is what it is, save for three objects that have one member: `{ "ref" }`, `{ "concat" }`,
/// and `{ "object" }`, whose member is an object with any names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Argument {
    /// A text. An API whose parameters are all texts gets its numbers and booleans as texts.
    Text(String),
    /// A number.
    Number(Number),
    /// A boolean.
    Bool(bool),
    /// `null`.
    Null,
    /// The text that the recorded state has under a key when the call is made.
    Reference {
        /// The key.
        #[serde(rename = "ref")]
        key: String,
    },
    /// Texts and references, joined to one text.
    Concat {
        /// The parts, in their order.
        concat: Vec<Argument>,
    },
    /// An object with any names.
    Data {
        /// Its members.
        object: BTreeMap<String, Argument>,
    },
    /// A list.
    List(Vec<Argument>),
    /// An object.
    Object(BTreeMap<String, Argument>),
}
