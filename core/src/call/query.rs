//! Questions to the world outside.

use serde::Serialize;

use super::Call;

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
