//! How an API hands out long lists.

use serde::Serialize;

/// How an API hands out long lists. Places are RFC 6901 pointers; that of a parameter leads into the parameters of
/// the call, such as `/query/pageToken`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    Token(&'static Next),
    /// A response has the address of the next page, of which the query is used; the last response has none. The
    /// address may be in a list of links: `/ports_links/rel=next/href`.
    Link(&'static Next),
    /// The next page begins after the last entry of the page before, until a page has no entries.
    Marker(&'static Marker),
}

/// What leads to the next page, and the parameter that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NextPage"))]
pub struct Next {
    /// The token or the address in the response, such as `/nextPageToken` or `/links/next`.
    pub at: &'static str,
    /// The parameter that takes the token; an object that takes the query of the address.
    pub parameter: &'static str,
}

/// What an API calls the last entry of a page by, and the parameter that takes that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PageMarker"))]
pub struct Marker {
    /// The list in the response, such as `/ports`.
    pub list: &'static str,
    /// The member of an entry that names the entry, such as `id`.
    pub key: &'static str,
    /// The parameter that takes the name of the last entry.
    pub parameter: &'static str,
}
