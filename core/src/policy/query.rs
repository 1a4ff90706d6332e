//! What a policy asks of the world outside, and what it wants done there.

use serde::Serialize;

use crate::names::NameMap;

/// A question to the world outside; its answer is a fact of the next request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Query {
    /// Names the query; equal queries have equal ids.
    pub id: String,
    /// The call to make.
    pub call: Call,
    /// How further pages are asked for; the response then has the entries of all pages.
    pub paging: Paging,
    /// Present where the answer depends on nothing but the credentials: the RFC 6901 pointer into the response to the account
    /// that the credentials belong to. Such a query is asked once a credential and process; where credentials change while a
    /// run goes, the account has to be the same before another call is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<&'static str>,
}

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

/// How an API hands out long lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Paging {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`, until there are as many entries as `TotalCount` says. The call has `PageSize`.
    PageNumber,
    /// By `NextToken`, until a response has none.
    NextToken,
}
