//! Images of Azure: an image is in all regions. A version has an entry for each architecture, or for each flavor.

use super::api::{CloudProfileConfig, Image, MachineImageVersion};
use crate::gardener::images::{MappedImage, Mapping, RegionImage, map_images};

/// The entries of a configuration, as they are written.
pub fn entries<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, &'c MachineImageVersion<'v>>> {
    map_images(&config.machine_images, |version| (version.version, version))
}

/// The images that a configuration maps, in its order. An entry that has neither an image nor flavors maps a
/// version all the same.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    map_images(&config.machine_images, |version| {
        let flavors = version.capability_flavors.iter();
        let flavors = flavors.map(|flavor| (&flavor.capabilities, vec![everywhere(&flavor.image(), None)]));
        let regions = vec![everywhere(&version.image(), version.architecture)];
        (version.version, Mapping { regions, flavors: flavors.collect() })
    })
}

fn everywhere<'v>(image: &Image<'v>, architecture: Option<&'v str>) -> RegionImage<'v> {
    let id = image.addresses().next().map_or("", |(_, address)| address);
    RegionImage { id, architecture, ..RegionImage::default() }
}
