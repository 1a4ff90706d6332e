//! The rules of a cloud on the images of its profiles.

use super::capabilities::Definitions;
use super::configuration::ConfigurationRules;
use super::mapping::{Mapping, MappingRules};
use super::mismatch::MismatchWords;
use super::missing::MissingWords;
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURE, Capabilities};
use crate::report::{Report, Rule};

/// The rules on images of profiles, in a cloud whose images have an id in each region, and what differs between
/// such clouds.
#[derive(Debug)]
pub struct ImageRules {
    /// How the configuration that maps the images is read.
    pub configuration: ConfigurationRules,
    /// A CloudProfile maps an image.
    pub any: &'static Rule,
    /// What every mapping has.
    pub mapping: MappingRules,
    /// Judges what a version, given with its image, is mapped to.
    pub version: VersionJudge,
    /// What a profile offers is mapped.
    pub offers: OfferRules,
    /// The parent of a NamespacedCloudProfile is a CloudProfile.
    pub parent_kind: &'static Rule,
    /// The parent of a NamespacedCloudProfile can be read.
    pub parent: &'static Rule,
}

/// Judges what a version, given with its image, is mapped to at a place. Without definitions nobody knows whether
/// the CloudProfile defines capabilities.
pub type VersionJudge = fn([&str; 2], &Mapping<'_, '_>, Option<&Definitions<'_, '_>>, &Path<'_>, &mut Report<'_>);

/// The rules on what profiles offer and on what is mapped, and what differs between clouds.
#[derive(Debug)]
pub struct OfferRules {
    /// What a CloudProfile offers is mapped.
    pub missing: MissingWords,
    /// What a NamespacedCloudProfile offers is mapped, and nothing else.
    pub mismatch: MismatchWords,
    /// How architectures are compared; none where all images are for amd64.
    pub architectures: Option<ArchitectureRules>,
    /// Whether entries that map one version add up; else the last one counts.
    pub entries_add_up: bool,
    /// Whether of several entries with one version, in an image of a NamespacedCloudProfile, the first one counts;
    /// else the last.
    pub first_version_counts: bool,
    /// Whether architectures of a version that nothing maps have to be known too.
    pub judges_unmapped: bool,
}

/// The rules on the architectures of versions, in a cloud where images have several.
#[derive(Debug)]
pub struct ArchitectureRules {
    /// A version of a CloudProfile names architectures that Gardener knows.
    pub known: &'static Rule,
    /// Whether an image is in a region; else it is in all, and each architecture of a version is reported alone.
    pub has_regions: bool,
    /// A NamespacedCloudProfile maps no architecture that the version lacks.
    pub excess: &'static Rule,
    /// A NamespacedCloudProfile maps each version in a region.
    pub unmapped: &'static Rule,
    /// A NamespacedCloudProfile maps each architecture of a version in each region of the version.
    pub incomplete: &'static Rule,
    /// Whether a version that is mapped without regions is for every architecture of a CloudProfile without
    /// capabilities.
    pub plain_has_all: bool,
    /// Whether of the architectures of a flavor only the first needs an image without flavors.
    pub first_counts: bool,
    /// What has to be mapped.
    pub mapped: Mapped,
}

/// What of a profile has to be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped {
    /// Each version of an image.
    Versions,
    /// Each image, and then its versions: an image of a CloudProfile is mapped without versions too, a
    /// NamespacedCloudProfile maps no version of an image of its parent, and a version that it does not list has
    /// no architecture too many.
    ImagesFirst,
}

impl OfferRules {
    /// The architectures of a flavor that need an image where the images have no flavors.
    pub(super) fn needed<'f, 'a>(
        &self,
        flavor: &'f Capabilities<'a>,
        definitions: &'f Definitions<'_, 'a>,
    ) -> &'f [&'a str] {
        let values = definitions.values(flavor, ARCHITECTURE);
        match &self.architectures {
            Some(rules) if rules.first_counts => values.get(..1).unwrap_or(values),
            _ => values,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::report::Operation::Both;

    static TOY: Rule = Rule::error("TOY-001", &["CloudProfile"], Both);

    /// The rules of a cloud whose images are all for amd64.
    pub(in crate::gardener::images) const OFFERS: OfferRules = OfferRules {
        missing: |missing, _| (&TOY, missing.to_string()),
        mismatch: |mismatch| (&TOY, mismatch.to_string()),
        architectures: None,
        entries_add_up: false,
        first_version_counts: false,
        judges_unmapped: true,
    };
}
