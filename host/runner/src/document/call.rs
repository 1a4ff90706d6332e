//! Queries and calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A question to the world outside. The next request has its answer, as a fact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Query {
    /// Names the query; equal queries have equal ids.
    pub id: String,
    /// The call to make.
    pub call: Call,
    /// How the API hands out further pages. The response then has the entries of all pages.
    pub paging: Paging,
    /// Present where the answer depends on nothing but the credentials: the RFC 6901 pointer into the response to
    /// the account that the credentials belong to. The host makes such a query once for each credential and
    /// process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
}

/// A call to a cloud's API.
///
/// A call of an API that is addressed by method and path has both in its action:
/// `PUT /v2.0/routers/{router}/{change}`. The path takes the parameters that it names; the parameter `query` is an
/// object with the parts of the query, and the parameter `body` is the body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`.
    pub action: String,
    /// Arguments by the names of parameters.
    #[serde(default)]
    pub parameters: BTreeMap<String, Argument>,
    /// Present where the call is made for another account than the Shoot's: the role of that account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Present on a call that must have its effect only once: the seed of its idempotency token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

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

/// How an API hands out long lists. Places are RFC 6901 pointers; that of a parameter leads into the parameters of
/// the call, such as `/query/pageToken`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Paging {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`, until there are as many entries as `TotalCount` says. The call has
    /// `PageSize`.
    PageNumber,
    /// By `NextToken`, until a response has none.
    NextToken,
    /// A response has a token for the next page; the last one has none.
    Token {
        /// The token in the response, such as `/nextPageToken`.
        at: String,
        /// The parameter that takes the token.
        parameter: String,
    },
    /// A response has the address of the next page, of which the query is used; the last response has none.
    Link {
        /// The address in the response, such as `/links/next`, or `/ports_links/rel=next/href` in a list of links.
        at: String,
        /// The parameter that takes the query: an object.
        parameter: String,
    },
    /// The next page begins after the last entry of the page before, until a page has no entries.
    Marker {
        /// The list in the response, such as `/ports`.
        list: String,
        /// What the API calls an entry by: a member of the entry, such as `id`.
        key: String,
        /// The parameter that takes the last entry's name.
        parameter: String,
    },
}
