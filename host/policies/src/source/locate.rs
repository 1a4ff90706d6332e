//! From an RFC 6901 pointer to a place in the text.

use super::{Node, Source, Span, Value};

/// What a pointer led to.
#[derive(Clone, Copy, Debug)]
pub struct Location<'n> {
    /// The node, or its nearest ancestor that exists.
    pub node: &'n Node,
    /// Where the node's key stands, if it has one.
    pub key: Option<Span>,
    /// Whether the pointer's own node exists.
    pub exact: bool,
}

impl Node {
    /// The node at a pointer, or its nearest ancestor that exists.
    pub fn locate(&self, pointer: &str) -> Location<'_> {
        let mut location = Location { node: self, key: None, exact: true };
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            let next = match &location.node.value {
                Value::Mapping(entries) => entries
                    .iter()
                    .find(|entry| entry.key == token)
                    .map(|entry| (&entry.value, Some(entry.key_span))),
                Value::Sequence(items) => index(&token).and_then(|at| items.get(at)).map(|item| (item, None)),
                _ => None,
            };
            let Some((node, key)) = next else { return Location { exact: false, ..location } };
            location = Location { node, key, exact: true };
        }
        location
    }
}

/// An array index as RFC 6901 spells it: no sign, no leading zero.
fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with(['0', '+']);
    canonical.then(|| token.parse().ok()).flatten()
}

impl Location<'_> {
    /// What to underline: a scalar itself; the key of a container, of a missing value or of null; the first line
    /// of an item of a list; the first key of a whole document.
    pub fn highlight(&self, source: &Source) -> Span {
        let Node { value, span } = self.node;
        if self.exact && !self.node.is_container() && !span.is_empty() {
            return source.first_line(*span);
        }
        match (self.key, value) {
            (Some(key), _) => key,
            (None, Value::Mapping(entries)) if !source.slice(*span).starts_with('{') => {
                entries.first().map_or(*span, |entry| entry.key_span)
            }
            _ => source.first_line(*span),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::read;

    const TEXT: &str = "\
a/b: 1
list:
- name: x
  note: |
    first
    second
- [p, q]
none:
é: {inner: 'v'}
";

    fn highlighted(pointer: &str) -> (String, usize, bool) {
        let (source, documents) = read("t.yaml", TEXT.as_bytes()).unwrap();
        let location = documents[0].locate(pointer);
        let span = location.highlight(&source);
        (source.slice(span).to_owned(), source.position(span.start).line, location.exact)
    }

    #[test]
    fn pointers_lead_to_values_keys_or_the_nearest_ancestor() {
        let table = [
            ("", "a/b", 1, true),
            ("/a~1b", "1", 1, true),
            ("/list", "list", 2, true),
            ("/list/0", "name", 3, true),
            ("/list/0/name", "x", 3, true),
            ("/list/0/note", "first", 5, true),
            ("/list/0/missing", "name", 3, false),
            ("/list/1/1", "q", 7, true),
            ("/list/1/7", "[p, q]", 7, false),
            ("/list/00", "list", 2, false),
            ("/list/-", "list", 2, false),
            ("/none", "none", 8, true),
            ("/none/deeper/still", "none", 8, false),
            ("/é/inner", "'v'", 9, true),
            ("/é/other", "é", 9, false),
            ("/missing", "a/b", 1, false),
        ];
        for (pointer, text, line, exact) in table {
            assert_eq!(highlighted(pointer), (text.to_owned(), line, exact), "{pointer}");
        }
    }
}
