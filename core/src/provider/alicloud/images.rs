//! Which image a worker pool gets.
//!
//! Source: section 5.2 of the fact sheet `alicloud-policy`.

use super::api::{CloudProfileConfig, MachineImageVersion, RegionIdMapping};
use crate::gardener::capabilities::{AMD64, ARCHITECTURE, Capabilities, Definition, are_compatible, render};
use crate::names::NameMap;
use crate::report::quote;

/// Why no image can be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// No mapping for that name, version and region.
    #[error("could not find an image for name {} in version {}", quote(.name), quote(.version))]
    NotMapped {
        /// Name asked for.
        name: String,
        /// Version asked for.
        version: String,
    },
    /// No mapping whose capabilities suit the machine type.
    #[error(
        "could not find an Image for region {}, image {}, version {} that supports {capabilities}{}",
        quote(.region),
        quote(.name),
        quote(.version),
        cause.map(|cause| format!(": could not determine best flavor {cause}")).unwrap_or_default()
    )]
    NoFlavor {
        /// Name asked for.
        name: String,
        /// Version asked for.
        version: String,
        /// Region asked for.
        region: String,
        /// What the machine type asks for.
        capabilities: String,
        /// Why none of the flavors will do.
        cause: Option<&'static str>,
    },
}

/// What an image is looked for by.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Logical name.
    pub name: &'a str,
    /// Logical version.
    pub version: &'a str,
    /// Region.
    pub region: &'a str,
}

/// Image versions of a configuration by name and version; several entries may have the same.
#[derive(Debug)]
pub struct ImageIndex<'c, 'v>(NameMap<'v, NameMap<'v, Vec<&'c MachineImageVersion<'v>>>>);

impl<'c, 'v> ImageIndex<'c, 'v> {
    /// Indexes a configuration.
    pub fn of(config: &'c CloudProfileConfig<'v>) -> Self {
        let mut index = NameMap::new();
        for image in &config.machine_images {
            let versions: &mut NameMap<'_, Vec<_>> = index.or_insert_with(image.name, NameMap::new);
            for version in &image.versions {
                versions.or_insert_with(version.version, Vec::new).push(version);
            }
        }
        Self(index)
    }

    fn versions(&self, wanted: Wanted<'v>) -> &[&'c MachineImageVersion<'v>] {
        self.0.get(wanted.name).and_then(|versions| versions.get(wanted.version)).map_or(&[], Vec::as_slice)
    }

    /// The image's id where the CloudProfile defines no capabilities. The id may be empty.
    pub fn by_region(&self, wanted: Wanted<'v>) -> Result<&'v str, ImageError> {
        let mut regions = self.versions(wanted).iter().flat_map(|version| &version.regions);
        let region = regions.find(|region| region.name == wanted.region);
        region.map(|region| region.id).ok_or_else(|| ImageError::NotMapped {
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
        })
    }

    /// The image's id where the CloudProfile defines capabilities, for a machine type that asks for `machine`.
    pub fn by_capabilities(
        &self,
        wanted: Wanted<'v>,
        machine: &Capabilities<'v>,
        definitions: &[Definition<'v>],
    ) -> Result<&'v str, ImageError> {
        let error = |cause| ImageError::NoFlavor {
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
            region: wanted.region.to_owned(),
            capabilities: render(machine),
            cause,
        };
        let version = self
            .versions(wanted)
            .iter()
            .find(|version| !version.capability_flavors.is_empty() || !version.regions.is_empty())
            .ok_or_else(|| error(None))?;
        // If a region is listed twice, the last id counts.
        let id_in = |regions: &[RegionIdMapping<'v>]| {
            regions.iter().rev().find(|region| region.name == wanted.region).map(|region| region.id)
        };
        // Regions without flavors are one flavor.
        let amd64 = Capabilities::from([(ARCHITECTURE, vec![AMD64])]);
        let mut compatible: Vec<(&Capabilities<'v>, &'v str)> = if version.capability_flavors.is_empty() {
            id_in(&version.regions).map(|id| (&amd64, id)).into_iter().collect()
        } else {
            let flavors = version.capability_flavors.iter();
            flavors.filter_map(|flavor| Some((&flavor.capabilities, id_in(&flavor.regions)?))).collect()
        };
        compatible.retain(|(capabilities, _)| are_compatible(capabilities, machine, definitions));
        if compatible.is_empty() {
            return Err(error(Some("no compatible flavor found")));
        }
        for definition in definitions {
            for value in &definition.values {
                if compatible.len() == 1 {
                    break;
                }
                let holds = |(capabilities, _): &(&Capabilities<'v>, &str)| {
                    capabilities.get(definition.name).unwrap_or(&definition.values).contains(value)
                };
                if compatible.iter().any(holds) {
                    compatible.retain(holds);
                }
            }
        }
        match compatible.as_slice() {
            [(_, "")] => Err(error(None)),
            [(_, id)] => Ok(id),
            _ => Err(error(Some(
                "could not determine a unique capability flavor; this is usually attributed to an invalid CloudProfile",
            ))),
        }
    }
}
