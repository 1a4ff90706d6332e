//! Images of Alibaba Cloud: an id in each region. Images without flavors are for amd64.

use super::api::{CloudProfileConfig, RegionIdMapping};
use crate::gardener::images::{self, MappedImage, Mapping, MapsImages, RegionImage};

/// A profile with the ids of images.
pub type Profile<'r> = images::Profile<'r, CloudProfileConfig<'r>>;

impl<'v> MapsImages<'v> for CloudProfileConfig<'v> {
    const IMAGE: &'static str = "an Image";

    fn flavor_counts(&self) -> impl Iterator<Item = usize> {
        let versions = self.machine_images.iter().flat_map(|image| &image.versions);
        versions.map(|version| version.capability_flavors.len())
    }

    fn images(&self) -> Vec<MappedImage<'v, Mapping<'_, 'v>>> {
        let image =
            |entry: &RegionIdMapping<'v>| RegionImage { region: entry.name, id: entry.id, architecture: None };
        let regions = |regions: &[RegionIdMapping<'v>]| regions.iter().map(image).collect();
        let mut images = Vec::with_capacity(self.machine_images.len());
        for mapped in &self.machine_images {
            let versions = mapped.versions.iter().map(|version| {
                let flavors = version.capability_flavors.iter();
                let flavors = flavors.map(|flavor| (&flavor.capabilities, regions(&flavor.regions))).collect();
                (version.version, Mapping { regions: regions(&version.regions), flavors })
            });
            images.push(MappedImage { name: mapped.name, versions: versions.collect() });
        }
        images
    }
}
