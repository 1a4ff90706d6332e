//! What a policy asks of the world outside.

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
}

/// A call to a cloud's API, or a read of a Kubernetes object (service `kubernetes`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: &'static str,
    /// The action, such as `DescribeVSwitches`.
    pub action: &'static str,
    /// Parameters by name.
    pub parameters: NameMap<'static, String>,
}

/// How an API hands out long lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Paging {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`.
    PageNumber,
}
