//! Lists that a service hands out in pages.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::call::failure::{TOO_MANY_PAGES, UNREADABLE_ANSWER};
use crate::call::{CallFailure, Parameter, ResolvedCall};
use crate::document::pointer::{at, plain};
use crate::document::{NextPage, PageMarker, Paging};

/// The most pages of a list that are followed.
const MOST: u64 = 200;

/// Where RPC has the token of the next page, in responses and in parameters.
const NEXT_TOKEN: &str = "/NextToken";

/// The pages of a list, read one after the other.
#[derive(Debug)]
pub(super) struct Pages<'p> {
    paging: &'p Paging,
    read: u64,
    whole: Value,
}

impl<'p> Pages<'p> {
    pub(super) fn new(paging: &'p Paging) -> Self {
        Self { paging, read: 0, whole: Value::Null }
    }

    /// Takes a page, and gives the call for the next one, if there is any.
    pub(super) fn take(&mut self, call: &ResolvedCall, page: Value) -> Result<Option<ResolvedCall>, CallFailure> {
        let next = match self.paging {
            Paging::None => None,
            Paging::PageNumber => next_number(call, &page, self.read + 1)?,
            Paging::NextToken => next_token(call, &page, NEXT_TOKEN, NEXT_TOKEN),
            Paging::Token(NextPage { at, parameter }) => next_token(call, &page, at, parameter),
            Paging::Link(NextPage { at, parameter }) => next_link(call, &page, at, parameter)?,
            Paging::Marker(PageMarker { list, key, parameter }) => next_marker(call, &page, list, key, parameter)?,
        };
        let added = match self.read {
            0 => {
                self.whole = page;
                count(&self.whole)
            }
            _ => merge(&mut self.whole, page),
        };
        self.read += 1;
        // Where the service filters after it has cut pages, a page without entries may have a token or a link to
        // more.
        let may_be_empty = matches!(self.paging, Paging::Token(_) | Paging::Link(_));
        let next = next.filter(|_| may_be_empty || added > 0);
        if next.as_ref() == Some(call) {
            let message = "the service answers with the same page again: its list cannot be read to the end";
            return Err(CallFailure::own(UNREADABLE_ANSWER, message));
        }
        if next.is_some() && self.read >= MOST {
            let message = format!("the list goes on after {MOST} pages: narrow the call");
            return Err(CallFailure::own(TOO_MANY_PAGES, message));
        }
        Ok(next)
    }

    /// The response of the first page, with the entries of all pages.
    pub(super) fn whole(mut self) -> Value {
        let next = match self.paging {
            Paging::None | Paging::PageNumber | Paging::Marker(_) => None,
            Paging::NextToken => Some(NEXT_TOKEN),
            Paging::Token(NextPage { at, .. }) | Paging::Link(NextPage { at, .. }) => Some(at.as_str()),
        };
        if let Some(next) = next.filter(|_| self.read > 1) {
            forget(&mut self.whole, next);
        }
        self.whole
    }
}

/// The names of an RFC 6901 pointer to a parameter.
fn names(pointer: &str) -> Vec<&str> {
    pointer.split('/').skip(1).collect()
}

fn next_number(call: &ResolvedCall, page: &Value, read: u64) -> Result<Option<ResolvedCall>, CallFailure> {
    let number = |text: &str| text.parse::<u64>().ok();
    let member = |name: &str| match page.get(name)? {
        Value::String(text) => number(text),
        value => value.as_u64(),
    };
    let size = member("PageSize").or_else(|| number(call.text("PageSize")?)).filter(|size| *size > 0);
    let (Some(size), Some(total)) = (size, member("TotalCount")) else {
        let message = "the answer does not say how many entries there are, so nobody knows whether these are all";
        return Err(CallFailure::own(UNREADABLE_ANSWER, message));
    };
    let next = read + 1;
    Ok((total > read.saturating_mul(size)).then(|| call.clone().with("PageNumber", next.to_string())))
}

fn next_token(call: &ResolvedCall, page: &Value, place: &str, parameter: &str) -> Option<ResolvedCall> {
    let token = at(page, place).and_then(plain).filter(|token| !token.is_empty())?;
    Some(call.clone().with_at(&names(parameter), Parameter::Text(token.into_owned())))
}

fn next_marker(
    call: &ResolvedCall,
    page: &Value,
    list: &str,
    key: &str,
    parameter: &str,
) -> Result<Option<ResolvedCall>, CallFailure> {
    let Some(entry) = at(page, list).and_then(Value::as_array).and_then(|entries| entries.last()) else {
        return Ok(None);
    };
    let Some(marker) = entry.get(key).and_then(plain) else {
        let message = format!("the last entry of a page has no `{key}`, by which the next page is asked for");
        return Err(CallFailure::own(UNREADABLE_ANSWER, message));
    };
    Ok(Some(call.clone().with_at(&names(parameter), Parameter::Text(marker.into_owned()))))
}

/// Only the query of the address is used, so that the credentials go nowhere else.
fn next_link(
    call: &ResolvedCall,
    page: &Value,
    place: &str,
    parameter: &str,
) -> Result<Option<ResolvedCall>, CallFailure> {
    let link = at(page, place).and_then(Value::as_str).filter(|link| !link.is_empty());
    let Some(link) = link else { return Ok(None) };
    let Some((_, query)) = link.split_once('?') else {
        let message = "the address of the next page has no query, and Trellis uses nothing else of it";
        return Err(CallFailure::own(UNREADABLE_ANSWER, message));
    };
    let decoded = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let query = query.split('#').next().unwrap_or_default();
    // A name that repeats is a list.
    let mut texts: Vec<(String, Vec<Parameter>)> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(name), Parameter::Text(decoded(value)));
        match texts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => texts.push((name, vec![value])),
        }
    }
    let mut next = call.clone();
    for (name, mut values) in texts {
        let value = if values.len() == 1 { values.remove(0) } else { Parameter::List(values) };
        next = next.with_at(&[&names(parameter)[..], &[name.as_str()]].concat(), value);
    }
    Ok(Some(next))
}

/// Removes what leads to the next page. Of a list of links, all of it.
fn forget(whole: &mut Value, place: &str) {
    let place = place.find('=').and_then(|end| place.get(..end)?.rsplit_once('/')).map_or(place, |(list, _)| list);
    if let Some((parent, name)) = place.rsplit_once('/')
        && let Some(members) = whole.pointer_mut(parent).and_then(Value::as_object_mut)
    {
        members.remove(name);
    }
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
