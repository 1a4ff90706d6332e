//! Advice on the regions of images: a CloudProfile offers them.

use super::mapping::{MappedImage, Mapping, RegionImage};
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::report::{Report, Rule, Severity};

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
        for (index, image) in images.iter().enumerate() {
            let path = place.index(index);
            let versions = path.key("versions");
            for (index, (_, mapping)) in image.versions.iter().enumerate() {
                if report.is_full(Severity::Warning) {
                    return;
                }
                let path = versions.index(index);
                self.check_list(&mapping.regions, &path, report);
                let flavors = path.key("capabilityFlavors");
                for (index, (_, regions)) in mapping.flavors.iter().enumerate() {
                    self.check_list(regions, &flavors.index(index), report);
                }
            }
        }
    }

    fn check_list(&self, images: &[RegionImage<'_>], base: &Path<'_>, report: &mut Report<'_>) {
        let path = base.key("regions");
        for (index, image) in images.iter().enumerate() {
            self.check(image.region, &path.index(index).key("name"), report);
        }
    }
}
