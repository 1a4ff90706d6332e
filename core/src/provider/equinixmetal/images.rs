//! Which image a worker pool gets.
//!
//! Source: section 5.1 of the fact sheet `equinixmetal`.

use super::api::{CloudProfileConfig, MachineImageVersion};
use crate::collections::NameMap;
use crate::text::quote;

/// Image versions of a configuration by name and version. Of several entries with the same the first counts
/// (EQX-LKP-001).
#[derive(Debug)]
pub struct ImageIndex<'c, 'v>(NameMap<'v, NameMap<'v, &'c MachineImageVersion<'v>>>);

impl<'c, 'v> ImageIndex<'c, 'v> {
    /// Indexes a configuration.
    pub fn of(config: &'c CloudProfileConfig<'v>) -> Self {
        let mut index = NameMap::new();
        for image in &config.machine_images {
            let versions: &mut NameMap<'_, _> = index.or_insert_with(image.name, NameMap::new);
            for version in &image.versions {
                versions.or_insert_with(version.version, || version);
            }
        }
        Self(index)
    }

    /// What a machine of that image boots.
    pub fn get(&self, name: &str, version: &str) -> Option<&'c MachineImageVersion<'v>> {
        self.0.get(name)?.get(version).copied()
    }

    /// All of them, with name and version.
    pub fn iter(&self) -> impl Iterator<Item = ((&'v str, &'v str), &'c MachineImageVersion<'v>)> {
        self.0
            .iter()
            .flat_map(|(name, versions)| versions.iter().map(move |(key, version)| ((name, key), *version)))
    }
}

/// Why no image can be told, as the lookup in a CloudProfile words it.
pub fn not_mapped(name: &str, version: &str) -> String {
    format!("could not find an image for name {} in version {}", quote(name), quote(version))
}
