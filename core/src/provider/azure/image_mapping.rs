//! Images of Azure: an image is in all regions. A version has an entry for each architecture, or for each flavor.

use super::api::{CloudProfileConfig, Image, MachineImageVersion};
use crate::gardener::images::{MappedImage, Mapping, RegionImage};

/// The entries of a configuration, as they are written.
pub fn entries<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, &'c MachineImageVersion<'v>>> {
    let mut images = Vec::new();
    for image in &config.machine_images {
        let versions = image.versions.iter().map(|version| (version.version, version)).collect();
        images.push(MappedImage { name: image.name, versions });
    }
    images
}

/// The images that a configuration maps, in its order. An entry that tells neither an image nor flavors maps a
/// version all the same.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    let mut images = Vec::new();
    for MappedImage { name, versions: entries } in entries(config) {
        let mut versions = Vec::new();
        for (version, entry) in entries {
            let mut flavors = Vec::new();
            for flavor in &entry.capability_flavors {
                flavors.push((&flavor.capabilities, vec![everywhere(&flavor.image(), None)]));
            }
            let regions = vec![everywhere(&entry.image(), entry.architecture)];
            versions.push((version, Mapping { regions, flavors }));
        }
        images.push(MappedImage { name, versions });
    }
    images
}

fn everywhere<'v>(image: &Image<'v>, architecture: Option<&'v str>) -> RegionImage<'v> {
    let id = image.addresses().next().map_or("", |(_, address)| address);
    RegionImage { id, architecture, ..RegionImage::default() }
}
