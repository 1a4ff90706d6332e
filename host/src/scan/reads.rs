//! What a policy may read for an object of a garden.

use crate::manifest::{Document, Identity};
use crate::source::{Node, Value};

/// Members that the API server of a garden does not read: a person writes there what they like.
const OPAQUE: [&str; 2] = ["providerConfig", "annotations"];

/// Whether a policy that judges some objects may read another one: a Secret that one of them names, and every object of
/// other kinds.
pub fn may_read(wanted: &Identity, objects: &[&Document]) -> bool {
    wanted.kind != "Secret"
        || objects.iter().any(|object| names(&object.root, &object.identity().namespace, wanted))
}

/// Whether a member `secretRef` or `credentialsRef`, or one that ends so, names the Secret. Without a namespace, such a member
/// means that of its object.
fn names(node: &Node, own: &str, wanted: &Identity) -> bool {
    match &node.value {
        Value::Mapping(entries) => {
            entries.iter().filter(|entry| !OPAQUE.contains(&entry.key.as_str())).any(|entry| {
                let key = entry.key.to_ascii_lowercase();
                let is_reference = key.ends_with("secretref") || key.ends_with("credentialsref");
                is_reference && means(&entry.value, own, wanted) || names(&entry.value, own, wanted)
            })
        }
        Value::Sequence(items) => items.iter().any(|item| names(item, own, wanted)),
        _ => false,
    }
}

fn means(reference: &Node, own: &str, wanted: &Identity) -> bool {
    let text = |key| reference.get(key).and_then(Node::as_str);
    text("kind").is_none_or(|kind| kind == wanted.kind)
        && text("name") == Some(&wanted.name)
        && text("namespace").unwrap_or(own) == wanted.namespace
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::read;

    #[test]
    fn a_policy_reads_the_secrets_that_the_objects_name() {
        let (input, roots) = read(
            "t.yaml",
            b"kind: CredentialsBinding\nmetadata: {name: b, namespace: garden-dev}\n\
              credentialsRef: {kind: Secret, name: other, namespace: garden-b}\n\
              spec: {backup: {secretRef: {name: own}}, providerConfig: {secretRef: {name: opaque}}, name: plain}\n",
        )
        .unwrap();
        let document = Document::all_of(&input, roots).unwrap().remove(0);
        for (kind, namespace, name, expected) in [
            ("Secret", "garden-b", "other", true),
            ("Secret", "garden-dev", "other", false),
            ("Secret", "garden-dev", "own", true),
            ("Secret", "garden-dev", "opaque", false),
            ("Secret", "garden-dev", "plain", false),
            ("SecretBinding", "garden-c", "any", true),
        ] {
            let (kind, namespace, name) = (kind.to_owned(), namespace.to_owned(), name.to_owned());
            let wanted = Identity { kind, namespace, name };
            assert_eq!(may_read(&wanted, &[&document]), expected, "{wanted}");
        }
    }
}
