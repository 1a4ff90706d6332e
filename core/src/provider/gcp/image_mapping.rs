//! Images of GCP: an image is in all regions. A version has an entry for each architecture, or for each flavor.

use super::api::CloudProfileConfig;
use crate::gardener::images::{MappedImage, Mapping, RegionImage};

/// The images that a configuration maps, in its order. An entry that tells neither an image nor flavors maps a
/// version all the same.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    let mut images = Vec::new();
    for image in &config.machine_images {
        let mut versions = Vec::new();
        for version in &image.versions {
            let mut flavors = Vec::new();
            for flavor in &version.capability_flavors {
                let image = RegionImage { id: flavor.image, ..RegionImage::default() };
                flavors.push((&flavor.capabilities, vec![image]));
            }
            let image =
                RegionImage { id: version.image, architecture: version.architecture, ..RegionImage::default() };
            versions.push((version.version, Mapping { regions: vec![image], flavors }));
        }
        images.push(MappedImage { name: image.name, versions });
    }
    images
}
