//! What a machine of an image boots.
//!
//! Source: section 5.1 of the fact sheet `equinixmetal`.

use super::api::{CloudProfileConfig, MachineImageVersion};
use crate::document::Path;
use crate::gardener::images::{MappedImage, Versions};
use crate::text::quote;

/// The place of image mappings, printed relative to the configuration.
pub const MAPPINGS: Path<'_> = Path::root("machineImages", "/spec/providerConfig/machineImages");

/// What the machines of a configuration's images boot.
pub type BootIndex<'c, 'v> = Versions<'v, &'c MachineImageVersion<'v>>;

/// The images of a configuration, each version with what its machines boot.
pub fn images<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> Vec<MappedImage<'v, &'c MachineImageVersion<'v>>> {
    let versions =
        |versions: &'c [MachineImageVersion<'v>]| versions.iter().map(|version| (version.version, version));
    let images = config.machine_images.iter();
    images.map(|image| MappedImage { name: image.name, versions: versions(&image.versions).collect() }).collect()
}

/// Indexes a configuration. Of several entries with the same name and version the first counts (EQX-LKP-001).
pub fn index<'c, 'v>(config: &'c CloudProfileConfig<'v>) -> BootIndex<'c, 'v> {
    Versions::first(images(config).into_iter().map(|image| (image.name, image.versions)))
}

/// The finding for an image version that a configuration does not map, as the lookup in a CloudProfile words it.
pub fn not_mapped(name: &str, version: &str) -> String {
    format!("could not find an image for name {} in version {}", quote(name), quote(version))
}
