//! How an API hands out long lists.

use serde::Serialize;

/// How an API hands out long lists. Places are RFC 6901 pointers; that of a parameter leads into the parameters of the call,
/// such as `/query/pageToken`.
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
    /// A response has a token for the next page; the last one has none.
    Token {
        /// The token in the response, such as `/nextPageToken`.
        at: &'static str,
        /// The parameter that takes the token.
        parameter: &'static str,
    },
    /// A response has the address of the next page, of which the query is used; the last response has none.
    Link {
        /// The address in the response, such as `/links/next`, or `/ports_links/rel=next/href` in a list of links.
        at: &'static str,
        /// The parameter that takes the query: an object.
        parameter: &'static str,
    },
    /// The next page begins after the last entry of the page before, until a page has no entries.
    Marker {
        /// The list in the response, such as `/ports`.
        list: &'static str,
        /// What the API calls an entry by: a member of the entry, such as `id`.
        key: &'static str,
        /// The parameter that takes the last entry's name.
        parameter: &'static str,
    },
}
