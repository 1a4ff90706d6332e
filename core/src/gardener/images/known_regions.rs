//! Advice on the regions of images: a CloudProfile offers them.

use super::mapping::{MappedImage, Mapping, each_region};
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::gathered::Gathered;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::report::{Report, Rule};

/// The regions that a CloudProfile offers, and those that it names elsewhere.
#[derive(Debug)]
pub struct KnownRegions<'v> {
    offered: NameSet<'v>,
    others: Gathered<'v>,
}

impl<'v> KnownRegions<'v> {
    /// The regions of a profile; `rule` warns of others.
    pub fn of(profile: &CloudProfile<'v>, rule: &'static Rule) -> Self {
        let others = Gathered::new(rule, |names, is_one| {
            if is_one {
                format!("region {names} is not in spec.regions")
            } else {
                format!("regions {names} are not in spec.regions")
            }
        });
        Self { offered: profile.spec.regions.iter().map(|region| region.name).collect(), others }
    }

    /// Looks whether the profile offers a region.
    pub fn check(&mut self, region: &'v str, path: &Path<'_>) {
        if !region.is_empty() && !self.offered.contains(region) {
            self.others.add(region, path);
        }
    }

    /// Looks whether the profile offers the regions of the images at `place`.
    pub fn check_images(&mut self, images: &[MappedImage<'v, Mapping<'_, 'v>>], place: &Path<'_>) {
        each_region(images, place, |image, path| self.check(image.region, &path.key("name")));
    }

    /// Warns of the regions that the profile does not offer.
    pub fn report(self, report: &mut Report<'_>) {
        self.others.report(report);
    }
}
