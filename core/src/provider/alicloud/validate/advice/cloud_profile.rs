//! Advice on CloudProfiles.

use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::images::{MappedImage, Mapping, RegionImage};
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::provider::alicloud::rules::advice as rules;
use crate::provider::alicloud::validate::image_mappings::MAPPINGS;
use crate::report::Report;

/// Looks for regions of images that the profile does not offer.
pub fn cloud_profile(
    profile: &CloudProfile<'_>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    report: &mut Report<'_>,
) {
    let offered: NameSet<'_> = profile.spec.regions.iter().map(|region| region.name).collect();
    let mut look = |base: &Path<'_>, images: &[RegionImage<'_>]| {
        let path = base.key("regions");
        for (index, RegionImage { region, .. }) in images.iter().enumerate() {
            if !region.is_empty() && !offered.contains(region) {
                let detail = format!("region {region} is not in spec.regions");
                report.warn(&rules::ADV_018, &path.index(index).key("name"), detail);
            }
        }
    };
    for (index, image) in images.iter().enumerate() {
        let path = MAPPINGS.index(index);
        let versions = path.key("versions");
        for (index, (_, mapping)) in image.versions.iter().enumerate() {
            let path = versions.index(index);
            look(&path, &mapping.regions);
            let flavors = path.key("capabilityFlavors");
            for (index, (_, regions)) in mapping.flavors.iter().enumerate() {
                look(&flavors.index(index), regions);
            }
        }
    }
}
