//! Values of Secrets, which stay out of the output unless somebody asks for them.

use trellis_policies::manifest::is_secret_kind;
use trellis_policies::source::{Entry, Node, Value};

/// Members of Secrets with their values.
const DATA: [&str; 2] = ["data", "stringData"];
/// Values of templates that become values of Secrets.
const SECRET_VALUES: [&str; 2] = ["cloudProviderConfig", "credentialsFile"];

/// Hides values of Secrets, or shows them.
#[derive(Clone, Copy)]
pub(super) struct Mask {
    pub(super) shows_secrets: bool,
}

impl Mask {
    /// Hides the values of an object that is a Secret.
    pub(super) fn object(self, object: &mut Node) {
        if !self.shows_secrets && is_secret(object) {
            for (member, entry) in values_of(object) {
                entry.value.value = masked(&entry.value, member == "data", "");
            }
        }
    }

    /// Hides the values of an object before and after a change. Those that differ are marked.
    pub(super) fn change(self, before: &mut Node, after: &mut Node) {
        if !self.shows_secrets && is_secret(after) {
            for (member, entry) in values_of(after) {
                let old = before.at(&[member, &entry.key]);
                let is_changed = old.is_some_and(|old| old.to_json() != entry.value.to_json());
                let changed = if is_changed { ", changed" } else { "" };
                entry.value.value = masked(&entry.value, member == "data", changed);
            }
        }
        self.object(before);
    }

    /// Hides values of templates that become values of Secrets.
    pub(super) fn values(self, values: &mut Node) {
        if self.shows_secrets {
            return;
        }
        match &mut values.value {
            Value::Mapping(entries) => {
                for entry in entries {
                    if SECRET_VALUES.contains(&entry.key.as_str()) {
                        entry.value.value = masked(&entry.value, true, "");
                    } else {
                        self.values(&mut entry.value);
                    }
                }
            }
            Value::Sequence(items) => items.iter_mut().for_each(|item| self.values(item)),
            _ => {}
        }
    }

    /// Hides the values of all Secrets in an answer.
    pub(super) fn answer(self, answer: &mut Node) {
        if let Some(values) = answer.get_mut("values") {
            self.values(values);
        }
        let objects = answer.get_mut("objects").and_then(Node::as_sequence_mut);
        objects.into_iter().flatten().for_each(|object| self.object(object));
        let resources = answer.get_mut("managedResources").and_then(Node::as_sequence_mut);
        for resource in resources.into_iter().flatten() {
            let objects = resource.get_mut("objects").and_then(Node::as_sequence_mut);
            objects.into_iter().flatten().for_each(|object| self.object(object));
        }
    }
}

fn is_secret(object: &Node) -> bool {
    object.get("kind").and_then(Node::as_str).is_some_and(is_secret_kind)
}

/// The values of a Secret, each with the member that it stands in.
fn values_of(secret: &mut Node) -> impl Iterator<Item = (&'static str, &mut Entry)> {
    let entries = if let Value::Mapping(entries) = &mut secret.value { entries.as_mut_slice() } else { &mut [] };
    entries.iter_mut().flat_map(|member| {
        let name = DATA.into_iter().find(|name| *name == member.key);
        let values = match &mut member.value.value {
            Value::Mapping(values) if name.is_some() => values.as_mut_slice(),
            _ => &mut [],
        };
        values.iter_mut().map(move |value| (name.unwrap_or_default(), value))
    })
}

/// `<masked: 120 bytes>`
fn masked(node: &Node, is_base64: bool, changed: &str) -> Value {
    let Value::String(text) = &node.value else { return Value::String(format!("<masked{changed}>")) };
    let count = if is_base64 { decoded(text) } else { text.len() };
    let s = if count == 1 { "" } else { "s" };
    Value::String(format!("<masked: {count} byte{s}{changed}>"))
}

/// How many bytes a text in base64 stands for.
fn decoded(base64: &str) -> usize {
    let digits = base64.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').count();
    digits * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_policies::source::read_own;

    const HIDES: Mask = Mask { shows_secrets: false };

    fn node(text: &str) -> Node {
        read_own(text).remove(0)
    }

    #[test]
    fn values_of_secrets_are_hidden_and_nothing_else() {
        let mut secret =
            node(r#"{"kind":"Secret","type":"t","data":{"a":"Zm9v","b":"Zg==","c":1},"stringData":{"d":"é"}}"#);
        HIDES.object(&mut secret);
        let hidden = r#"{"kind":"Secret","type":"t","data":{"a":"<masked: 3 bytes>","b":"<masked: 1 byte>","c":"<masked>"},"stringData":{"d":"<masked: 2 bytes>"}}"#;
        assert_eq!(secret.to_json(), hidden);
        let text = r#"{"kind":"ConfigMap","data":{"a":"Zm9v"}}"#;
        let mut other = node(text);
        HIDES.object(&mut other);
        assert_eq!(other.to_json(), text);
        let mut values = node(r#"{"seed":{"credentialsFile":"Zm9v","credentialsFileChecksum":"x"}}"#);
        HIDES.values(&mut values);
        assert_eq!(
            values.to_json(),
            r#"{"seed":{"credentialsFile":"<masked: 3 bytes>","credentialsFileChecksum":"x"}}"#
        );
    }

    #[test]
    fn a_change_of_a_hidden_value_shows() {
        let secret = |value: &str| node(&format!(r#"{{"kind":"Secret","data":{{"a":"{value}","b":"Zg=="}}}}"#));
        let (mut before, mut after) = (secret("Zm9v"), secret("YmFy"));
        HIDES.change(&mut before, &mut after);
        assert_eq!(
            before.to_json(),
            r#"{"kind":"Secret","data":{"a":"<masked: 3 bytes>","b":"<masked: 1 byte>"}}"#
        );
        assert_eq!(
            after.to_json(),
            r#"{"kind":"Secret","data":{"a":"<masked: 3 bytes, changed>","b":"<masked: 1 byte>"}}"#
        );
        let (mut before, mut after) = (secret("Zm9v"), secret("YmFy"));
        Mask { shows_secrets: true }.change(&mut before, &mut after);
        assert_eq!(after, secret("YmFy"));
    }
}
