//! Images of AWS: an AMI in each region, for an architecture.

use super::api::{CloudProfileConfig, RegionAmiMapping};
use crate::gardener::images::{MappedImage, Mapping, MapsImages, RegionImage};

/// An architecture that the existing extension takes for none (AWS-DEF-004).
pub const IGNORED: &str = "ignore";

impl<'v> MapsImages<'v> for CloudProfileConfig<'v> {
    const IMAGE: &'static str = "an AMI";

    fn flavor_counts(&self) -> impl Iterator<Item = usize> {
        let versions = self.machine_images.iter().flat_map(|image| &image.versions);
        versions.map(|version| version.capability_flavors.len())
    }

    fn images(&self) -> Vec<MappedImage<'v, Mapping<'_, 'v>>> {
        let mut images = Vec::new();
        for image in &self.machine_images {
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
}

fn regions<'v>(entries: &[RegionAmiMapping<'v>]) -> Vec<RegionImage<'v>> {
    let mut images = Vec::new();
    for entry in entries {
        let architecture = entry.architecture.filter(|architecture| *architecture != IGNORED);
        images.push(RegionImage { region: entry.name, id: entry.ami, architecture });
    }
    images
}
