//! Answers in pages.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{Call, CloudError, ErrorCode};

/// A page of rows, counted by pages.
#[derive(Debug)]
pub struct Page {
    /// The rows of this page.
    pub rows: Vec<Value>,
    /// How many rows there are in all pages.
    pub total: usize,
    /// Which page this is, from 1.
    pub number: i64,
    /// How many rows a page has.
    pub size: i64,
}

/// The page that the parameters `PageNumber` and `PageSize` of a call ask for. Both need a default in the
/// declaration.
pub fn page<T>(call: &Call<'_>, rows: impl Iterator<Item = T>, mut answer: impl FnMut(T) -> Value) -> Page {
    let number = call.integer("PageNumber").unwrap_or(1).max(1);
    let size = call.integer("PageSize").unwrap_or(10).max(1);
    let skip = usize::try_from((number - 1).saturating_mul(size)).unwrap_or(usize::MAX);
    let take = usize::try_from(size).unwrap_or(usize::MAX);
    let mut page = Page { rows: Vec::new(), total: 0, number, size };
    for (index, row) in rows.enumerate() {
        page.total += 1;
        if index >= skip && page.rows.len() < take {
            page.rows.push(answer(row));
        }
    }
    page
}

impl Page {
    /// `{"TotalCount", "PageNumber", "PageSize", <list>: {<item>: [...]}}`
    pub fn answer(self, list: &str, item: &str) -> Value {
        json!({
            "TotalCount": self.total,
            "PageNumber": self.number,
            "PageSize": self.size,
            list: { item: self.rows },
        })
    }
}

/// Where a page that is asked for by a token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start(usize);

/// Reads the parameter `NextToken` of a call: one that this action gave, else an error.
pub fn start(call: &Call<'_>, error: &'static ErrorCode) -> Result<Start, CloudError> {
    let Some(token) = call.given("NextToken") else { return Ok(Start(0)) };
    let read = || {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        text.strip_prefix(call.action.name)?.strip_prefix('@')?.parse().ok()
    };
    read().map(Start).ok_or_else(|| error.into())
}

/// The rows of a page from a start on, the number of all rows, and the token of the next page, if there is one.
pub fn slice<T>(call: &Call<'_>, start: Start, most: usize, rows: Vec<T>) -> (Vec<T>, usize, Option<String>) {
    let total = rows.len();
    let page: Vec<T> = rows.into_iter().skip(start.0).take(most).collect();
    let end = start.0.saturating_add(page.len());
    let token = (end < total).then(|| URL_SAFE_NO_PAD.encode(format!("{}@{end}", call.action.name)));
    (page, total, token)
}
