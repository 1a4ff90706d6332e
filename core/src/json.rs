//! JSON documents as trees that keep what a person wrote: the spelling of numbers, the order of members
//! and duplicate keys.

mod text;

use std::borrow::Cow;
use std::fmt;

use hifijson::token::{Expect, Lex};
use hifijson::{SliceLexer, num::LexWrite, str::LexAlloc};

use crate::names::NameMap;

pub use text::JsonText;

/// Largest text that is read, in bytes: three documents of the size that etcd accepts, and facts.
pub const MAX_BYTES: usize = 8 << 20;
/// Deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 64;
/// Most values in one text. The CloudProfile of a large landscape has some ten thousand.
pub const MAX_VALUES: usize = 200_000;
/// Most entries of one array or object. Real lists are far shorter; rules that compare entries pairwise
/// stay bounded by it.
pub const MAX_ENTRIES: usize = 4_000;

/// A JSON value that borrows from the text it was read from.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it was spelled.
    Number(Cow<'a, str>),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// Members in the order of the text; a key may occur several times, the last one counts.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

/// Why a text is not a document.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SyntaxError {
    /// Too many bytes.
    #[error("the text has {0} bytes, at most {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Too deep.
    #[error("arrays and objects are nested deeper than {MAX_DEPTH} levels at byte {0}")]
    TooDeep(usize),
    /// Too many values.
    #[error("the text has more than {MAX_VALUES} values at byte {0}")]
    TooManyValues(usize),
    /// Too many entries in one array or object.
    #[error("an array or object has more than {MAX_ENTRIES} entries at byte {0}")]
    TooMany(usize),
    /// Not JSON.
    #[error("not valid JSON at byte {at}: {cause}")]
    Malformed {
        /// Offset of the offending byte.
        at: usize,
        /// What was expected there.
        cause: String,
    },
}

enum Failure {
    Lexer(hifijson::Error),
    TooMany,
    TooManyValues,
}

impl<E: Into<hifijson::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Lexer(error.into())
    }
}

/// Reads one JSON document.
pub fn parse(text: &str) -> Result<Value<'_>, SyntaxError> {
    if text.len() > MAX_BYTES {
        return Err(SyntaxError::TooLarge(text.len()));
    }
    let mut lexer = SliceLexer::new(text.as_bytes());
    let mut left = MAX_VALUES;
    lexer.exactly_one(Lex::ws_peek, |next, lexer| read(MAX_DEPTH, next, lexer, &mut left)).map_err(|failure| {
        let at = text.len() - lexer.as_slice().len();
        match failure {
            Failure::TooMany => SyntaxError::TooMany(at),
            Failure::TooManyValues => SyntaxError::TooManyValues(at),
            Failure::Lexer(hifijson::Error::Depth) => SyntaxError::TooDeep(at),
            Failure::Lexer(error) => SyntaxError::Malformed { at, cause: error.to_string() },
        }
    })
}

/// Reads a value; `left` counts how many more may be read.
fn read<'a>(depth: usize, next: u8, lexer: &mut SliceLexer<'a>, left: &mut usize) -> Result<Value<'a>, Failure> {
    *left = left.checked_sub(1).ok_or(Failure::TooManyValues)?;
    Ok(match next {
        b'a'..=b'z' => match lexer.null_or_bool().ok_or(Expect::Value)? {
            None => Value::Null,
            Some(bool) => Value::Bool(bool),
        },
        b'0'..=b'9' | b'-' => {
            let (number, _) = lexer.num_string().validated().map_err(hifijson::Error::from)?;
            Value::Number(Cow::Borrowed(number))
        }
        b'"' => Value::String(lexer.discarded().str_string().map_err(hifijson::Error::from)?),
        b'[' => {
            let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
            let mut items = Vec::new();
            lexer.discarded().seq(b']', Lex::ws_peek, |next, lexer| {
                if items.len() == MAX_ENTRIES {
                    return Err(Failure::TooMany);
                }
                items.push(read(depth, next, lexer, left)?);
                Ok(())
            })?;
            Value::Array(items)
        }
        b'{' => {
            let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
            let mut members = Vec::new();
            lexer.discarded().seq(b'}', Lex::ws_peek, |next, lexer| {
                if members.len() == MAX_ENTRIES {
                    return Err(Failure::TooMany);
                }
                lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
                let key = lexer.str_string().map_err(hifijson::Error::from)?;
                lexer.expect(Lex::ws_peek, b':').ok_or(Expect::Colon)?;
                let next = lexer.ws_peek().ok_or(Expect::Value)?;
                members.push((key, read(depth, next, lexer, left)?));
                Ok(())
            })?;
            Value::Object(members)
        }
        _ => return Err(Expect::Value.into()),
    })
}

impl<'a> Value<'a> {
    /// An object with the given members.
    pub fn object<const N: usize>(members: [(&'static str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (Cow::Borrowed(key), value)).collect())
    }

    /// A string.
    pub fn string(text: impl Into<Cow<'a, str>>) -> Self {
        Self::String(text.into())
    }

    /// The member of an object, `None` where it is absent or `null`.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).filter(|value| !matches!(value, Self::Null))
    }

    /// The member of an object, also where it is `null`.
    pub fn member(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The value under nested keys, `None` where one is absent or `null`.
    pub fn at(&self, keys: &[&str]) -> Option<&Self> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entries of an array; none for anything else.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The value that an RFC 6901 pointer leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        segments(pointer).try_fold(self, |value, segment| match value {
            Self::Object(_) => value.member(&segment),
            Self::Array(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The value with members sorted, shadowed duplicates and `null` members dropped, and, if asked, empty lists
    /// and objects too: equal where the API server sees no difference.
    pub fn canonical(&self, drop_empty: bool) -> Self {
        match self {
            Self::Object(members) => {
                let sorted: NameMap<'_, _> = members.iter().map(|member| (member.0.as_ref(), member)).collect();
                let members = sorted.iter().map(|(_, (key, value))| (key.clone(), value.canonical(drop_empty)));
                Self::Object(members.filter(|(_, value)| !value.is_absent(drop_empty)).collect())
            }
            Self::Array(items) => Self::Array(items.iter().map(|item| item.canonical(drop_empty)).collect()),
            other => other.clone(),
        }
    }

    fn is_absent(&self, drop_empty: bool) -> bool {
        match self {
            Self::Null => true,
            Self::Array(items) => drop_empty && items.is_empty(),
            Self::Object(members) => drop_empty && members.is_empty(),
            _ => false,
        }
    }

    /// The kind of value, in words for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// The segments of an RFC 6901 pointer, unescaped.
pub fn segments(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|segment| {
        if segment.contains('~') {
            Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(segment)
        }
    })
}

/// Writes a string with its quotes and escapes.
fn write_string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Serializing a text cannot fail.
    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

/// Compact JSON text.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(bool) => bool.fmt(f),
            Self::Number(number) => f.write_str(number),
            Self::String(text) => write_string(text, f),
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    write_string(key, f)?;
                    f.write_str(":")?;
                    value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_written_as_json_that_reads_the_same(text in any::<String>(), key in any::<String>()) {
            let value = Value::Object(vec![(key.into(), Value::string(text))]);
            let written = value.to_string();
            prop_assert_eq!(parse(&written), Ok(value));
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        for code in 0..0x20_u8 {
            let text = char::from(code).to_string();
            let written = Value::string(text.as_str()).to_string();
            assert!(written.bytes().all(|byte| byte >= 0x20), "{code:#x}: {written}");
            assert_eq!(parse(&written).unwrap().as_str(), Some(text.as_str()));
        }
    }

    #[test]
    fn spelling_order_and_duplicates_survive() {
        let text = r#"{"b":1.30,"a":12345678901234567890123,"b":1e2,"s":"a\"\\\u0001é"}"#;
        let value = parse(text).unwrap();
        assert_eq!(value.to_string(), text);
        assert_eq!(value.get("b"), Some(&Value::Number("1e2".into())));
    }

    #[test]
    fn pointers_unescape_and_index() {
        let value = parse(r#"{"a/b":{"~":[{"x":null},2]}}"#).unwrap();
        assert_eq!(value.pointer("/a~1b/~0/1"), Some(&Value::Number("2".into())));
        assert_eq!(value.pointer("/a~1b/~0/0/x"), Some(&Value::Null));
        assert_eq!(value.pointer("/a~1b/~0/2"), None);
        assert_eq!(value.pointer(""), Some(&value));
    }

    #[test]
    fn canonical_values_are_equal_where_the_api_server_sees_no_difference() {
        let canonical = |text, drop_empty| parse(text).unwrap().canonical(drop_empty).to_string();
        assert_eq!(canonical(r#"{"b":[],"a":{"x":null},"b":[1],"c":[]}"#, false), r#"{"a":{},"b":[1],"c":[]}"#);
        assert_eq!(canonical(r#"{"b":[],"a":{"x":null},"b":[1],"c":[]}"#, true), r#"{"b":[1]}"#);
    }

    #[test]
    fn limits_and_malformed_texts_are_errors_with_a_place() {
        assert_eq!(parse(&"[".repeat(100_000)), Err(SyntaxError::TooDeep(64)));
        assert!(matches!(parse(&format!("[{}0]", "0,".repeat(MAX_ENTRIES))), Err(SyntaxError::TooMany(_))));
        let many = format!("[{}0]", "[0,0,0,0,0,0,0,0,0],".repeat(MAX_ENTRIES - 1));
        let many = format!("[{}0]", format!("{many},").repeat(6));
        assert!(matches!(parse(&many), Err(SyntaxError::TooManyValues(_))));
        assert!(matches!(parse(&" ".repeat(MAX_BYTES + 1)), Err(SyntaxError::TooLarge(_))));
        for (text, at) in
            [("", 0), ("{\"a\":1,}", 7), ("01", 1), ("{} x", 3), ("\"\u{1}\"", 2), ("nul", 1), ("-", 1)]
        {
            match parse(text) {
                Err(SyntaxError::Malformed { at: found, .. }) => assert_eq!(found, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
