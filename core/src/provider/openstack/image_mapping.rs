//! Images of OpenStack: an id in each region, for an architecture.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{MappedImage, Mapping, RegionImage, map_images};

/// The images that a configuration maps, in its order.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    map_images(&config.machine_images, |version| {
        let flavors = version.capability_flavors.iter();
        let flavors = flavors.map(|flavor| (&flavor.capabilities, regions(&flavor.regions))).collect();
        (version.version, Mapping { regions: regions(&version.regions), flavors })
    })
}

fn regions<'v>(entries: &[RegionIdMapping<'v>]) -> Vec<RegionImage<'v>> {
    let mut images = Vec::new();
    for entry in entries {
        images.push(RegionImage { region: entry.name, id: entry.id, architecture: entry.architecture });
    }
    images
}
