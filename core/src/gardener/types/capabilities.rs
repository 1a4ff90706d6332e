//! Machine capabilities, as CloudProfiles write them.
//!
//! Source: `spec.machineCapabilities` of CloudProfiles.

use serde::Deserialize;

use crate::collections::NameMap;

/// Values by the name of the capability.
pub type Capabilities<'a> = NameMap<'a, Vec<&'a str>>;

/// Name of the capability that lists processor architectures.
pub const ARCHITECTURE: &str = "architecture";

/// The architecture of an image or a machine type that names none.
pub const AMD64: &str = "amd64";

/// A capability that a CloudProfile defines, with its possible values.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Definition<'a> {
    /// Name.
    pub name: &'a str,
    /// Possible values.
    #[serde(borrow)]
    pub values: Vec<&'a str>,
}
