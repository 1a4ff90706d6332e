//! Releases of the existing software whose rules differ.

use std::fmt;

use serde::{Serialize, Serializer};

/// A minor release, such as 1.147. Its major version is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(u16);

impl Release {
    /// The release of a minor version.
    pub const fn of(minor: u16) -> Self {
        Self(minor)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.0)
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Release {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Release".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}
