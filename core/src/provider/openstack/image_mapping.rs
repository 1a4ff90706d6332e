//! Images of OpenStack: an id in each region, for an architecture.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{MappedImage, Mapping, RegionImage};

/// The images that a configuration maps, in its order.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    let image = |entry: &RegionIdMapping<'v>| RegionImage {
        region: entry.name,
        id: entry.id,
        architecture: entry.architecture,
    };
    let regions = |regions: &[RegionIdMapping<'v>]| regions.iter().map(image).collect();
    let mut images = Vec::with_capacity(config.machine_images.len());
    for mapped in &config.machine_images {
        let versions = mapped.versions.iter().map(|version| {
            let flavors = version.capability_flavors.iter();
            let flavors = flavors.map(|flavor| (&flavor.capabilities, regions(&flavor.regions))).collect();
            (version.version, Mapping { regions: regions(&version.regions), flavors })
        });
        images.push(MappedImage { name: mapped.name, versions: versions.collect() });
    }
    images
}
