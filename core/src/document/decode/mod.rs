//! Decodes JSON values into typed objects, by the rules of the Kubernetes API machinery.
//!
//! Field names are case-sensitive. `null` leaves the zero value. Of duplicate keys the last counts. An integer is
//! written without point and exponent. *Lenient* decoding drops unknown fields; *strict* decoding refuses unknown
//! and duplicate fields. Both refuse a value of a wrong type.

mod error;
mod node;
mod record;
mod targets;

use crate::document::{Path, Value};
use node::{Context, mismatch};

pub use error::{DecodeError, Found, Meant, StrictError};
pub use node::{Node, Target};
pub use targets::{Float32, Raw};

/// What decoding does with unknown and duplicate fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It refuses them.
    Strict,
    /// It drops unknown fields; of duplicates the last counts.
    Lenient,
}

/// Decodes `value` into `T`.
pub fn decode<'v, T: Target<'v> + Default>(value: &'v Value<'v>, mode: Mode) -> Result<T, DecodeError> {
    let mut decoded = T::default();
    decode_into(&mut decoded, value, mode)?;
    Ok(decoded)
}

/// Decodes `value` into a target that has its zero value. With [`DecodeError::Strict`], the target has all but the
/// fields that the error lists.
pub fn decode_into<'v>(target: &mut dyn Target<'v>, value: &'v Value<'v>, mode: Mode) -> Result<(), DecodeError> {
    let context = Context::new(mode);
    target.decode(&Node::new(value, &Path::root("", ""), &context))?;
    let strict = context.into_errors();
    if strict.is_empty() { Ok(()) } else { Err(DecodeError::Strict(strict)) }
}

/// Which of `apiVersion` and `kind` a value must have. Where the value has one of them, that must be right in any
/// case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Both.
    Fully,
    /// `apiVersion`.
    ByVersion,
    /// Neither.
    Loosely,
}

/// Checks that `value` declares itself a `kind` of `api_version`. `kinds` lists the kinds of that version.
pub fn check_kind(
    value: &Value<'_>,
    api_version: &str,
    kind: &'static str,
    kinds: &[&str],
    typed: Typed,
) -> Result<(), DecodeError> {
    let root = Path::root("", "");
    let text = |key| match value.get(key) {
        None => Ok(""),
        Some(Value::String(text)) => Ok(text.as_ref()),
        Some(other) => Err(mismatch(&root.key(key), "a string", other)),
    };
    if !matches!(value, Value::Object(_) | Value::Null) {
        return Err(mismatch(&Path::root("", ""), "an object", value));
    }
    let (mut found_version, mut found) = (text("apiVersion")?, text("kind")?);
    if found.is_empty() {
        if typed == Typed::Fully {
            return Err(DecodeError::KindMissing);
        }
        found = kind;
    }
    if found_version.is_empty() {
        if typed != Typed::Loosely {
            return Err(DecodeError::ApiVersionMissing);
        }
        found_version = api_version;
    }
    if found_version != api_version || !kinds.contains(&found) {
        return Err(DecodeError::NotRegistered {
            api_version: found_version.to_owned(),
            kind: found.to_owned(),
            in_known_version: found_version == api_version,
        });
    }
    if found == kind { Ok(()) } else { Err(DecodeError::OtherKind { found: found.to_owned(), wanted: kind }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collections::NameMap;
    use crate::document::parse;
    use crate::record;

    record! {
        #[derive(Debug, Default, PartialEq)]
        struct Config<'a> {
            name: &'a str,
            size: Option<i32>,
            parts: Vec<Part<'a>>,
            gates: NameMap<'a, bool>,
        }
    }

    record! {
        #[derive(Debug, Default, PartialEq)]
        struct Part<'a> {
            id: &'a str,
            on: bool,
        }
    }

    #[test]
    fn null_leaves_the_zero_value_and_the_last_duplicate_counts() {
        let value =
            parse(r#"{"name":null,"size":null,"parts":[null,{"id":"a","id":"b","on":null}],"gates":{"x":null}}"#)
                .unwrap();
        let config: Config<'_> = decode(&value, Mode::Lenient).unwrap();
        assert_eq!(config.parts, [Part::default(), Part { id: "b", on: false }]);
        assert_eq!(config.gates, NameMap::from([("x", false)]));
        assert_eq!((config.name, config.size), ("", None));
    }

    #[test]
    fn strict_decoding_names_unknown_and_duplicate_fields_in_document_order() {
        let value = parse(r#"{"Name":"x","parts":[{"id":"a","id":"a","z":1}],"extra":null}"#).unwrap();
        let error = decode::<Config<'_>>(&value, Mode::Strict).unwrap_err();
        assert_eq!(
            error.to_string(),
            "strict decoding error: unknown field \"Name\", duplicate field \"parts[0].id\", \
             unknown field \"parts[0].z\", unknown field \"extra\""
        );
        assert_eq!(error.pointer(), "/Name");
        assert!(decode::<Config<'_>>(&value, Mode::Lenient).is_ok());
    }

    #[test]
    fn wrong_types_are_refused_with_their_place() {
        for (text, message, pointer) in [
            (r#"{"size":1.0}"#, "size: expected a 32-bit integer, found the number 1.0", "/size"),
            (r#"{"size":3000000000}"#, "size: expected a 32-bit integer, found the number 3000000000", "/size"),
            (r#"{"parts":[{"on":"true"}]}"#, "parts[0].on: expected a boolean, found a string", "/parts/0/on"),
            (r#"{"gates":{"a":1}}"#, "gates.a: expected a boolean, found the number 1", "/gates/a"),
            (r#"{"parts":{}}"#, "parts: expected a list, found an object", "/parts"),
            ("[]", "expected an object, found a list", ""),
        ] {
            let value = parse(text).unwrap();
            let error = decode::<Config<'_>>(&value, Mode::Lenient).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.pointer()), (message, pointer), "{text}");
        }
    }

    record! {
        #[derive(Debug, Default, PartialEq)]
        struct Numbers<'a> {
            small: u32,
            large: u64,
            long: i64,
            share: Float32<'a>,
        }
    }

    #[test]
    fn integers_are_spelled_as_such_and_floats_as_they_like() {
        for (text, numbers) in [
            (r#"{"share":null,"small":null,"large":null}"#, Numbers::default()),
            (r#"{"small":4294967295}"#, Numbers { small: u32::MAX, ..Numbers::default() }),
            (r#"{"large":18446744073709551615}"#, Numbers { large: u64::MAX, ..Numbers::default() }),
            (r#"{"long":-9223372036854775808}"#, Numbers { long: i64::MIN, ..Numbers::default() }),
        ] {
            assert_eq!(decode(&parse(text).unwrap(), Mode::Strict), Ok(numbers), "{text}");
        }
        for (text, is_share) in
            [("1", true), ("-1.5e3", false), ("1e-999", true), ("10e-1", true), ("1.01", false), ("-0", true)]
        {
            let document = format!(r#"{{"share":{text}}}"#);
            let value = parse(&document).unwrap();
            let numbers: Numbers<'_> = decode(&value, Mode::Strict).unwrap();
            assert_eq!(numbers.share.is_share(), is_share, "{text}");
        }
        for (text, message) in [
            (r#"{"share":1e39}"#, "share: expected a number of 32 bits, found the number 1e39"),
            (r#"{"share":"1"}"#, "share: expected a number, found a string"),
            (r#"{"small":-1}"#, "small: expected an integer from 0 to 2³² − 1, found the number -1"),
            (r#"{"small":1e3}"#, "small: expected an integer from 0 to 2³² − 1, found the number 1e3"),
            (r#"{"large":1.0}"#, "large: expected an integer from 0 to 2⁶⁴ − 1, found the number 1.0"),
            (r#"{"long":1e3}"#, "long: expected an integer, found the number 1e3"),
            (r#"{"long":9223372036854775808}"#, "long: expected an integer, found the number 9223372036854775808"),
        ] {
            let value = parse(text).unwrap();
            assert_eq!(decode::<Numbers<'_>>(&value, Mode::Strict).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn duplicates_are_found_among_many_members_too() {
        let members: Vec<String> = (0..40).map(|n| format!(r#""g{}":true"#, n % 39)).collect();
        let value = parse(&format!(r#"{{"gates":{{{}}}}}"#, members.join(","))).map(|v| v.to_string()).unwrap();
        let value = parse(&value).unwrap();
        let error = decode::<Config<'_>>(&value, Mode::Strict).unwrap_err();
        assert_eq!(error.to_string(), "strict decoding error: duplicate field \"gates.g0\"");
    }

    #[test]
    fn kind_is_checked_before_version() {
        let kinds = ["A", "B"];
        for (text, message) in [
            ("{}", "Object 'Kind' is missing"),
            (r#"{"kind":"A","apiVersion":""}"#, "Object 'apiVersion' is missing"),
            (r#"{"kind":"A","apiVersion":"h/v1"}"#, r#"no kind "A" is registered for version "h/v1""#),
            (r#"{"kind":"C","apiVersion":"g/v1"}"#, r#"no kind "C" is registered for version "g/v1""#),
            (r#"{"kind":"B","apiVersion":"g/v1"}"#, r#"kind "B" is not "A""#),
            (r#"{"kind":1,"apiVersion":"g/v1"}"#, "kind: expected a string, found the number 1"),
            ("[]", "expected an object, found a list"),
        ] {
            let value = parse(text).unwrap();
            assert_eq!(check_kind(&value, "g/v1", "A", &kinds, Typed::Fully).unwrap_err().to_string(), message);
        }
    }
}
