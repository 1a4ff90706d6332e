//! Machine capabilities, as CloudProfiles write them.
//!
//! Source: `spec.machineCapabilities` of CloudProfiles.

use crate::collections::NameMap;
use crate::record;

/// Values by the name of the capability.
pub type Capabilities<'a> = NameMap<'a, Vec<&'a str>>;

/// Name of the capability that lists processor architectures.
pub const ARCHITECTURE: &str = "architecture";

/// The architecture of an image or a machine type that names none.
pub const AMD64: &str = "amd64";

/// The architectures that Gardener knows.
pub const ARCHITECTURES: [&str; 2] = [AMD64, "arm64"];

record! {
    /// A capability that a CloudProfile defines, with its possible values.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Definition<'a> {
        /// Name.
        pub name: &'a str,
        /// Possible values.
        pub values: Vec<&'a str>,
    }
}
