//! Reads answers. What is not the whole answer to the call is a failure, and never an answer with less in it: a list that
//! broke off must not pass for one that ends.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::actions::{Action, Document, End, Reply};
use super::{text, xml};
use crate::call::failure::UNREADABLE_ANSWER;
use crate::call::{CallFailure, ResolvedCall};
use crate::transport::alicloud::answer::refusal;
use crate::transport::answer::{Answer, shown};

/// The header that every answer of OSS has.
const REQUEST_ID: &str = "x-oss-request-id";

const ANOTHER_BUCKET: &str = "it is about another bucket";

/// The response of a call; else the failure. A document is a member of the response under the name of its root, and
/// a header is one under its own name.
pub(in crate::transport::alicloud) fn response(
    call: &ResolvedCall,
    answer: &Answer,
) -> Result<Value, CallFailure> {
    let action = super::action(call)?;
    let read = match request_id(answer) {
        None => Err(unreadable(answer, &format!("it has no header `{REQUEST_ID}`"))),
        Some(_) if answer.is_success() => whole(call, action, answer).map_err(|why| unreadable(answer, &why)),
        Some(_) => Err(refused(call, answer).unwrap_or_else(|why| unreadable(answer, why))),
    };
    read.map_err(|mut failure| {
        // What only reads has no effect.
        failure.ambiguous &= action.method != hyper::Method::GET;
        failure
    })
}

fn unreadable(answer: &Answer, why: &str) -> CallFailure {
    let why = shown(why);
    let body = if answer.body.is_empty() { "it is empty".to_owned() } else { format!("`{}`", answer.shown()) };
    let message = format!("the answer is not the whole answer of OSS to this call, because {why}: {body}");
    refusal(answer, UNREADABLE_ANSWER.to_owned(), message, request_id(answer), None)
}

/// The failure that an answer reports; else why it reports none, because the `NoSuchBucket` of another server or
/// about another bucket must not mean that the bucket is gone.
fn refused(call: &ResolvedCall, answer: &Answer) -> Result<CallFailure, &'static str> {
    let error = match xml::read(&answer.body, &[]) {
        Ok((root, error)) if root == "Error" => error,
        _ => Value::Null,
    };
    let member = |name: &str| text_at(&error, name).map(shown).filter(|text| !text.is_empty());
    let code = member("Code").ok_or("it is no error of OSS")?;
    if member("BucketName").is_some_and(|bucket| call.text("bucket") != Some(bucket.as_str())) {
        return Err(ANOTHER_BUCKET);
    }
    let message = member("Message").unwrap_or_else(|| "OSS says nothing more".to_owned());
    Ok(refusal(answer, code, message, member("RequestId").or_else(|| request_id(answer)), member("HostId")))
}

fn request_id(answer: &Answer) -> Option<String> {
    answer.header(REQUEST_ID).map(str::to_owned)
}

/// The response in an answer that says that the call succeeded.
fn whole(call: &ResolvedCall, action: &Action, answer: &Answer) -> Result<Value, String> {
    let is_empty = answer.body.trim_ascii().is_empty();
    let mut response = Map::new();
    match action.reply {
        Reply::Document(declared) => {
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

/// Checks that a document is the whole answer to a call, and decodes its names.
fn check(call: &ResolvedCall, declared: &Document, content: &mut Value) -> Result<(), String> {
    if let Some(name) = declared.needs.iter().find(|name| !is_there(content, name, declared.lists)) {
        return Err(format!("it has no `{name}`"));
    }
    if !declared.bucket.is_empty() && text_at(content, declared.bucket) != call.text("bucket") {
        return Err(ANOTHER_BUCKET.to_owned());
    }
    let Some(End { next, repeats, keys, encoded }) = declared.end else { return Ok(()) };
    let is_truncated = match text_at(content, "IsTruncated") {
        Some("true") => true,
        Some("false") => false,
        _ => return Err("it does not say whether the list goes on".to_owned()),
    };
    let is_given = |name: &&str| text_at(content, name).is_some_and(|text| !text.is_empty());
    if is_truncated && !next.iter().all(is_given) {
        return Err("it does not say where the list goes on".to_owned());
    }
    if call.text("encoding-type").is_some() {
        if text_at(content, "EncodingType") != call.text("encoding-type") {
            return Err("its names are not encoded as the call asks".to_owned());
        }
        for name in encoded.iter().chain([&keys]) {
            each(content, name, &mut decode)?;
        }
    }
    for (parameter, name) in repeats {
        let asked = text(call, parameter).map_err(|failure| failure.message)?.unwrap_or_default();
        if text_at(content, name).unwrap_or_default() != asked {
            return Err(format!("its `{name}` is not the one of the call"));
        }
    }
    let prefix = text_at(content, "Prefix").unwrap_or_default().to_owned();
    each(content, keys, &mut |key| {
        if key.starts_with(&prefix) { Ok(()) } else { Err(format!("its key `{key}` has another prefix")) }
    })
}

/// The text that names lead to, outside of lists.
fn text_at<'v>(content: &'v Value, name: &str) -> Option<&'v str> {
    name.split('/').try_fold(content, |value, name| value.get(name))?.as_str()
}

/// Whether there is a text, or one of the lists, with something in it: in each entry of a list that leads to it.
fn is_there(content: &Value, name: &str, lists: &[&str]) -> bool {
    let (first, rest) = name.split_once('/').map_or((name, None), |(first, rest)| (first, Some(rest)));
    match (content.get(first), rest) {
        (Some(Value::Array(entries)), Some(rest)) => entries.iter().all(|entry| is_there(entry, rest, lists)),
        (Some(value), Some(rest)) => is_there(value, rest, lists),
        (Some(Value::Array(entries)), None) => lists.contains(&first) && !entries.is_empty(),
        (Some(Value::String(text)), None) => !text.is_empty(),
        _ => false,
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
