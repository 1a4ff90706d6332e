//! Why a value cannot be decoded.

use std::fmt;

use crate::text::quote;

/// A field that strict decoding refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrictError {
    /// Whether the field is a duplicate; else the field is unknown.
    pub duplicate: bool,
    /// The place of the field, relative to the decoded value, as `a.b[0].c`.
    pub field: String,
    /// The place of the field, relative to the decoded value, as an RFC 6901 pointer.
    pub pointer: String,
    /// The known field that an unknown one most likely means, where the object lacks that.
    pub meant: Option<Meant>,
}

/// The name that somebody most likely meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The name.
    pub name: String,
    /// Whether no other name can be meant.
    pub is_certain: bool,
}

/// Why a value cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// `kind` is absent or empty.
    #[error("Object 'Kind' is missing")]
    KindMissing,
    /// `apiVersion` is absent or empty.
    #[error("Object 'apiVersion' is missing")]
    ApiVersionMissing,
    /// There is no such kind in that version.
    #[error("no kind {} is registered for version {}", quote(.kind), quote(.api_version))]
    NotRegistered {
        /// The `apiVersion` of the value.
        api_version: String,
        /// The `kind` of the value.
        kind: String,
        /// Whether the version is known, and does not have the kind; else the version is unknown.
        in_known_version: bool,
    },
    /// The value is of another kind of the same group.
    #[error("kind {} is not {}", quote(.found), quote(.wanted))]
    OtherKind {
        /// The `kind` of the value.
        found: String,
        /// The kind that the value must be of.
        wanted: &'static str,
    },
    /// A value has a wrong type.
    #[error("{}expected {expected}, found {found}", at(.field))]
    Mismatch {
        /// The place, as `a.b[0].c`; empty for the decoded value itself.
        field: String,
        /// The place, as an RFC 6901 pointer relative to the decoded value.
        pointer: String,
        /// What the type needs.
        expected: &'static str,
        /// What the document has.
        found: Found,
    },
    /// There are unknown or duplicate fields; the list is in document order.
    #[error("strict decoding error: {}", list(.0))]
    Strict(Vec<StrictError>),
}

/// What a document has where it needs a value of another type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A kind of value, such as `a list`.
    Kind(&'static str),
    /// A number, as the document spells it.
    Number(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => f.write_str(kind),
            Self::Number(number) => write!(f, "the number {number}"),
        }
    }
}

impl DecodeError {
    /// Which of `apiVersion` and `kind` is missing.
    pub fn missing(&self) -> Option<&'static str> {
        match self {
            Self::KindMissing => Some("kind"),
            Self::ApiVersionMissing => Some("apiVersion"),
            _ => None,
        }
    }

    /// The place of the first cause, as an RFC 6901 pointer relative to the decoded value.
    pub fn pointer(&self) -> &str {
        match self {
            Self::KindMissing | Self::OtherKind { .. } | Self::NotRegistered { in_known_version: true, .. } => {
                "/kind"
            }
            Self::ApiVersionMissing | Self::NotRegistered { .. } => "/apiVersion",
            Self::Mismatch { pointer, .. } => pointer,
            Self::Strict(errors) => errors.first().map_or("", |error| &error.pointer),
        }
    }
}

impl DecodeError {
    /// The same error without the value in the document, for objects whose values are secret.
    pub fn without_value(self) -> Self {
        match self {
            Self::Mismatch { field, pointer, expected, found: Found::Number(_) } => {
                Self::Mismatch { field, pointer, expected, found: Found::Kind("a number") }
            }
            other => other,
        }
    }
}

fn at(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}

fn list(errors: &[StrictError]) -> String {
    let mut text = String::new();
    for error in errors {
        text.push_str(if text.is_empty() { "" } else { ", " });
        text.push_str(if error.duplicate { "duplicate field " } else { "unknown field " });
        text.push_str(&quote(&error.field));
    }
    text
}
