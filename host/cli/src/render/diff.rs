//! What an edit changes in the objects of control planes, and whose pods it starts again.

use serde::Serialize;
use serde_json::Value;

use super::mask::Mask;
use super::notes;
use super::output::{pretty, value};
use super::renderer::Rendered;
use crate::CommandError;
use crate::output::{clean, unified};
use trellis_policies::answer::ObjectName;
use trellis_policies::source::{Node, read_own};

/// Workloads whose pods restart where the template of the pods changes.
const WORKLOADS: [(&str, &str); 3] = [("apps", "DaemonSet"), ("apps", "Deployment"), ("apps", "StatefulSet")];

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Added,
    Removed,
    Changed,
}

/// A change of an object.
pub(super) struct Change {
    /// The object with the control plane.
    of: String,
    managed_resource: String,
    object: ObjectName,
    kind: Kind,
    restarts: bool,
    before: Option<Node>,
    after: Option<Node>,
}

/// An object of a control plane.
struct Manifest {
    managed_resource: String,
    name: ObjectName,
    node: Node,
}

impl Change {
    /// The changes from one control plane to another, in the order of the later one; what goes is behind. Values
    /// of Secrets are hidden.
    pub(super) fn all_of(before: Option<&Rendered<'_>>, after: &Rendered<'_>, mask: Mask) -> Vec<Self> {
        let of = after.document.identity().to_string();
        let mut old = before.map(manifests).unwrap_or_default();
        let mut changes = Vec::new();
        for new in manifests(after) {
            let same = |one: &Manifest| one.managed_resource == new.managed_resource && one.name == new.name;
            let before = old.iter().position(same).map(|at| old.remove(at).node);
            changes.extend(Self::of(&of, new.managed_resource, new.name, before, Some(new.node), mask));
        }
        for gone in old {
            changes.extend(Self::of(&of, gone.managed_resource, gone.name, Some(gone.node), None, mask));
        }
        changes
    }

    fn of(
        of: &str,
        managed_resource: String,
        object: ObjectName,
        mut before: Option<Node>,
        mut after: Option<Node>,
        mask: Mask,
    ) -> Option<Self> {
        let mut restarts = false;
        let kind = match (&mut before, &mut after) {
            (Some(before), Some(after)) if before.to_json() == after.to_json() => return None,
            (Some(before), Some(after)) => {
                restarts = is_workload(&object) && template(before) != template(after);
                mask.change(before, after);
                Kind::Changed
            }
            (None, Some(after)) => {
                mask.object(after);
                Kind::Added
            }
            (Some(before), None) => {
                mask.object(before);
                Kind::Removed
            }
            (None, None) => return None,
        };
        Some(Self { of: of.to_owned(), managed_resource, object, kind, restarts, before, after })
    }

    fn human(&self, has_color: bool) -> Result<String, CommandError> {
        let word = match self.kind {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
        };
        let name = notes::name(&self.object);
        let title = clean(&format!("{word} {name} ({}, {})", self.managed_resource, self.of));
        let text = |node: &Option<Node>| node.as_ref().map_or(Ok(String::new()), Node::to_yaml);
        let diff = unified(&text(&self.before)?, &text(&self.after)?, None, has_color);
        let (bold, plain) = if has_color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        let restarts =
            if self.restarts { clean(&format!("restarts: the pods of {name}")) + "\n" } else { String::new() };
        Ok(format!("{bold}{title}{plain}\n{diff}{restarts}"))
    }
}

/// For people: a unified diff of each object that changes.
pub(super) fn human(changes: &[Change], has_color: bool) -> Result<String, CommandError> {
    if changes.is_empty() {
        return Ok("no object changes\n".to_owned());
    }
    let texts: Result<Vec<String>, CommandError> = changes.iter().map(|change| change.human(has_color)).collect();
    Ok(texts?.join("\n"))
}

/// For programs: a list with an entry an object that changes.
pub(super) fn json(changes: &[Change]) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Entry<'c> {
        of: &'c str,
        managed_resource: &'c str,
        api_version: &'c str,
        kind: &'c str,
        namespace: &'c str,
        name: &'c str,
        change: Kind,
        restarts: bool,
        before: Option<Value>,
        after: Option<Value>,
    }
    let entry = |change: &'_ Change| {
        let Change { object: ObjectName { api_version, kind, namespace, name }, .. } = change;
        let (before, after) = (change.before.as_ref().map(value), change.after.as_ref().map(value));
        serde_json::to_value(Entry {
            of: &change.of,
            managed_resource: &change.managed_resource,
            api_version,
            kind,
            namespace,
            name,
            change: change.kind,
            restarts: change.restarts,
            before,
            after,
        })
    };
    // Never fails, because all keys are texts.
    let entries: Vec<Value> = changes.iter().flat_map(entry).collect();
    pretty(&entries)
}

fn manifests(rendered: &Rendered<'_>) -> Vec<Manifest> {
    let mut all = Vec::new();
    for resource in rendered.answer.managed_resources.iter().flatten() {
        for node in resource.objects.iter().flat_map(|object| read_own(object.get())) {
            let text = |path: &[&str]| node.at(path).and_then(Node::as_str).unwrap_or_default().to_owned();
            let name = ObjectName {
                api_version: text(&["apiVersion"]),
                kind: text(&["kind"]),
                namespace: text(&["metadata", "namespace"]),
                name: text(&["metadata", "name"]),
            };
            all.push(Manifest { managed_resource: resource.name.clone(), name, node });
        }
    }
    all
}

fn is_workload(object: &ObjectName) -> bool {
    let group = object.api_version.split_once('/').map_or("", |(group, _)| group);
    WORKLOADS.contains(&(group, object.kind.as_str()))
}

fn template(object: &Node) -> Option<String> {
    object.at(&["spec", "template"]).map(Node::to_json)
}
