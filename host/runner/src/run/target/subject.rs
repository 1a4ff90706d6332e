//! Which object among manifests a run is about, and what it is called.

use std::sync::Arc;

use super::{TargetError, at, text};
use crate::document::{INFRASTRUCTURE, SUBJECTS, is_cluster_scoped};
use trellis_policies::manifest::{self, Document, Identity, Manifests};

/// Group of the objects by which Gardener says what extensions have to do.
const EXTENSIONS: &str = "extensions.gardener.cloud";
/// Longest technical id. Gardener's own have at most 63 characters.
const MAX_ID: usize = 253;

/// The place of the only object that is a subject, or the Shoot of one. What stands with a network, such as the DNSRecords in
/// its namespace, is no second choice.
pub(super) fn single_subject(manifests: &Manifests) -> Result<usize, TargetError> {
    let all = manifests.documents().iter().enumerate();
    let mut found: Vec<_> = all.filter(|(_, document)| is_subject(document)).collect();
    if found.iter().any(|(_, document)| kind_of(document) == INFRASTRUCTURE) {
        found.retain(|(_, document)| kind_of(document) == INFRASTRUCTURE);
    }
    match found.as_slice() {
        [] => Err(of_other_group(manifests).unwrap_or(TargetError::NoSubject)),
        [(at, _)] => Ok(*at),
        [(_, first), (_, second), ..] => Err(TargetError::Several {
            first: first.identity().to_string(),
            second: second.identity().to_string(),
            input: Arc::clone(&second.input),
            span: self::at(second, "/metadata/name"),
        }),
    }
}

/// Whether a run can be about an object.
pub(super) fn is_subject(document: &Document) -> bool {
    match document.kind() {
        "Shoot" => manifest::is_of_gardener(document),
        _ => document.group() == Some(EXTENSIONS) && is_of_kind(document),
    }
}

fn is_of_kind(document: &Document) -> bool {
    SUBJECTS.iter().any(|(subject, _)| *subject == document.kind())
}

/// The error about an object whose kind is one of subjects, and whose group has another kind of that name, or none.
fn of_other_group(manifests: &Manifests) -> Option<TargetError> {
    let document = manifests.documents().iter().find(|document| is_of_kind(document))?;
    let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
    Some(TargetError::OtherGroup { object, input, span: at(document, "/apiVersion") })
}

/// The kind of the subject: of a Shoot, its Infrastructure.
pub(super) fn kind_of(document: &Document) -> &'static str {
    let subject = SUBJECTS.iter().find(|(kind, _)| *kind == document.kind());
    subject.map_or(INFRASTRUCTURE, |(kind, _)| *kind)
}

/// The name in a state directory: of an Infrastructure, the Shoot's name on its seed. Gardener recorded that in the
/// status of the Shoot, or composes it of project and name, as policies do. The name of another subject begins with its
/// kind.
pub(super) fn name(document: &Document) -> Result<String, TargetError> {
    let Identity { namespace, .. } = document.identity();
    let prefix = |kind: &str| kind.to_ascii_lowercase() + ".";
    let (id, pointer) = if document.kind() == INFRASTRUCTURE {
        (text(document, &["metadata", "namespace"], "`metadata.namespace`")?.to_owned(), "/metadata/namespace")
    } else if document.kind() != "Shoot" {
        let name = text(document, &["metadata", "name"], "`metadata.name`")?;
        // The API server clears the namespace of an object that can have none.
        let has_namespace = !namespace.is_empty() && !is_cluster_scoped(document.kind());
        let namespace = if has_namespace { namespace + "." } else { String::new() };
        (prefix(document.kind()) + &namespace + name, "/metadata/name")
    } else if let Some(id) = document.text_at(&["status", "technicalID"]).filter(|id| !id.is_empty()) {
        (id.to_owned(), "/status/technicalID")
    } else {
        let name = text(document, &["metadata", "name"], "`metadata.name`")?;
        let namespace = if namespace.is_empty() { "garden-local" } else { &namespace };
        let project = namespace.strip_prefix("garden-").unwrap_or(namespace);
        (format!("shoot--{project}--{name}"), "/metadata/name")
    };
    let is_of_other = kind_of(document) == INFRASTRUCTURE
        && SUBJECTS.iter().any(|(kind, _)| *kind != INFRASTRUCTURE && id.starts_with(&prefix(kind)));
    // The state directory has a directory of this name too.
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    if !is_of_other
        && id.len() <= MAX_ID
        && id.bytes().all(is_name)
        && id.starts_with(|first: char| first.is_ascii_alphanumeric())
    {
        return Ok(id);
    }
    let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
    Err(TargetError::NoName { object, id, input, span: at(document, pointer) })
}
