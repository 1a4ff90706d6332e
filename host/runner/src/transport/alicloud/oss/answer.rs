//! Reads answers. What is not the whole answer to the call is a failure, and never an answer with less in it: a list that
//! broke off must not pass for one that ends.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::actions::{Action, Document, End, Reply};
use super::{parameter, text, xml};
use crate::call::failure::UNREADABLE_ANSWER;
use crate::call::{CallFailure, Parameter, ResolvedCall};
use crate::transport::alicloud::answer::refusal;
use crate::transport::answer::Answer;

/// The header that every answer of OSS has.
const REQUEST_ID: &str = "x-oss-request-id";

/// The response of a call; else the failure. A document is a member of the response under the name of its root, and
/// a header is one under its own name.
pub(in crate::transport::alicloud) fn response(
    call: &ResolvedCall,
    answer: &Answer,
) -> Result<Value, CallFailure> {
    let action = super::action(call)?;
    let read = if answer.is_success() {
        whole(call, action, answer).map_err(|why| unreadable(answer, &why))
    } else {
        Err(refused(answer))
    };
    read.map_err(|mut failure| {
        // What only reads has no effect.
        failure.ambiguous &= action.method != hyper::Method::GET;
        failure
    })
}

fn unreadable(answer: &Answer, why: &str) -> CallFailure {
    let shown = if answer.body.is_empty() { "it is empty".to_owned() } else { format!("`{}`", answer.shown()) };
    let message = format!("the answer is not the whole answer of OSS to this call, because {why}: {shown}");
    refusal(answer, UNREADABLE_ANSWER.to_owned(), message, request_id(answer), None)
}

/// The failure that an answer reports.
fn refused(answer: &Answer) -> CallFailure {
    let error = match xml::read(&answer.body, &[]) {
        Ok((root, error)) if root == "Error" => error,
        _ => Value::Null,
    };
    let member =
        |name: &str| error.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let Some(code) = member("Code") else {
        let message = format!("the answer does not come from the cloud: `{}`", answer.shown());
        return refusal(answer, UNREADABLE_ANSWER.to_owned(), message, request_id(answer), None);
    };
    let message = member("Message").unwrap_or_else(|| "OSS says nothing more".to_owned());
    refusal(answer, code, message, member("RequestId").or_else(|| request_id(answer)), member("HostId"))
}

fn request_id(answer: &Answer) -> Option<String> {
    answer.header(REQUEST_ID).map(str::to_owned)
}

/// The response in an answer that says that the call succeeded.
fn whole(call: &ResolvedCall, action: &Action, answer: &Answer) -> Result<Value, String> {
    if request_id(answer).is_none() {
        return Err(format!("it has no header `{REQUEST_ID}`"));
    }
    let is_empty = answer.body.trim_ascii().is_empty();
    let mut response = Map::new();
    match action.reply {
        Reply::Failures(_) if is_empty && asks_for_failures(call) => {}
        Reply::Document(declared) | Reply::Failures(declared) => {
            let (root, mut content) =
                xml::read(&answer.body, declared.lists).map_err(|error| error.to_string())?;
            if root != declared.root {
                return Err(format!("its root is `{root}`, not `{}`", declared.root));
            }
            check(call, &declared, &mut content)?;
            response.insert(root, content);
        }
        Reply::Nothing | Reply::Header(_) if !is_empty => return Err("it has content".to_owned()),
        Reply::Nothing => {}
        Reply::Header(name) => {
            let value = answer.header(name).filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| format!("it has no header `{name}`"))?;
            response.insert(name.to_owned(), value.into());
        }
    }
    Ok(Value::Object(response))
}

/// Whether a call asks for what failed alone.
fn asks_for_failures(call: &ResolvedCall) -> bool {
    let Some(Parameter::Object(members)) = parameter(call, "body") else { return false };
    members.iter().any(|(name, value)| match value {
        Parameter::Bool(is_quiet) => name == "Quiet" && *is_quiet,
        Parameter::Text(text) => name == "Quiet" && text == "true",
        _ => false,
    })
}

/// Checks that a document is the whole answer to a call, and decodes its names.
fn check(call: &ResolvedCall, declared: &Document, content: &mut Value) -> Result<(), String> {
    if let Some(name) = declared.needs.iter().find(|name| !is_there(content, name)) {
        return Err(format!("it has no `{name}`"));
    }
    let told = |content: &Value, name: &str| at(content, name).and_then(Value::as_str).map(str::to_owned);
    if !declared.bucket.is_empty() && told(content, declared.bucket).as_deref() != call.text("bucket") {
        return Err("it is about another bucket".to_owned());
    }
    let Some(End { next, repeats, encoded }) = declared.end else { return Ok(()) };
    let is_truncated = match told(content, "IsTruncated").as_deref() {
        Some("true") => true,
        Some("false") => false,
        _ => return Err("it does not say whether the list goes on".to_owned()),
    };
    let is_given = |name: &&str| told(content, name).is_some_and(|text| !text.is_empty());
    if is_truncated && !next.iter().all(is_given) {
        return Err("it does not say where the list goes on".to_owned());
    }
    if call.text("encoding-type").is_some() {
        if told(content, "EncodingType").as_deref() != call.text("encoding-type") {
            return Err("its names are not encoded as the call asks".to_owned());
        }
        for name in encoded {
            each(content, name, &mut decode)?;
        }
    }
    for (parameter, name) in repeats {
        let asked = text(call, parameter).map_err(|failure| failure.message)?.unwrap_or_default();
        if told(content, name).is_some_and(|told| told != asked) {
            return Err(format!("its `{name}` is not the one of the call"));
        }
    }
    Ok(())
}

/// The element that names lead to, outside of lists.
fn at<'v>(content: &'v Value, name: &str) -> Option<&'v Value> {
    name.split('/').try_fold(content, |value, name| value.get(name))
}

/// Whether there is an element with something in it: in each entry of a list that leads to it.
fn is_there(content: &Value, name: &str) -> bool {
    let (first, rest) = name.split_once('/').map_or((name, None), |(first, rest)| (first, Some(rest)));
    match (content.get(first), rest) {
        (Some(Value::Array(entries)), Some(rest)) => entries.iter().all(|entry| is_there(entry, rest)),
        (Some(value), Some(rest)) => is_there(value, rest),
        (Some(Value::Array(entries)), None) => !entries.is_empty(),
        (Some(Value::String(text)), None) => !text.is_empty(),
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// Does something with the texts of an element, in each entry of a list that leads to it.
fn each(
    content: &mut Value,
    name: &str,
    with: &mut dyn FnMut(&mut String) -> Result<(), String>,
) -> Result<(), String> {
    let (first, rest) = name.split_once('/').unwrap_or((name, ""));
    match content.get_mut(first) {
        Some(Value::String(text)) => with(text),
        Some(Value::Array(entries)) => entries.iter_mut().try_for_each(|entry| each(entry, rest, with)),
        _ => Ok(()),
    }
}

/// Decodes a name as the SDKs of OSS do: `+` is a space.
fn decode(text: &mut String) -> Result<(), String> {
    let plain = text.replace('+', " ");
    let decoded =
        percent_decode_str(&plain).decode_utf8().map_err(|_| format!("the name `{text}` is not UTF-8"))?;
    *text = decoded.into_owned();
    Ok(())
}

#[cfg(test)]
mod tests;
