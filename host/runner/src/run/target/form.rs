//! The form of an object of `extensions.gardener.cloud`, in the parts that Trellis reads. The API server of a seed and its
//! webhooks refuse what is refused here; a manifest in a file has not been there.

use std::sync::Arc;

use super::{TargetError, at};
use crate::document::BASTION;
use trellis_policies::manifest::Document;
use trellis_policies::source::{Node, Value};

/// The only version of the API.
const API_VERSION: &str = "extensions.gardener.cloud/v1alpha1";

/// What to write in place of a number, or of `true`, that is no text.
const QUOTES: &str = "put quotes around the value: without them it is no text in YAML";
const SHOWN: &str = "leave it out, or write what `kubectl get -o yaml` shows";
const PAIRS: &str = "write `key: \"value\"` below it, or leave it out";
const SECRET: &str = "write `name` and `namespace` of the Secret below `spec.secretRef`";
/// The reference to the Secret with the credentials, which every object has but a Bastion.
const REFERENCE: [&str; 3] = ["spec", "secretRef", "name"];

/// What a part of an object has to be.
#[derive(Clone, Copy)]
enum Shape {
    /// A text.
    Text,
    /// A map; with what to write.
    Map(&'static str),
    /// A map whose values are texts.
    Texts,
}

/// The parts, each after the one that it is in.
const FORM: [(&[&str], Shape); 19] = [
    (&["metadata"], Shape::Map("write `name` below it")),
    (&["metadata", "name"], Shape::Text),
    (&["metadata", "namespace"], Shape::Text),
    (&["metadata", "uid"], Shape::Text),
    (&["metadata", "labels"], Shape::Texts),
    (&["metadata", "annotations"], Shape::Texts),
    (&["spec"], Shape::Map("write `type` and the rest below it")),
    (&["spec", "type"], Shape::Text),
    (&["spec", "region"], Shape::Text),
    (&["spec", "bucketName"], Shape::Text),
    (&["spec", "name"], Shape::Text),
    (&["spec", "recordType"], Shape::Text),
    (&["spec", "zone"], Shape::Text),
    (&["spec", "userData"], Shape::Text),
    (&["spec", "secretRef"], Shape::Map(SECRET)),
    (&["spec", "secretRef", "name"], Shape::Text),
    (&["spec", "secretRef", "namespace"], Shape::Text),
    (&["status"], Shape::Map(SHOWN)),
    (&["status", "state"], Shape::Map(SHOWN)),
];

/// What is wrong with the form of an object; nothing for a Shoot, which the rules of Gardener judge.
pub(super) fn faults(document: &Document) -> Vec<TargetError> {
    if document.kind() == "Shoot" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let found = document.text_at(&["apiVersion"]).unwrap_or_default();
    if found != API_VERSION {
        let wrong = format!("must be `{API_VERSION}`, and is `{found}`");
        faults.push(fault(document, &["apiVersion"], wrong, "correct `apiVersion`"));
    }
    for (path, shape) in FORM {
        let Some(node) = document.root.at(path) else { continue };
        match (shape, &node.value) {
            (_, Value::Null) | (Shape::Text, Value::String(_)) | (Shape::Map(_), Value::Mapping(_)) => {}
            (Shape::Texts, Value::Mapping(entries)) => {
                for entry in entries {
                    if !matches!(entry.value.value, Value::Null | Value::String(_)) {
                        let path = [path, &[entry.key.as_str()]].concat();
                        faults.push(no_text(document, &path, &entry.value));
                    }
                }
            }
            (Shape::Text, _) => faults.push(no_text(document, path, node)),
            (Shape::Map(write), _) => faults.push(no_map(document, path, node, write)),
            (Shape::Texts, _) => faults.push(no_map(document, path, node, PAIRS)),
        }
    }
    let value = |path: &[&str]| document.root.at(path).map(|node| &node.value);
    // What is no map, or no text, has an error already.
    let may_have = |path: &[&str]| matches!(value(path), None | Some(Value::Null | Value::Mapping(_)));
    let is_missing = match value(&REFERENCE) {
        None | Some(Value::Null) => may_have(&["spec"]) && may_have(&["spec", "secretRef"]),
        Some(name) => matches!(name, Value::String(text) if text.is_empty()),
    };
    if is_missing && document.kind() != BASTION {
        faults.push(fault(document, &REFERENCE, "is missing".to_owned(), SECRET));
    }
    faults
}

fn no_text(document: &Document, path: &[&str], node: &Node) -> TargetError {
    let write = if node.is_container() { "write a text" } else { QUOTES };
    fault(document, path, format!("must be a text, and is {}", what(&node.value)), write)
}

fn no_map(document: &Document, path: &[&str], node: &Node, write: &'static str) -> TargetError {
    fault(document, path, format!("must be a map, and is {}", what(&node.value)), write)
}

fn fault(document: &Document, path: &[&str], wrong: String, write: &'static str) -> TargetError {
    let token = |key: &&str| ["/".to_owned(), key.replace('~', "~0").replace('/', "~1")];
    let pointer: String = path.iter().flat_map(token).collect();
    let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
    TargetError::Form { object, field: path.join("."), wrong, write, input, span: at(document, &pointer) }
}

/// What a value is, for people.
fn what(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(true) => "`true`",
        Value::Bool(false) => "`false`",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a map",
    }
}
