//! The images that machine types get by their capabilities alone: a CloudProfile that defines none is read as if
//! it defined the architectures that Gardener knows.
//!
//! Source: the worker helpers of Gardener's extension library, and section 5.1 of the fact sheet `aws`.

use super::capabilities::{limit_definitions, limit_flavors, limit_machine};
use super::choice::{Entries, ImageError, ImageIndex, RequestedImage};
use super::flavors::{Demand, Machine};
use super::mapping::MapsImages;
use super::offers::MachineOffers;
use crate::collections::NameMap;
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, ARCHITECTURES, Definition};
use crate::policy::RequestError;

/// What a CloudProfile offers in a region, prepared for many worker pools.
#[derive(Debug)]
pub struct CapabilityOffers<'c, 'r> {
    machines: NameMap<'r, Machine<'c, 'r>>,
    images: ImageIndex<'c, 'r>,
    /// The architecture of a machine type that names none, where the CloudProfile defines only one.
    architecture: Option<&'r str>,
}

impl MachineOffers<'_> {
    /// Refuses a profile that nobody can judge in time, and defines the architectures where the profile defines no
    /// capability.
    pub fn normalize(mut self) -> Result<Self, RequestError> {
        limit_definitions(&self.machine_capabilities)?;
        for machine in &self.machine_types {
            limit_machine(&machine.capabilities)?;
        }
        if self.machine_capabilities.is_empty() {
            self.machine_capabilities.push(Definition { name: ARCHITECTURE, values: ARCHITECTURES.to_vec() });
        }
        Ok(self)
    }
}

impl<'c, 'r> CapabilityOffers<'c, 'r> {
    /// Prepares the machine types of a [normalized](MachineOffers::normalize) profile, and the images of its
    /// configuration.
    pub fn of<C: MapsImages<'r>>(
        spec: &'c MachineOffers<'r>,
        config: &'c C,
        region: &'r str,
    ) -> Result<Self, RequestError> {
        let definitions = &spec.machine_capabilities;
        let images = config.images();
        for image in &images {
            let mut flavors: NameMap<'_, usize> = NameMap::new();
            for (version, mapping) in &image.versions {
                let known = flavors.or_insert_with(version, || 0);
                *known += mapping.flavors.len() + mapping.architectures().len();
                limit_flavors(*known)?;
            }
        }
        let mut machines = NameMap::new();
        for machine in &spec.machine_types {
            machines.insert(machine.name, Machine::of(machine.name, &machine.capabilities, definitions));
        }
        let architectures = definitions.iter().find(|definition| definition.name == ARCHITECTURE);
        let architecture = architectures.and_then(|definition| match definition.values[..] {
            [only] => Some(only),
            _ => None,
        });
        let images = ImageIndex::of(images, Entries::OfFirstImage, definitions, region, C::IMAGE);
        Ok(Self { machines, images, architecture })
    }

    /// The id of an image for a pool of that machine type and architecture.
    pub fn image_id(
        &mut self,
        wanted: RequestedImage<'r>,
        machine_type: &str,
        architecture: Option<&'r str>,
    ) -> Option<Result<&'r str, ImageError>> {
        let machine = self.machines.get(machine_type)?;
        let names_one = machine.capabilities.contains(ARCHITECTURE);
        let architecture = (!names_one).then(|| self.architecture.or(architecture).unwrap_or(AMD64));
        Some(self.images.by_capabilities(wanted, Demand { machine, architecture }))
    }

    /// Whether the profile has a machine type.
    pub fn has_machine_type(&self, name: &str) -> bool {
        self.machines.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::decode::{DecodeError, Node, Target};
    use crate::gardener::images::{MappedImage, Mapping, RegionImage};
    use crate::gardener::provider_config::Config;
    use crate::gardener::types::cloud_profile::MachineType;

    /// An image with its versions: each has regions, ids and architectures.
    type Image = (&'static str, Vec<(&'static str, Vec<[&'static str; 3]>)>);
    type Images = Vec<Image>;

    #[derive(Default)]
    struct Toy(Images);

    impl<'v> Target<'v> for Toy {
        fn decode(&mut self, _: &Node<'_, 'v>) -> Result<(), DecodeError> {
            Ok(())
        }
    }

    impl Config<'_> for Toy {
        const API_VERSION: &'static str = "toy/v1";
        const KINDS: &'static [&'static str] = &["Toy"];
        const KIND: &'static str = "Toy";
    }

    impl<'v> MapsImages<'v> for Toy {
        const IMAGE: &'static str = "a toy";

        fn flavor_counts(&self) -> impl Iterator<Item = usize> {
            std::iter::empty()
        }

        fn images(&self) -> Vec<MappedImage<'v, Mapping<'_, 'v>>> {
            let mapping = |entries: &Vec<[&'static str; 3]>| Mapping {
                regions: entries
                    .iter()
                    .map(|[region, id, architecture]| RegionImage { region, id, architecture: Some(architecture) })
                    .collect(),
                flavors: Vec::new(),
            };
            let image = |(name, versions): &Image| {
                let versions = versions.iter().map(|(version, entries)| (*version, mapping(entries))).collect();
                MappedImage { name, versions }
            };
            self.0.iter().map(image).collect()
        }
    }

    fn chosen(images: Images, architecture: Option<&'static str>) -> Result<&'static str, String> {
        let machine_types = vec![MachineType { name: "m", ..MachineType::default() }];
        let spec = MachineOffers { machine_types, ..MachineOffers::default() }.normalize().unwrap();
        let toy = Toy(images);
        let mut offers = CapabilityOffers::of(&spec, &toy, "r").unwrap();
        assert!(offers.image_id(RequestedImage { name: "i", version: "1" }, "unknown", None).is_none());
        let found = offers.image_id(RequestedImage { name: "i", version: "1" }, "m", architecture).unwrap();
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn the_architecture_of_the_pool_chooses_where_the_machine_type_names_none() {
        let images = || vec![("i", vec![("1", vec![["r", "a", "amd64"], ["r", "b", "arm64"]])])];
        assert_eq!(chosen(images(), Some("arm64")), Ok("b"));
        assert_eq!(chosen(images(), None), Ok("a"));
        let error = chosen(images(), Some("riscv64")).unwrap_err();
        assert!(
            error.ends_with(
                "supports map[architecture:[riscv64]]: could not determine best flavor no compatible flavor found"
            ),
            "{error}"
        );
    }

    #[test]
    fn the_first_image_with_the_version_in_the_region_counts_with_all_its_entries() {
        let elsewhere = ("i", vec![("1", vec![["q", "a", "amd64"]])]);
        let here = ("i", vec![("1", vec![["r", "b", "amd64"]]), ("1", vec![["r", "c", "arm64"]])]);
        let later = ("i", vec![("1", vec![["r", "d", "amd64"]])]);
        let images = || vec![elsewhere.clone(), here.clone(), later.clone()];
        assert_eq!(chosen(images(), Some("amd64")), Ok("b"));
        assert_eq!(chosen(images(), Some("arm64")), Ok("c"));
        let error = chosen(vec![elsewhere], None).unwrap_err();
        assert_eq!(
            error,
            r#"could not find a toy for region "r", image "i", version "1" that supports map[architecture:[amd64]]"#
        );
    }
}
