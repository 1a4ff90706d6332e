//! Images of OpenStack: an id in each region, for an architecture.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{MappedImage, Mapping, RegionImage};

/// The images that a configuration maps, in its order.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    let mut images = Vec::new();
    for image in &config.machine_images {
        let mut versions = Vec::new();
        for version in &image.versions {
            let mut flavors = Vec::new();
            for flavor in &version.capability_flavors {
                flavors.push((&flavor.capabilities, regions(&flavor.regions)));
            }
            versions.push((version.version, Mapping { regions: regions(&version.regions), flavors }));
        }
        images.push(MappedImage { name: image.name, versions });
    }
    images
}

fn regions<'v>(entries: &[RegionIdMapping<'v>]) -> Vec<RegionImage<'v>> {
    let mut images = Vec::new();
    for entry in entries {
        images.push(RegionImage { region: entry.name, id: entry.id, architecture: entry.architecture });
    }
    images
}
