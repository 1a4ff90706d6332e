//! Trees as YAML text that reads as the same tree.

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_saphyr::DoubleQuoted;

use super::{Node, Value, scalar};

/// A tree could not be written as YAML.
#[derive(Debug, thiserror::Error)]
#[error("cannot be written as YAML: {0}")]
pub struct YamlError(#[from] serde_saphyr::ser_error::Error);

impl Node {
    /// This tree as YAML. Texts that another type could be read from are quoted; numbers keep their spelling.
    pub fn to_yaml(&self) -> Result<String, YamlError> {
        let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
        // The serializer writes machine numbers only, so `1.30` travels as a marked text, and the marks and
        // quotes are taken off afterwards.
        let json = self.to_json();
        let mut mark = String::from("@number@");
        while json.contains(&mark) {
            mark.push('@');
        }
        let yaml = serde_saphyr::to_string_with_options(&Yaml { node: self, mark: &mark }, options)?;
        Ok(yaml.replace(&format!("\"{mark}"), "").replace(&format!("{mark}\""), ""))
    }
}

struct Yaml<'n> {
    node: &'n Node,
    mark: &'n str,
}

impl Serialize for Yaml<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mark = self.mark;
        match &self.node.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(digits) => match digits.parse::<i128>() {
                Ok(integer) if integer.to_string() == *digits => serializer.serialize_i128(integer),
                _ => DoubleQuoted(&format!("{mark}{digits}{mark}")).serialize(serializer),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Sequence(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(&Yaml { node: item, mark })?;
                }
                sequence.end()
            }
            Value::Mapping(entries) => {
                let mut mapping = serializer.serialize_map(Some(entries.len()))?;
                for entry in entries {
                    // The serializer takes keys for YAML 1.2, where `yes` is a text.
                    let is_text = entry.key != "<<" && matches!(scalar::resolve(&entry.key), Ok(Value::String(_)));
                    let value = Yaml { node: &entry.value, mark };
                    if is_text {
                        mapping.serialize_entry(&entry.key, &value)?;
                    } else {
                        mapping.serialize_entry(&DoubleQuoted(&entry.key), &value)?;
                    }
                }
                mapping.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::source::read;

    fn round_trip(json: &str) -> (String, String) {
        let (_, nodes) = read("t.json", json.as_bytes()).unwrap();
        let yaml = nodes[0].to_yaml().unwrap();
        let (_, again) = read("t.yaml", yaml.as_bytes()).unwrap_or_else(|error| panic!("{yaml}: {error}"));
        (yaml, again[0].to_json())
    }

    #[test]
    fn texts_that_look_like_something_else_stay_quoted() {
        let texts = [
            "",
            "~",
            "null",
            "yes",
            "No",
            "y",
            "on",
            "OFF",
            "true",
            "1.30",
            "1_000",
            "0777",
            "08",
            "0o7",
            "0x1F",
            "1e3",
            ".5",
            "5.",
            "+5",
            ".inf",
            "<<",
            "=",
            "2026-11-21",
            "12:30:45",
            "-",
            "- a",
            "a: b",
            "a #b",
            "#a",
            "*a",
            "&a",
            "!a",
            "@a",
            "%a",
            "`a",
            "[a",
            "{a",
            "a\nb\n",
            " a ",
            "\t",
            "'",
            "\"",
            "é",
            "---",
            "...",
            "10.250.0.0/16",
        ];
        for text in texts {
            let quoted = serde_json::to_string(text).unwrap();
            let json = format!("{{\"a\":{quoted},{quoted}:[{quoted}]}}");
            let (yaml, again) = round_trip(&json);
            assert_eq!(again, json, "{yaml}");
        }
    }

    #[test]
    fn numbers_keep_their_spelling() {
        let json = r#"{"a":1.30,"b":[1.5e-3,-0,12345678901234567890123456789012345678901234567890],"c":"@number@1.30@number@"}"#;
        let (yaml, again) = round_trip(json);
        assert!(yaml.contains("a: 1.30"), "{yaml}");
        assert_eq!(again, json, "{yaml}");
    }

    #[test]
    fn a_tree_is_written_as_people_write_it() {
        let (yaml, _) = round_trip(r#"{"a":{"b":[1,{"c":"d","e":[]}],"f":{}},"g":null,"h":1.5,"i":"1.30"}"#);
        insta::assert_snapshot!(yaml, @r#"
        a:
          b:
          - 1
          - c: d
            e: []
          f: {}
        g: null
        h: 1.5
        i: "1.30"
        "#);
    }

    proptest! {
        #[test]
        fn any_text_survives(text in "\\PC{0,200}", key in "\\PC{1,20}") {
            prop_assume!(key != text);
            let json = serde_json::json!({ key: [&text], "x": &text }).to_string();
            let (_, nodes) = read("t.json", json.as_bytes()).unwrap();
            prop_assert_eq!(round_trip(&json).1, nodes[0].to_json());
        }
    }
}
