//! What a parameter of a call is set to.

use serde::Serialize;

use crate::collections::{Entries, NameMap};

/// What a parameter is set to. A query has no references.
///
/// In JSON, an argument is what it is, save for three objects that have one member: `{ "ref" }`, `{ "concat" }`,
/// and `{ "object" }`, whose member is an object with any names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Argument {
    /// A text. An API whose parameters are all texts gets its numbers and booleans as texts.
    Text(String),
    /// A whole number.
    Number(i64),
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
    /// A list; RPC sends its entries as `Name.1`, `Name.2`.
    List(Vec<Argument>),
    /// An object whose names are the API's; RPC sends its members as `Name.Member`. An object whose only name is
    /// `ref`, `concat` or `object` is written as one whose names are data.
    Object(NameMap<'static, Argument>),
    /// An object whose names are data, such as labels.
    Data {
        /// Its members.
        object: Entries<Argument>,
    },
}

impl Argument {
    /// An object whose names are data.
    pub fn data<N: Into<String>>(members: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Data { object: members.into_iter().collect() }
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Argument {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Argument {
    fn from(bool: bool) -> Self {
        Self::Bool(bool)
    }
}
