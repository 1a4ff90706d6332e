//! Which image a worker pool gets.
//!
//! Source: section 5.2 of the fact sheet `alicloud-policy`.

use super::api::{CloudProfileConfig, MachineImageVersion, RegionIdMapping};
use crate::collections::{NameMap, NameSet};
use crate::gardener::capabilities::{AMD64, ARCHITECTURE, Capabilities, Definition, render};
use crate::text::quote;

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
}

/// A machine type, of which no two have the same name, prepared once for all images.
#[derive(Debug)]
pub struct Machine<'c, 'v> {
    name: &'v str,
    capabilities: &'c Capabilities<'v>,
    /// By definition, whether the machine names any of its values.
    meets: Vec<bool>,
}

impl<'c, 'v> Machine<'c, 'v> {
    /// A machine type that asks for `capabilities`.
    pub fn of(name: &'v str, capabilities: &'c Capabilities<'v>, definitions: &[Definition<'v>]) -> Self {
        let meets = |definition: &Definition<'v>| {
            capabilities.get(definition.name).is_some_and(|own| {
                let own: NameSet<'_> = own.iter().copied().collect();
                definition.values.iter().any(|value| own.contains(value))
            })
        };
        Self { name, capabilities, meets: definitions.iter().map(meets).collect() }
    }
}

/// Images of a configuration in one region. What is found once is kept: many worker pools ask for the same.
#[derive(Debug)]
pub struct ImageIndex<'c, 'v> {
    region: &'v str,
    definitions: &'c [Definition<'v>],
    /// Places in `images` by name and version.
    places: NameMap<'v, NameMap<'v, usize>>,
    images: Vec<Image<'c, 'v>>,
}

/// An image version, of which a configuration may have several entries.
#[derive(Debug, Default)]
struct Image<'c, 'v> {
    /// The first id, where the CloudProfile defines no capabilities.
    id: Option<&'v str>,
    /// The first entry with ids, which alone counts where the CloudProfile defines capabilities.
    mapped: Option<&'c MachineImageVersion<'v>>,
    flavors: Option<Flavors<'v>>,
    /// Ids by machine type.
    known: NameMap<'v, &'v str>,
}

impl<'c, 'v> ImageIndex<'c, 'v> {
    /// Indexes a configuration.
    pub fn of(config: &'c CloudProfileConfig<'v>, definitions: &'c [Definition<'v>], region: &'v str) -> Self {
        let (mut places, mut images) = (NameMap::new(), Vec::new());
        for image in &config.machine_images {
            let versions: &mut NameMap<'_, _> = places.or_insert_with(image.name, NameMap::new);
            for version in &image.versions {
                let place = *versions.or_insert_with(version.version, || {
                    images.push(Image::default());
                    images.len() - 1
                });
                let Some(image) = images.get_mut(place) else { continue };
                let mut regions = version.regions.iter();
                image.id = image.id.or_else(|| regions.find(|entry| entry.name == region).map(|entry| entry.id));
                let mapped = !version.capability_flavors.is_empty() || !version.regions.is_empty();
                image.mapped = image.mapped.or(mapped.then_some(version));
            }
        }
        Self { region, definitions, places, images }
    }

    fn place(&self, wanted: Wanted<'v>) -> Option<usize> {
        self.places.get(wanted.name)?.get(wanted.version).copied()
    }

    /// The image's id where the CloudProfile defines no capabilities. The id may be empty.
    pub fn by_region(&self, wanted: Wanted<'v>) -> Result<&'v str, ImageError> {
        let image = self.place(wanted).and_then(|place| self.images.get(place));
        image.and_then(|image| image.id).ok_or_else(|| ImageError::NotMapped {
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
        })
    }

    /// The image's id where the CloudProfile defines capabilities, for a machine type.
    pub fn by_capabilities(
        &mut self,
        wanted: Wanted<'v>,
        machine: &Machine<'_, 'v>,
    ) -> Result<&'v str, ImageError> {
        let error = |cause| ImageError::NoFlavor {
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
            region: self.region.to_owned(),
            capabilities: render(machine.capabilities),
            cause,
        };
        let image = self.place(wanted).and_then(|place| self.images.get_mut(place));
        let Some((image, version)) = image.and_then(|image| image.mapped.map(|version| (image, version))) else {
            return Err(error(None));
        };
        if let Some(id) = image.known.get(machine.name) {
            return Ok(id);
        }
        let flavors = image.flavors.get_or_insert_with(|| Flavors::of(version, self.definitions, self.region));
        let compatible = flavors.compatible(machine, self.definitions);
        if compatible == 0 {
            return Err(error(Some("no compatible flavor found")));
        }
        match flavors.best(compatible) {
            Some("") => Err(error(None)),
            Some(id) => {
                image.known.insert(machine.name, id);
                Ok(id)
            }
            None => Err(error(Some(
                "could not determine a unique capability flavor; this is usually attributed to an invalid CloudProfile",
            ))),
        }
    }
}

/// Some flavors of an image version, a bit each: [`MAX_FLAVORS`] of them.
///
/// [`MAX_FLAVORS`]: crate::gardener::capabilities::MAX_FLAVORS
type Set = u128;

/// The flavors of an image version that have an id in the region.
#[derive(Debug)]
struct Flavors<'v> {
    ids: Vec<&'v str>,
    /// What they offer of each definition.
    offers: Vec<Offer<'v>>,
    /// Flavors with the same values, those that are preferred first: of two flavors, that with the first value
    /// which only one of them has.
    ranks: Vec<Set>,
}

/// Which flavors offer values of a capability.
#[derive(Debug, Default)]
struct Offer<'v> {
    /// Flavors that name the capability, by their values.
    named: NameMap<'v, Set>,
    /// Flavors that do not, and so have all defined values.
    open: Set,
    /// Flavors with any of the defined values.
    any: Set,
}

impl Offer<'_> {
    fn named(&self, value: &str) -> Set {
        self.named.get(value).copied().unwrap_or_default()
    }
}

impl<'v> Flavors<'v> {
    fn of(version: &MachineImageVersion<'v>, definitions: &[Definition<'v>], region: &str) -> Self {
        // If a region is listed twice, the last id counts.
        let id_in = |regions: &[RegionIdMapping<'v>]| {
            regions.iter().rev().find(|entry| entry.name == region).map(|entry| entry.id)
        };
        // Regions without flavors are one flavor.
        let amd64 = Capabilities::from([(ARCHITECTURE, vec![AMD64])]);
        let flavors: Vec<(&Capabilities<'v>, &'v str)> = if version.capability_flavors.is_empty() {
            id_in(&version.regions).map(|id| (&amd64, id)).into_iter().collect()
        } else {
            let flavors = version.capability_flavors.iter();
            flavors.filter_map(|flavor| Some((&flavor.capabilities, id_in(&flavor.regions)?))).collect()
        };
        let mut ranks = vec![Set::MAX];
        let offers = definitions.iter().map(|definition| {
            let mut offer = Offer::default();
            let mut bit: Set = 1;
            for (capabilities, _) in &flavors {
                match capabilities.get(definition.name) {
                    None => offer.open |= bit,
                    Some(values) => {
                        for value in values {
                            *offer.named.or_insert_with(value, Set::default) |= bit;
                        }
                    }
                }
                bit <<= 1;
            }
            let mut before = Set::default();
            for value in &definition.values {
                let holders = offer.open | offer.named(value);
                if holders != before {
                    let split = |rank: &Set| [rank & holders, rank & !holders];
                    ranks = ranks.iter().flat_map(split).filter(|rank| *rank != 0).collect();
                }
                before = holders;
                offer.any |= holders;
            }
            offer
        });
        Self { offers: offers.collect(), ids: flavors.iter().map(|(_, id)| *id).collect(), ranks }
    }

    /// The flavors that share a value of every definition with a machine type.
    fn compatible(&self, machine: &Machine<'_, '_>, definitions: &[Definition<'_>]) -> Set {
        let mut left: Set = (0..self.ids.len()).fold(0, |all, _| all << 1 | 1);
        for (offer, (definition, meets)) in self.offers.iter().zip(definitions.iter().zip(&machine.meets)) {
            left &= machine.capabilities.get(definition.name).map_or(offer.any, |values| {
                let open = if *meets { offer.open } else { Set::default() };
                values.iter().fold(open, |all, value| all | offer.named(value))
            });
        }
        left
    }

    /// The id of the one flavor that is preferred among some.
    fn best(&self, among: Set) -> Option<&'v str> {
        let best = self.ranks.iter().map(|rank| rank & among).find(|rank| *rank != 0)?;
        if best.is_power_of_two() { self.ids.get(best.trailing_zeros() as usize).copied() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::alicloud::api::{MachineImageFlavor, MachineImages};

    type Values = (&'static str, Vec<&'static str>);

    /// The id of the flavor that a machine type gets; the ids of flavors are their positions.
    fn chosen(machine: &[Values], flavors: &[&[Values]]) -> Option<&'static str> {
        let definitions = [
            Definition { name: "architecture", values: vec!["amd64", "arm64"] },
            Definition { name: "disk", values: vec!["nvme", "scsi"] },
        ];
        let flavor = |(id, values): (_, &&[Values])| MachineImageFlavor {
            regions: vec![RegionIdMapping { name: "r", id }],
            capabilities: values.iter().cloned().collect(),
        };
        let capability_flavors = ["0", "1", "2"].into_iter().zip(flavors).map(flavor).collect();
        let version = MachineImageVersion { version: "1", capability_flavors, ..MachineImageVersion::default() };
        let config = CloudProfileConfig {
            machine_images: vec![MachineImages { name: "i", versions: vec![version] }],
            ..CloudProfileConfig::default()
        };
        let machine = machine.iter().cloned().collect();
        let machine = Machine::of("m", &machine, &definitions);
        let mut index = ImageIndex::of(&config, &definitions, "r");
        index.by_capabilities(Wanted { name: "i", version: "1" }, &machine).ok()
    }

    #[test]
    fn a_flavor_shares_a_value_of_every_definition_with_the_machine_type() {
        let (amd64, arm64) = (("architecture", vec!["amd64"]), ("architecture", vec!["arm64"]));
        let flavors: [&[Values]; 2] = [std::slice::from_ref(&amd64), &[arm64.clone(), ("disk", vec!["tape"])]];
        assert_eq!(chosen(std::slice::from_ref(&amd64), &flavors), Some("0"));
        assert_eq!(chosen(std::slice::from_ref(&arm64), &flavors), None);
        assert_eq!(chosen(&[("disk", vec!["tape"])], &flavors), Some("1"));
        assert_eq!(chosen(&[("disk", vec!["other"])], &flavors), None);
    }

    #[test]
    fn of_several_flavors_that_with_the_first_value_is_chosen_if_it_is_the_only_one() {
        let flavors: [&[Values]; 3] =
            [&[("disk", vec!["scsi"])], &[("disk", vec!["nvme"])], &[("disk", vec!["scsi", "nvme"])]];
        assert_eq!(chosen(&[], &flavors), Some("2"));
        assert_eq!(chosen(&[], &flavors[..2]), Some("1"));
        assert_eq!(chosen(&[], &[flavors[0], flavors[0]]), None);
        assert_eq!(chosen(&[], &[&[], flavors[0]]), Some("0"));
    }
}
