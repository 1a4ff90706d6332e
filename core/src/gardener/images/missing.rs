//! What a configuration does not map of a CloudProfile, in the words of most existing extensions.

use std::fmt;

use crate::report::Rule;

/// What a provider's configuration does not map. The text is that of most existing extensions.
#[derive(Debug)]
pub enum Missing<'m> {
    /// An image that has versions.
    Image {
        /// Its name.
        image: &'m str,
    },
    /// A version of a mapped image.
    Version {
        /// Names of image and version.
        version: [&'m str; 2],
    },
    /// A flavor of a mapped version.
    Flavor {
        /// Names of image and version.
        version: [&'m str; 2],
        /// What the flavor offers, as Go prints it.
        capabilities: &'m str,
        /// Whether the version is mapped without flavors: to nothing at all, or to images in all regions.
        is_unmapped: bool,
    },
    /// An architecture of a version that is mapped without flavors.
    Architecture {
        /// Names of image and version.
        version: [&'m str; 2],
        /// The architecture.
        architecture: &'m str,
    },
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MISSING: &str = "missing providerConfig mapping for machine image version";
        match self {
            Self::Image { image } => {
                write!(f, "must provide an image mapping for image \"{image}\" in providerConfig")
            }
            Self::Version { version: [image, version] } => {
                write!(f, "machine image version {image}@{version} is not defined in the providerConfig")
            }
            Self::Flavor { version: [image, version], capabilities, .. } => {
                write!(f, "{MISSING} {image}@{version} and capabilitySet {capabilities}")
            }
            Self::Architecture { version: [image, version], architecture } => {
                write!(f, "{MISSING} {image}@{version} and architecture: {architecture}")
            }
        }
    }
}

/// The rule for what is missing, and its detail. It also gets whether the CloudProfile defines capabilities.
pub type MissingWords = fn(&Missing<'_>, bool) -> (&'static Rule, String);
