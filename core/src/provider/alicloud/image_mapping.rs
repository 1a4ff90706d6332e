//! Images of Alibaba Cloud: an id in each region. Images without flavors are for amd64.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{self, MappedImage, Mapping, MapsImages, RegionImage, map_images};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, Capabilities};

/// A profile with the ids of images.
pub type Profile<'r> = images::Profile<'r, CloudProfileConfig<'r>>;

impl<'v> MapsImages<'v> for CloudProfileConfig<'v> {
    const IMAGE: &'static str = "an Image";

    fn flavor_counts(&self) -> impl Iterator<Item = usize> {
        let versions = self.machine_images.iter().flat_map(|image| &image.versions);
        versions.map(|version| version.capability_flavors.len())
    }

    fn images(&self) -> Vec<MappedImage<'v, Mapping<'_, 'v>>> {
        map_images(&self.machine_images, |version| {
            let flavors = version.capability_flavors.iter();
            let flavors = flavors.map(|flavor| (&flavor.capabilities, regions(&flavor.regions))).collect();
            (version.version, Mapping { regions: regions(&version.regions), flavors })
        })
    }
}

fn regions<'v>(entries: &[RegionIdMapping<'v>]) -> Vec<RegionImage<'v>> {
    let image = |entry: &RegionIdMapping<'v>| RegionImage { region: entry.name, id: entry.id, architecture: None };
    entries.iter().map(image).collect()
}

/// What an image offers: name, version, region and id. One that says nothing is for amd64.
pub fn capabilities_of<'v>(
    config: &CloudProfileConfig<'v>,
    [name, version, region, id]: [&str; 4],
) -> Capabilities<'v> {
    for image in config.machine_images.iter().filter(|image| image.name == name) {
        for entry in image.versions.iter().filter(|entry| entry.version == version) {
            for flavor in &entry.capability_flavors {
                if flavor.regions.iter().any(|entry| entry.name == region && entry.id == id) {
                    return flavor.capabilities.clone();
                }
            }
        }
    }
    Capabilities::from([(ARCHITECTURE, vec![AMD64])])
}
