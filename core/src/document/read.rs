//! Reads JSON text, within limits.

use std::borrow::Cow;

use hifijson::token::{Expect, Lex};
use hifijson::{SliceLexer, num::LexWrite, str::LexAlloc};

use super::Value;
use super::escape::plain_bytes;
use super::value::Member;

/// The largest text, in bytes. It holds three documents of the size that etcd accepts, and facts.
pub const MAX_BYTES: usize = 8 << 20;
/// The deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 64;
/// The most values in one text. The CloudProfile of a large landscape has about ten thousand.
pub const MAX_VALUES: usize = 200_000;
/// The most entries of one array or object. Real lists are far shorter. The limit bounds the time of rules that
/// compare each entry with each.
pub const MAX_ENTRIES: usize = 4_000;

/// Why Trellis does not read a text.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SyntaxError {
    /// The text has too many bytes.
    #[error("the text has {0} bytes, at most {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Arrays and objects are nested too deep.
    #[error("arrays and objects are nested deeper than {MAX_DEPTH} levels at byte {0}")]
    TooDeep(usize),
    /// The text has too many values.
    #[error("the text has more than {MAX_VALUES} values at byte {0}")]
    TooManyValues(usize),
    /// An array or object has too many entries.
    #[error("an array or object has more than {MAX_ENTRIES} entries at byte {0}")]
    TooMany(usize),
    /// The text is not JSON.
    #[error("not valid JSON at byte {at}: {cause}")]
    Malformed {
        /// The offset of the byte where reading ended.
        at: usize,
        /// What the reader expected there.
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
    let mut source = Source { text, left: MAX_VALUES, items: Vec::new(), members: Vec::new() };
    lexer.exactly_one(Lex::ws_peek, |next, lexer| source.read(MAX_DEPTH, next, lexer)).map_err(|failure| {
        let at = text.len() - lexer.as_slice().len();
        match failure {
            Failure::TooMany => SyntaxError::TooMany(at),
            Failure::TooManyValues => SyntaxError::TooManyValues(at),
            Failure::Lexer(hifijson::Error::Depth) => SyntaxError::TooDeep(at),
            Failure::Lexer(error) => SyntaxError::Malformed { at, cause: error.to_string() },
        }
    })
}

/// A text that is being read.
struct Source<'a> {
    text: &'a str,
    /// How many more values the text may have.
    left: usize,
    /// The entries so far of the arrays that are open; an array takes its own when it ends, into a list of their
    /// number.
    items: Vec<Value<'a>>,
    /// The members so far of the objects that are open, alike.
    members: Vec<Member<'a>>,
}

impl<'a> Source<'a> {
    /// Reads a value, of which `next` is the first byte.
    fn read(&mut self, depth: usize, next: u8, lexer: &mut SliceLexer<'a>) -> Result<Value<'a>, Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::TooManyValues)?;
        Ok(match next {
            b'a'..=b'z' => match lexer.null_or_bool().ok_or(Expect::Value)? {
                None => Value::Null,
                Some(bool) => Value::Bool(bool),
            },
            b'0'..=b'9' | b'-' => {
                let (number, _) = lexer.num_string().validated().map_err(hifijson::Error::from)?;
                Value::Number(Cow::Borrowed(number))
            }
            b'"' => Value::String(self.string(lexer.discarded())?),
            b'[' => {
                let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
                let start = self.items.len();
                lexer.discarded().seq(b']', Lex::ws_peek, |next, lexer| {
                    if self.items.len() - start == MAX_ENTRIES {
                        return Err(Failure::TooMany);
                    }
                    let item = self.read(depth, next, lexer)?;
                    self.items.push(item);
                    Ok(())
                })?;
                Value::Array(self.items.split_off(start))
            }
            b'{' => {
                let depth = depth.checked_sub(1).ok_or(hifijson::Error::Depth)?;
                let start = self.members.len();
                lexer.discarded().seq(b'}', Lex::ws_peek, |next, lexer| {
                    if self.members.len() - start == MAX_ENTRIES {
                        return Err(Failure::TooMany);
                    }
                    lexer.expect(|_| Some(next), b'"').ok_or(Expect::String)?;
                    let key = self.string(lexer)?;
                    lexer.expect(Lex::ws_peek, b':').ok_or(Expect::Colon)?;
                    let next = lexer.ws_peek().ok_or(Expect::Value)?;
                    let value = self.read(depth, next, lexer)?;
                    self.members.push((key, value));
                    Ok(())
                })?;
                Value::Object(self.members.split_off(start))
            }
            _ => return Err(Expect::Value.into()),
        })
    }

    /// Reads a string behind its first quote. A string without escapes is a part of the text, which is UTF-8
    /// already; hifijson reads every other one.
    fn string(&self, lexer: &mut SliceLexer<'a>) -> Result<Cow<'a, str>, hifijson::Error> {
        let rest = lexer.as_slice();
        let start = self.text.len() - rest.len();
        let length = plain_bytes(rest);
        match (self.text.get(start..start + length), rest.get(length + 1..)) {
            (Some(plain), Some(behind)) if rest.get(length) == Some(&b'"') => {
                *lexer = SliceLexer::new(behind);
                Ok(Cow::Borrowed(plain))
            }
            _ => Ok(lexer.str_string()?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_order_and_duplicates_survive() {
        let text = r#"{"b":1.30,"a":12345678901234567890123,"b":1e2,"s":"a\"\\\u0001é"}"#;
        let value = parse(text).unwrap();
        assert_eq!(value.to_string(), text);
        assert_eq!(value.get("b"), Some(&Value::Number("1e2".into())));
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
