//! Calls of any API, and their arguments.

use serde::Serialize;

use crate::collections::NameMap;

/// A call to a cloud's API, or a read of a Kubernetes object (service `kubernetes`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: &'static str,
    /// The action, such as `DescribeVSwitches`.
    pub action: &'static str,
    /// Arguments by the names of parameters.
    pub parameters: NameMap<'static, Argument>,
    /// Present where the call is made on behalf of another account than the Shoot's: its role, such as `imageOwner`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<&'static str>,
    /// Present on a call that must have its effect only once. The caller makes the idempotency token of it, of the
    /// service, the action and the arguments as they are sent: what is sent again has the same token, and so has what
    /// a later plan sends in its place after a crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// What a parameter is set to. A query has no references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Argument {
    /// A text; numbers and booleans are texts on the wire.
    Text(String),
    /// What the recorded state has under a key when the call is made.
    Reference {
        /// The key.
        #[serde(rename = "ref")]
        key: String,
    },
    /// Texts and references in one.
    Concat {
        /// The parts, in their order.
        concat: Vec<Argument>,
    },
    /// A list; RPC sends its entries as `Name.1`, `Name.2`.
    List(Vec<Argument>),
    /// Members; RPC sends them as `Name.Member`.
    Object(NameMap<'static, Argument>),
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
