//! Names, labels and annotations of Kubernetes objects: what is wrong with a text, in the words of Kubernetes.

use crate::document::Value;
use crate::text::join;

const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end \
    with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
    start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const QUALIFIED: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric \
    character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
    '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
    start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is \
    '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const CONFIG_KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or \
    'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/// The longest label of a name, and the longest value of a label, in bytes.
const MOST_OF_LABEL: usize = 63;
/// The longest name of several labels, in bytes.
const MOST_OF_SUBDOMAIN: usize = 253;
/// The most bytes that the annotations of an object may have.
pub const MOST_OF_ANNOTATIONS: usize = 256 << 10;

/// What is wrong with a text that must be a DNS-1123 label.
pub fn label_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > MOST_OF_LABEL {
        faults.push("must be no more than 63 characters".to_owned());
    }
    if !is_label(text) {
        faults.push(if is_subdomain(text) { "must not contain dots" } else { LABEL }.to_owned());
    }
    faults
}

/// What is wrong with a text that must be a DNS-1123 subdomain.
pub fn subdomain_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > MOST_OF_SUBDOMAIN {
        faults.push("must be no more than 253 characters".to_owned());
    }
    if !is_subdomain(text) {
        faults.push(SUBDOMAIN.to_owned());
    }
    faults
}

/// What is wrong with a text that must be a qualified name, such as the key of a label.
pub fn qualified_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut parts = text.split('/');
    let (prefix, name) = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), None, _) => (None, name),
        (prefix, Some(name), None) => (prefix, name),
        _ => {
            let tail = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![join(&["a valid label key", QUALIFIED, tail], " ")];
        }
    };
    match prefix {
        Some("") => faults.push("prefix part must be non-empty".to_owned()),
        Some(prefix) => {
            if prefix.len() > MOST_OF_SUBDOMAIN {
                faults.push("prefix part must be no more than 253 bytes".to_owned());
            }
            if !is_subdomain(prefix) {
                faults.push(join(&["prefix part", SUBDOMAIN], " "));
            }
        }
        None => {}
    }
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > MOST_OF_LABEL {
        faults.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_word(name) {
        faults.push(join(&["name part", QUALIFIED], " "));
    }
    faults
}

/// What is wrong with a text that must be the value of a label.
pub fn label_value_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > MOST_OF_LABEL {
        faults.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !is_word(text) {
        faults.push(LABEL_VALUE.to_owned());
    }
    faults
}

/// What is wrong with a text that must be the key of a ConfigMap.
pub fn config_key_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > MOST_OF_SUBDOMAIN {
        faults.push("must be no more than 253 characters".to_owned());
    }
    if text.is_empty() || !text.bytes().all(is_of_word) {
        faults.push(CONFIG_KEY.to_owned());
    }
    match text {
        "." => faults.push("must not be '.'".to_owned()),
        ".." => faults.push("must not be '..'".to_owned()),
        _ if text.starts_with("..") => faults.push("must not start with '..'".to_owned()),
        _ => {}
    }
    faults
}

/// What is wrong with labels: the key of each one that is wrong, and what is wrong with the key or its value.
/// Sorted by key.
pub fn labels_faults<'v>(labels: Option<&'v Value<'v>>) -> Vec<(&'v str, String)> {
    let mut faults = Vec::new();
    for (key, value) in entries(labels) {
        let of_key = qualified_faults(key);
        let of_value = label_value_faults(value.as_str().unwrap_or_default());
        faults.extend(of_key.into_iter().chain(of_value).map(|fault| (key, fault)));
    }
    faults
}

/// What is wrong with the keys of annotations, sorted by key. Upper and lower case are the same.
pub fn annotations_faults<'v>(annotations: Option<&'v Value<'v>>) -> Vec<(&'v str, String)> {
    let faults = |key: &'v str| qualified_faults(&key.to_lowercase()).into_iter().map(move |fault| (key, fault));
    entries(annotations).into_iter().flat_map(|(key, _)| faults(key)).collect()
}

/// Whether annotations together are larger than an object may have.
pub fn are_annotations_too_large(annotations: Option<&Value<'_>>) -> bool {
    let size = |(key, value): &(&str, &Value<'_>)| key.len() + value.as_str().unwrap_or_default().len();
    entries(annotations).iter().map(size).sum::<usize>() > MOST_OF_ANNOTATIONS
}

/// The entries of a map, sorted by key. The last entry of a key that is there twice counts.
pub fn entries<'v>(map: Option<&'v Value<'v>>) -> Vec<(&'v str, &'v Value<'v>)> {
    let Some(map @ Value::Object(members)) = map else { return Vec::new() };
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_ref()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().filter_map(|key| Some((key, map.member(key)?))).collect()
}

/// Whether a text is a DNS-1123 label, however long.
fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    !text.is_empty() && bytes.iter().all(is_inner) && bytes.first() != Some(&b'-') && bytes.last() != Some(&b'-')
}

/// Whether a text is a DNS-1123 subdomain, however long.
fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

/// Whether a text has only letters, digits, `-`, `_` and `.`, and begins and ends with a letter or a digit.
fn is_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    is_edge(bytes.first()) && is_edge(bytes.last()) && text.bytes().all(is_of_word)
}

/// Whether a byte may stand inside the key of a label.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginnings of what is wrong.
    fn begin(faults: Vec<String>) -> Vec<String> {
        faults.into_iter().map(|fault| fault.chars().take(27).collect()).collect()
    }

    #[test]
    fn labels_and_subdomains_of_names() {
        let long = "x".repeat(64);
        for (text, of_label, of_subdomain) in [
            ("my-name", vec![], vec![]),
            ("a.b", vec!["must not contain dots"], vec![]),
            ("", vec!["a lowercase RFC 1123 label "], vec!["a lowercase RFC 1123 subdom"]),
            ("a..b", vec!["a lowercase RFC 1123 label "], vec!["a lowercase RFC 1123 subdom"]),
            ("-a", vec!["a lowercase RFC 1123 label "], vec!["a lowercase RFC 1123 subdom"]),
            ("Ä", vec!["a lowercase RFC 1123 label "], vec!["a lowercase RFC 1123 subdom"]),
            (&long, vec!["must be no more than 63 cha"], vec![]),
        ] {
            assert_eq!(begin(label_faults(text)), of_label, "{text}");
            assert_eq!(begin(subdomain_faults(text)), of_subdomain, "{text}");
        }
    }

    #[test]
    fn keys_and_values_of_labels() {
        for (text, of_key, of_value) in [
            ("My.Name", vec![], vec![]),
            ("example.com/name", vec![], vec!["a valid label must be an em"]),
            ("/name", vec!["prefix part must be non-emp"], vec!["a valid label must be an em"]),
            ("Ex/name", vec!["prefix part a lowercase RFC"], vec!["a valid label must be an em"]),
            ("", vec!["name part must be non-empty", "name part must consist of a"], vec![]),
            ("a/b/c", vec!["a valid label key must cons"], vec!["a valid label must be an em"]),
            ("a-", vec!["name part must consist of a"], vec!["a valid label must be an em"]),
            (&"x".repeat(64), vec!["name part must be no more t"], vec!["must be no more than 63 byt"]),
        ] {
            assert_eq!(begin(qualified_faults(text)), of_key, "{text}");
            assert_eq!(begin(label_value_faults(text)), of_value, "{text}");
        }
    }

    #[test]
    fn keys_of_config_maps() {
        for (text, wanted) in [
            ("a.B_c-1", vec![]),
            ("...a", vec!["must not start with '..'"]),
            (".", vec!["must not be '.'"]),
            ("..", vec!["must not be '..'"]),
            ("", vec!["a valid config key must con"]),
            ("..a b", vec!["a valid config key must con", "must not start with '..'"]),
            (&"x".repeat(254), vec!["must be no more than 253 ch"]),
        ] {
            assert_eq!(begin(config_key_faults(text)), wanted, "{text}");
        }
    }

    #[test]
    fn maps_are_sorted_and_the_last_entry_of_a_key_counts() {
        let map = crate::document::parse(r#"{"b": "-", "a": "x", "a": "?"}"#).unwrap();
        let keys: Vec<&str> = labels_faults(Some(&map)).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["a", "b"]);
        let map = crate::document::parse(r#"{"Upper": "?", "!": ""}"#).unwrap();
        assert_eq!(annotations_faults(Some(&map)).len(), 1);
        assert!(!are_annotations_too_large(Some(&map)));
    }
}
