//! Images of AWS: an AMI in each region, for an architecture.

use super::api::{CloudProfileConfig, RegionAmiMapping};
use crate::gardener::images::{MappedImage, Mapping, MapsImages, RegionImage, map_images};

/// An architecture that the existing extension takes for none (AWS-DEF-004).
pub const IGNORED: &str = "ignore";

impl<'v> MapsImages<'v> for CloudProfileConfig<'v> {
    const IMAGE: &'static str = "an AMI";

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

fn regions<'v>(entries: &[RegionAmiMapping<'v>]) -> Vec<RegionImage<'v>> {
    let mut images = Vec::new();
    for entry in entries {
        let architecture = entry.architecture.filter(|architecture| *architecture != IGNORED);
        images.push(RegionImage { region: entry.name, id: entry.ami, architecture });
    }
    images
}
