//! Why a value is not what was wanted.

use std::fmt;

use serde::de;

use crate::text::quote;

/// A field that strict decoding refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictError {
    /// Whether the field is a duplicate of another; else it is unknown.
    pub duplicate: bool,
    /// Where it is, relative to the decoded value, as `a.b[0].c`.
    pub field: String,
    /// Where it is, relative to the decoded value, as an RFC 6901 pointer.
    pub pointer: String,
}

/// Why a value is not what was wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// `kind` is absent or empty.
    #[error("Object 'Kind' is missing")]
    KindMissing,
    /// `apiVersion` is absent or empty.
    #[error("Object 'apiVersion' is missing")]
    ApiVersionMissing,
    /// Nobody knows the kind in that version.
    #[error("no kind {} is registered for version {}", quote(.kind), quote(.api_version))]
    NotRegistered {
        /// The `apiVersion` given.
        api_version: String,
        /// The `kind` given.
        kind: String,
        /// Whether it is the kind that the version does not have; else nobody knows the version.
        in_known_version: bool,
    },
    /// Another kind of the same group was wanted.
    #[error("kind {} is not {}", quote(.found), quote(.wanted))]
    OtherKind {
        /// The `kind` given.
        found: String,
        /// The `kind` wanted.
        wanted: &'static str,
    },
    /// A value has the wrong type.
    #[error("{}expected {expected}, found {found}", at(.field))]
    Mismatch {
        /// Where, as `a.b[0].c`; empty for the decoded value itself.
        field: String,
        /// Where, as an RFC 6901 pointer relative to the decoded value.
        pointer: String,
        /// What was wanted.
        expected: &'static str,
        /// What was there.
        found: String,
    },
    /// Unknown or duplicate fields, in document order.
    #[error("strict decoding error: {}", list(.0))]
    Strict(Vec<StrictError>),
    /// Any other objection of a type.
    #[error("{0}")]
    Other(String),
}

impl DecodeError {
    /// Where the first cause is, as an RFC 6901 pointer relative to the decoded value.
    pub fn pointer(&self) -> &str {
        match self {
            Self::KindMissing | Self::OtherKind { .. } | Self::NotRegistered { in_known_version: true, .. } => {
                "/kind"
            }
            Self::ApiVersionMissing | Self::NotRegistered { .. } => "/apiVersion",
            Self::Mismatch { pointer, .. } => pointer,
            Self::Strict(errors) => errors.first().map_or("", |error| &error.pointer),
            Self::Other(_) => "",
        }
    }
}

impl DecodeError {
    /// The same error without the value that was found, for objects whose values are secret.
    pub fn without_value(self) -> Self {
        match self {
            Self::Mismatch { field, pointer, expected, found } if found.starts_with("the number") => {
                Self::Mismatch { field, pointer, expected, found: "a number".to_owned() }
            }
            other => other,
        }
    }
}

fn at(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}

fn list(errors: &[StrictError]) -> String {
    let entry = |error: &StrictError| {
        format!("{} field {}", if error.duplicate { "duplicate" } else { "unknown" }, quote(&error.field))
    };
    errors.iter().map(entry).collect::<Vec<_>>().join(", ")
}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    // The types are checked before a visitor sees a value; what is left does without printing it.
    fn invalid_type(_found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Other(format!("expected {expected}"))
    }

    fn invalid_value(_found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Other(format!("expected {expected}"))
    }
}
