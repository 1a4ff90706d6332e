//! Images of Alibaba Cloud: an id in each region. Images without flavors are for amd64.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{self, MappedImage, Mapping, MapsImages, RegionImage};
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
        let mut images = Vec::with_capacity(self.machine_images.len());
        for mapped in &self.machine_images {
            let mut versions = Vec::with_capacity(mapped.versions.len());
            for version in &mapped.versions {
                let mut flavors = Vec::with_capacity(version.capability_flavors.len());
                for flavor in &version.capability_flavors {
                    flavors.push((&flavor.capabilities, regions(&flavor.regions)));
                }
                versions.push((version.version, Mapping { regions: regions(&version.regions), flavors }));
            }
            images.push(MappedImage { name: mapped.name, versions });
        }
        images
    }
}

fn regions<'v>(entries: &[RegionIdMapping<'v>]) -> Vec<RegionImage<'v>> {
    let image = |entry: &RegionIdMapping<'v>| RegionImage { region: entry.name, id: entry.id, architecture: None };
    entries.iter().map(image).collect()
}

/// What an image offers: name, version, region and id. One that tells nothing is for amd64.
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
