//! Queries: questions to the world outside.

use serde::Serialize;

use super::{Call, Paging};

/// A question to the world outside. The next request has its answer, as a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Query {
    /// Names the query; equal queries have equal ids.
    pub id: String,
    /// The call to make.
    pub call: Call,
    /// How the API hands out further pages. The response then has the entries of all pages.
    pub paging: Paging,
    /// Present where the answer depends on nothing but the credentials: the RFC 6901 pointer into the response to
    /// the account that the credentials belong to. The host makes such a query once for each credential and
    /// process. Where the credentials change during a run, the account has to be the same before the host makes
    /// another call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<&'static str>,
}
