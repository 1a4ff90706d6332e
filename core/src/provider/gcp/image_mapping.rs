//! Images of GCP: an image is in all regions. A version has an entry for each architecture, or for each flavor.

use super::api::CloudProfileConfig;
use crate::gardener::images::{MappedImage, Mapping, RegionImage, map_images};

/// The images that a configuration maps, in its order. An entry that has neither an image nor flavors maps a
/// version all the same.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    map_images(&config.machine_images, |version| {
        let everywhere = |id, architecture| vec![RegionImage { id, architecture, ..RegionImage::default() }];
        let flavors = version.capability_flavors.iter();
        let flavors = flavors.map(|flavor| (&flavor.capabilities, everywhere(flavor.image, None))).collect();
        (version.version, Mapping { regions: everywhere(version.image, version.architecture), flavors })
    })
}
