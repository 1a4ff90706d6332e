//! Which image a worker pool gets.
//!
//! Source: section 5.1 of the fact sheet `equinixmetal`.

use std::collections::BTreeMap;

use super::api::{CloudProfileConfig, MachineImageVersion};
use crate::report::quote;

/// Image versions of a configuration by name and version. Of several entries with the same the first counts
/// (EQX-LKP-001).
#[derive(Debug)]
pub struct ImageIndex<'c, 'v>(BTreeMap<(&'v str, &'v str), &'c MachineImageVersion<'v>>);

impl<'c, 'v> ImageIndex<'c, 'v> {
    /// Indexes a configuration.
    pub fn of(config: &'c CloudProfileConfig<'v>) -> Self {
        let mut index = BTreeMap::new();
        for image in &config.machine_images {
            for version in &image.versions {
                index.entry((image.name, version.version)).or_insert(version);
            }
        }
        Self(index)
    }

    /// What a machine of that image boots.
    pub fn get(&self, name: &str, version: &str) -> Option<&'c MachineImageVersion<'v>> {
        self.0.get(&(name, version)).copied()
    }

    /// All of them, with name and version.
    pub fn iter(&self) -> impl Iterator<Item = ((&'v str, &'v str), &'c MachineImageVersion<'v>)> {
        self.0.iter().map(|(key, version)| (*key, *version))
    }
}

/// Why no image can be told, as the lookup in a CloudProfile words it.
pub fn not_mapped(name: &str, version: &str) -> String {
    format!("could not find an image for name {} in version {}", quote(name), quote(version))
}
