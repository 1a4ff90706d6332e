//! Manifests and values as texts.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value};

use super::mask::Mask;
use super::renderer::Rendered;
use crate::CommandError;
use crate::output::Error;
use crate::output::{clean, count};
use trellis_policies::answer::ManagedResource;
use trellis_policies::source::{Node, read_own};

/// The objects of all control planes as a stream of YAML documents, each ManagedResource below a comment.
pub(super) fn yaml(rendered: &[Rendered<'_>], mask: Mask) -> Result<String, CommandError> {
    let mut text = String::new();
    for one in rendered {
        for resource in one.answer.managed_resources.iter().flatten() {
            for (index, object) in resource.objects.iter().enumerate() {
                text.push_str("---\n");
                if index == 0 {
                    text.push_str(&comment(one, resource));
                }
                text.push_str(&manifest(object.get(), mask)?);
            }
        }
    }
    Ok(text)
}

/// `# Shoot garden-dev/a, ManagedResource b: 14 objects for the seed`
fn comment(one: &Rendered<'_>, resource: &ManagedResource) -> String {
    let cluster = if resource.is_for_seed() { "seed" } else { "Shoot" };
    let objects = count(resource.objects.len(), "object");
    let (identity, title) = (one.document.identity(), resource.title());
    format!("# {}\n", clean(&format!("{identity}, {title}: {objects} for the {cluster}")))
}

/// One object as YAML.
pub(super) fn manifest(object: &str, mask: Mask) -> Result<String, CommandError> {
    let mut text = String::new();
    for mut node in read_own(object) {
        mask.object(&mut node);
        text.push_str(&node.to_yaml()?);
    }
    Ok(text)
}

/// The whole answers, each with the object that it is about; several as an array, behind them the errors.
pub(super) fn json(rendered: &[Rendered<'_>], errors: &[CommandError], mask: Mask) -> String {
    let answer = |one: &Rendered<'_>| {
        let mut entry = identity(one);
        for mut node in read_own(&one.text) {
            mask.answer(&mut node);
            if let Value::Object(members) = value(&node) {
                entry.extend(members);
            }
        }
        Value::Object(entry)
    };
    documents(rendered.iter().map(answer).collect(), errors)
}

/// The values of templates as YAML, by bundle.
pub(super) fn values_yaml(rendered: &[Rendered<'_>], mask: Mask) -> Result<String, CommandError> {
    let mut text = String::new();
    for (one, node) in rendered.iter().filter_map(|one| Some((one, values(one, mask)?))) {
        if rendered.len() > 1 {
            text.push_str("---\n");
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {}", clean(&one.document.identity().to_string()));
        text.push_str(&node.to_yaml()?);
    }
    Ok(text)
}

/// The values of templates as JSON, by bundle; those of several control planes as an array.
pub(super) fn values_json(rendered: &[Rendered<'_>], errors: &[CommandError], mask: Mask) -> String {
    let all = rendered.iter().filter_map(|one| {
        let mut entry = identity(one);
        entry.insert("values".to_owned(), value(&values(one, mask)?));
        Some(Value::Object(entry))
    });
    documents(all.collect(), errors)
}

fn values(one: &Rendered<'_>, mask: Mask) -> Option<Node> {
    let mut node = read_own(one.answer.values.as_ref()?.get()).into_iter().next()?;
    mask.values(&mut node);
    Some(node)
}

fn identity(one: &Rendered<'_>) -> Map<String, Value> {
    let identity = one.document.identity();
    let members = [("kind", identity.kind), ("namespace", identity.namespace), ("name", identity.name)];
    members.into_iter().map(|(key, text)| (key.to_owned(), Value::String(text))).collect()
}

/// One document, or an array of several; an error is one of them.
fn documents(mut all: Vec<Value>, errors: &[CommandError]) -> String {
    #[derive(Serialize)]
    struct Failure {
        error: Error,
    }
    let failures = errors.iter().map(|error| Failure { error: Error::of(error) });
    all.extend(failures.filter_map(|failure| serde_json::to_value(failure).ok()));
    match all.as_slice() {
        [] => String::new(),
        [one] => pretty(one),
        several => pretty(several),
    }
}

/// A tree as a value that can be printed over several lines.
pub(super) fn value(node: &Node) -> Value {
    // Never fails, because a tree is JSON.
    serde_json::from_str(&node.to_json()).unwrap_or_default()
}

/// Never fails, because all keys are texts.
pub(super) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
