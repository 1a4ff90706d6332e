//! Lists that a service hands out in pages.

use serde_json::{Map, Value};

use super::failure::TOO_MANY_PAGES;
use super::{CallFailure, ResolvedCall};
use crate::plan::document::Paging;

/// The most pages of a list that are followed.
const MOST: u64 = 200;

/// The pages of a list, read one after the other.
#[derive(Debug)]
pub(super) struct Pages {
    paging: Paging,
    read: u64,
    whole: Value,
}

impl Pages {
    pub(super) fn new(paging: Paging) -> Self {
        Self { paging, read: 0, whole: Value::Null }
    }

    /// Takes a page, and gives the call for the next one, if there is any.
    pub(super) fn take(&mut self, call: &ResolvedCall, page: Value) -> Result<Option<ResolvedCall>, CallFailure> {
        let next = match self.paging {
            Paging::None => None,
            Paging::PageNumber => next_number(call, &page, self.read + 1),
            Paging::NextToken => next_token(call, &page),
        };
        let added = match self.read {
            0 => {
                self.whole = page;
                count(&self.whole)
            }
            _ => merge(&mut self.whole, page),
        };
        self.read += 1;
        // A page without entries is the last, whatever it says.
        let next = next.filter(|_| added > 0);
        if next.is_some() && self.read >= MOST {
            let message = format!("the list goes on after {MOST} pages: narrow the call");
            return Err(CallFailure::own(TOO_MANY_PAGES, message));
        }
        Ok(next)
    }

    /// The response of the first page, with the entries of all pages.
    pub(super) fn whole(mut self) -> Value {
        if self.read > 1
            && let Some(members) = self.whole.as_object_mut()
        {
            members.remove("NextToken");
        }
        self.whole
    }
}

fn next_number(call: &ResolvedCall, page: &Value, read: u64) -> Option<ResolvedCall> {
    let number = |text: &str| text.parse::<u64>().ok();
    let member = |name: &str| match page.get(name)? {
        Value::String(text) => number(text),
        value => value.as_u64(),
    };
    let size = member("PageSize").or_else(|| number(call.text("PageSize")?)).filter(|size| *size > 0)?;
    let total = member("TotalCount")?;
    let next = read + 1;
    (total > read * size).then(|| call.clone().with("PageNumber", next.to_string()))
}

fn next_token(call: &ResolvedCall, page: &Value) -> Option<ResolvedCall> {
    let token = page.get("NextToken")?.as_str().filter(|token| !token.is_empty())?;
    Some(call.clone().with("NextToken", token.to_owned()))
}

/// How many entries a page has in all its lists.
fn count(page: &Value) -> usize {
    match page {
        Value::Array(entries) => entries.len(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Adds the entries of a page to those of the ones before. Gives how many there were.
fn merge(whole: &mut Value, page: Value) -> usize {
    match (whole, page) {
        (Value::Array(entries), Value::Array(more)) => {
            let added = more.len();
            entries.extend(more);
            added
        }
        (Value::Object(members), Value::Object(more)) => merge_members(members, more),
        // The first page says what is not a list.
        _ => 0,
    }
}

fn merge_members(members: &mut Map<String, Value>, more: Map<String, Value>) -> usize {
    let mut added = 0;
    for (name, value) in more {
        if let Some(known) = members.get_mut(&name) {
            added += merge(known, value);
        } else {
            added += count(&value);
            members.insert(name, value);
        }
    }
    added
}

#[cfg(test)]
mod tests;
