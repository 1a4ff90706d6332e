//! What does not match of a NamespacedCloudProfile, in the words of most existing extensions.

use std::fmt;

use crate::report::{ErrorType, Rule};

/// What does not match between the images of a NamespacedCloudProfile, of its parent and of the configuration. The
/// text is that of most existing extensions.
#[derive(Debug)]
pub enum Mismatch<'m> {
    /// Neither the parent nor the configuration has an image.
    Image(&'m str),
    /// Neither the parent nor the configuration has a version.
    Version([&'m str; 2]),
    /// The configuration has a flavor, given as Go prints it, that the version lacks.
    ExcessFlavor([&'m str; 2], &'m str),
    /// The configuration lacks a flavor, given as Go prints it.
    MissingFlavor([&'m str; 2], &'m str, MappingForm),
    /// The configuration lacks a region, in a flavor, which other flavors have.
    MissingRegion([&'m str; 2], &'m str, &'m str),
    /// The configuration has an architecture that no flavor of the version has.
    ExcessArchitecture([&'m str; 2], &'m str),
    /// The parent has a version that the configuration maps.
    InParent([&'m str; 2]),
    /// The profile lacks an image that the configuration maps.
    UnknownImage(&'m str),
    /// The profile lacks a version that the configuration maps.
    UnknownVersion([&'m str; 2]),
}

/// How the configuration maps a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingForm {
    /// By flavors.
    Flavors,
    /// Without flavors.
    Architectures,
    /// To nothing.
    Nothing,
}

pub(super) const UNDEFINED: &str = "not defined in the NamespacedCloudProfile providerConfig";
pub(super) const UNSPECIFIED: &str = "which is not defined in the machineImages spec";

impl fmt::Display for Mismatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(image) => write!(f, "machine image {image} is {UNDEFINED}"),
            Self::Version([image, version]) => write!(f, "machine image version {image}@{version} is {UNDEFINED}"),
            Self::ExcessFlavor([image, version], flavor) => write!(
                f,
                "machine image version {image}@{version} has an excess capabilityFlavor {flavor}, {UNSPECIFIED}"
            ),
            Self::MissingFlavor([image, version], flavor, _) => {
                write!(f, "machine image version {image}@{version} has a capabilityFlavor {flavor} {UNDEFINED}")
            }
            Self::MissingRegion([image, version], flavor, region) => write!(
                f,
                "machine image version {image}@{version} is missing region \"{region}\" in capabilityFlavor {flavor} \
                 in the NamespacedCloudProfile providerConfig"
            ),
            Self::ExcessArchitecture([image, version], architecture) => write!(
                f,
                "machine image version {image}@{version} has an excess architecture \"{architecture}\", {UNSPECIFIED}"
            ),
            Self::InParent([image, version]) => {
                write!(f, "machine image version {image}@{version} is already defined in the parent CloudProfile")
            }
            Self::UnknownImage(image) => {
                write!(f, "machine image {image} is not defined in the NamespacedCloudProfile .spec.machineImages")
            }
            Self::UnknownVersion(_) => {
                f.write_str("machine image version is not defined in the NamespacedCloudProfile")
            }
        }
    }
}

impl Mismatch<'_> {
    pub(super) fn error_type(&self) -> ErrorType {
        match self {
            Self::ExcessFlavor(..) | Self::ExcessArchitecture(..) | Self::InParent(_) => ErrorType::Forbidden,
            Self::UnknownVersion(_) => ErrorType::Invalid,
            _ => ErrorType::Required,
        }
    }
}

/// The rule for a mismatch, and its detail.
pub type MismatchWords = fn(&Mismatch<'_>) -> (&'static Rule, String);
