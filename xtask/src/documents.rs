//! The host's types of answers, which follow from the JSON Schemas of the policies' documents.

mod members;
mod rust;
mod tables;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::Value;
use trellis_core::policy::documents;

use tables::{POLICIES, RUNNER};

/// A file with the types of a crate.
struct File {
    path: &'static str,
    about: &'static str,
    imports: &'static str,
    types: &'static [Type],
    /// Types of that name that the imports bring: other files have them.
    others: &'static [&'static str],
}

/// A type of the host, and how the host reads its document. What the host has no type for, it hands on as the
/// policy wrote it; of a word of a closed list, it takes any text.
struct Type {
    /// The names of its schemas. One type reads the documents of all of them.
    schemas: &'static [&'static str],
    name: &'static str,
    /// Of a type that may hold credentials, without `Debug`; of one that is only read, without `Serialize`.
    derives: &'static str,
    /// Members that policies of older versions leave out, although the schema asks for them: they are empty then.
    lacks: &'static [&'static str],
    /// Members that are `None` where they are absent. Without this, an absent list or map is an empty one. A member
    /// of this list that the schema asks for is written as `null`.
    optional: &'static [&'static str],
    /// Texts that are empty where they are absent.
    empty: &'static [&'static str],
    /// Members that the host hands on as they are written.
    handed_on: &'static [&'static str],
    /// Members that the host reads by pointers into them.
    parsed: &'static [&'static str],
    /// Objects, or lists of objects, that the host reads by their keys: anything else is no answer.
    objects: &'static [&'static str],
    /// Members that this type does not keep.
    unread: &'static [&'static str],
}

/// The types of the host, by the paths of their files.
pub(crate) fn types() -> anyhow::Result<BTreeMap<PathBuf, String>> {
    let schemas = definitions();
    let text = |file: &File| {
        let text = rust::file(file, &schemas).with_context(|| format!("cannot write {}", file.path))?;
        Ok((PathBuf::from(file.path), text))
    };
    [&POLICIES, &RUNNER].into_iter().map(text).collect()
}

/// The schemas of all documents and of their parts, by name.
fn definitions() -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for (name, mut schema) in documents() {
        let parts = schema.get_mut("$defs").map(Value::take);
        if let Some(Value::Object(parts)) = parts {
            all.extend(parts);
        }
        all.insert(name, schema);
    }
    all
}

#[cfg(test)]
mod tests;
