//! Limits that a policy met, in terms of the objects that the person gave: the policy counts bytes of a request,
//! which nobody wrote.

use super::Case;
use crate::answer::Failure;
use crate::manifest::Document;
use crate::source::{Node, Value};

/// The code of a limit.
const TOO_LARGE: &str = "TooLarge";

/// The failure, with the place of the list or mapping that is too long, or with what is too large together.
pub(super) fn located(case: &Case<'_>, mut failure: Failure) -> Failure {
    if failure.code != TOO_LARGE {
        return failure;
    }
    let message = failure.message.split(" at byte ").next().unwrap_or_default().to_owned();
    if !message.contains("entries") {
        failure.message = format!(
            "the object, its old version, what it refers to and the facts are too large together: {message}"
        );
        return failure;
    }
    let others = case.old.into_iter().chain(case.context.iter().map(|(_, document)| *document));
    let mut longest: (&Document, usize, String) = (case.document, 0, String::new());
    for document in std::iter::once(case.document).chain(others) {
        let (entries, pointer) = most_entries(&document.root);
        if entries > longest.1 {
            longest = (document, entries, pointer);
        }
    }
    let (document, entries, pointer) = longest;
    let named = std::ptr::eq(document, case.document);
    let of = if named { String::new() } else { format!(" of {} ({})", document.identity(), document.place()) };
    failure.message = format!("{message}: `{pointer}`{of} has {entries}");
    failure.pointer = named.then_some(pointer);
    failure
}

/// The most entries of a list or mapping within a value, and the pointer to it.
fn most_entries(node: &Node) -> (usize, String) {
    let children: Vec<(String, &Node)> = match &node.value {
        Value::Mapping(entries) => {
            entries.iter().map(|entry| (entry.key.replace('~', "~0").replace('/', "~1"), &entry.value)).collect()
        }
        Value::Sequence(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => return (0, String::new()),
    };
    let mut most = (children.len(), String::new());
    for (token, child) in children {
        let (entries, pointer) = most_entries(child);
        if entries > most.0 {
            most = (entries, format!("/{token}{pointer}"));
        }
    }
    most
}
