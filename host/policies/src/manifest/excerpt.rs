//! The parts of an object that a policy says to read, so that no more is sent.

use crate::source::{Node, Value};

/// `node` as JSON text, cut down to what the pointers lead to; `*` stands for every entry of a list. `None` where
/// they lead nowhere.
pub fn excerpt(node: &Node, pointers: &[&str]) -> Option<String> {
    let mut json = String::new();
    let tails: Vec<&str> = pointers.iter().filter_map(|pointer| pointer.strip_prefix('/')).collect();
    let whole = pointers.contains(&"");
    write(node, &tails, whole, &mut json).then_some(json)
}

/// Writes the parts of a node that are kept; returns whether there are any.
fn write(node: &Node, tails: &[&str], whole: bool, json: &mut String) -> bool {
    if whole {
        json.push_str(&node.to_json());
        return true;
    }
    match &node.value {
        Value::Mapping(entries) => {
            let start = json.len();
            json.push('{');
            for entry in entries {
                let rest = json.len();
                if json.len() > start + 1 {
                    json.push(',');
                }
                json.push_str(&serde_json::Value::from(entry.key.as_str()).to_string());
                json.push(':');
                let (tails, whole) = below(tails, &entry.key);
                if !write(&entry.value, &tails, whole, json) {
                    json.truncate(rest);
                }
            }
            json.push('}');
            let kept = json.len() > start + 2;
            if !kept {
                json.truncate(start);
            }
            kept
        }
        Value::Sequence(items) => {
            let (tails, whole) = below(tails, "*");
            if tails.is_empty() && !whole {
                return false;
            }
            json.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                if !write(item, &tails, whole, json) {
                    // Places of the other entries must stay what they are.
                    json.push_str("{}");
                }
            }
            json.push(']');
            true
        }
        _ => false,
    }
}

/// The pointers that go on below a key, and whether one ends there.
fn below<'p>(tails: &[&'p str], key: &str) -> (Vec<&'p str>, bool) {
    let mut below = Vec::new();
    let mut whole = false;
    for tail in tails {
        match tail.split_once('/') {
            Some((head, rest)) if head == key => below.push(rest),
            None if *tail == key => whole = true,
            _ => {}
        }
    }
    (below, whole)
}

#[cfg(test)]
mod tests {
    use super::excerpt;
    use crate::source::read;

    #[test]
    fn only_what_is_read_is_kept() {
        let text =
            br#"{"kind":"P","spec":{"types":[{"name":"a","cpu":1},{"cpu":2}],"images":[1.30],"more":{"x":1}}}"#;
        let (_, nodes) = read("t.json", text).unwrap();
        let table = [
            (&["/kind", "/spec/types/*/name"][..], Some(r#"{"kind":"P","spec":{"types":[{"name":"a"},{}]}}"#)),
            (&["/spec/images", "/spec/none"], Some(r#"{"spec":{"images":[1.30]}}"#)),
            (&["/spec/more", "/spec/more/x"], Some(r#"{"spec":{"more":{"x":1}}}"#)),
            (&["/status/x", "/kind/x"], None),
            (&[], None),
        ];
        for (pointers, kept) in table {
            assert_eq!(excerpt(&nodes[0], pointers).as_deref(), kept, "{pointers:?}");
        }
        assert_eq!(excerpt(&nodes[0], &[""]).unwrap(), nodes[0].to_json());
    }
}
