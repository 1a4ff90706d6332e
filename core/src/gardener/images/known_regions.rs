//! Advice on the regions of images: a CloudProfile offers them.

use super::mapping::{MappedImage, Mapping, warn_of_regions};
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::report::{Report, Rule};

/// The regions that a CloudProfile offers.
#[derive(Debug)]
pub struct KnownRegions<'v> {
    rule: &'static Rule,
    offered: NameSet<'v>,
}

impl<'v> KnownRegions<'v> {
    /// The regions of a profile; `rule` warns of others.
    pub fn of(profile: &CloudProfile<'v>, rule: &'static Rule) -> Self {
        Self { rule, offered: profile.spec.regions.iter().map(|region| region.name).collect() }
    }

    /// Looks for a region that the profile does not offer.
    pub fn check(&self, region: &str, path: &Path<'_>, report: &mut Report<'_>) {
        if !region.is_empty() && !self.offered.contains(region) {
            report.warn(self.rule, path, format!("region {region} is not in spec.regions"));
        }
    }

    /// Looks for regions of the images at `place` that the profile does not offer.
    pub fn check_images(
        &self,
        images: &[MappedImage<'_, Mapping<'_, '_>>],
        place: &Path<'_>,
        report: &mut Report<'_>,
    ) {
        warn_of_regions(images, place, report, |image, path, report| {
            self.check(image.region, &path.key("name"), report);
        });
    }
}
