//! The image that a worker pool gets in a region, of those that a configuration maps.

use super::flavors::{Demand, Flavors};
use super::mapping::{MappedImage, Mapping};
use crate::collections::NameMap;
use crate::gardener::types::capabilities::Definition;
use crate::text::quote;

/// Why a worker pool gets no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The configuration has no mapping for that name, version and region.
    #[error("could not find an image for name {} in version {}", quote(.name), quote(.version))]
    NotMapped {
        /// Name asked for.
        name: String,
        /// Version asked for.
        version: String,
    },
    /// The configuration has no mapping whose capabilities suit the machine type.
    #[error(
        "could not find {what} for region {}, image {}, version {} that supports {capabilities}{}",
        quote(.region),
        quote(.name),
        quote(.version),
        cause.map(|cause| format!(": could not determine best flavor {cause}")).unwrap_or_default()
    )]
    NoFlavor {
        /// What the cloud calls an image, with an article.
        what: &'static str,
        /// Name asked for.
        name: String,
        /// Version asked for.
        version: String,
        /// Region asked for.
        region: String,
        /// What the machine type demands.
        capabilities: String,
        /// Why no flavor was chosen.
        cause: Option<&'static str>,
    },
}

/// The image that a worker pool wants.
#[derive(Clone, Copy, Debug)]
pub struct RequestedImage<'a> {
    /// Logical name.
    pub name: &'a str,
    /// Logical version.
    pub version: &'a str,
}

/// Which entries of an image version count, where a CloudProfile has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entries {
    /// The first one with ids.
    First,
    /// All those of the first image that has the version in the region.
    OfFirstImage,
}

/// Images of a configuration in one region. The index keeps what it found once: many worker pools ask for the
/// same.
#[derive(Debug)]
pub(super) struct ImageIndex<'c, 'v> {
    what: &'static str,
    entries: Entries,
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
    /// The entries with ids that may count where the CloudProfile defines capabilities, each with the position of
    /// its image.
    mappings: Vec<(usize, Mapping<'c, 'v>)>,
    flavors: Option<Flavors<'v>>,
    /// Ids by machine type, and by the architecture where the machine type names none.
    known: NameMap<'v, NameMap<'v, &'v str>>,
}

impl<'c, 'v> ImageIndex<'c, 'v> {
    /// Indexes images; `what` is what the cloud calls one, with an article.
    pub(super) fn of(
        images: Vec<MappedImage<'v, Mapping<'c, 'v>>>,
        entries: Entries,
        definitions: &'c [Definition<'v>],
        region: &'v str,
        what: &'static str,
    ) -> Self {
        let (mut places, mut found) = (NameMap::new(), Vec::new());
        for (position, image) in images.into_iter().enumerate() {
            let versions: &mut NameMap<'_, _> = places.or_insert_with(image.name, NameMap::new);
            for (version, mapping) in image.versions {
                let place = *versions.or_insert_with(version, || {
                    found.push(Image::default());
                    found.len() - 1
                });
                let Some(image) = found.get_mut(place) else { continue };
                let mut regions = mapping.regions.iter();
                image.id = image.id.or_else(|| regions.find(|entry| entry.region == region).map(|entry| entry.id));
                if !mapping.is_empty() && (image.mappings.is_empty() || entries == Entries::OfFirstImage) {
                    image.mappings.push((position, mapping));
                }
            }
        }
        Self { what, entries, region, definitions, places, images: found }
    }

    fn place(&self, wanted: RequestedImage<'v>) -> Option<usize> {
        self.places.get(wanted.name)?.get(wanted.version).copied()
    }

    /// The id of an image where the CloudProfile defines no capabilities. The id may be empty.
    pub(super) fn by_region(&self, wanted: RequestedImage<'v>) -> Result<&'v str, ImageError> {
        let image = self.place(wanted).and_then(|place| self.images.get(place));
        image.and_then(|image| image.id).ok_or_else(|| ImageError::NotMapped {
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
        })
    }

    /// The id of an image for a machine type, where the CloudProfile defines capabilities.
    pub(super) fn by_capabilities(
        &mut self,
        wanted: RequestedImage<'v>,
        demand: Demand<'_, '_, 'v>,
    ) -> Result<&'v str, ImageError> {
        let error = |cause| ImageError::NoFlavor {
            what: self.what,
            name: wanted.name.to_owned(),
            version: wanted.version.to_owned(),
            region: self.region.to_owned(),
            capabilities: demand.render(),
            cause,
        };
        let image = self.place(wanted).and_then(|place| self.images.get_mut(place));
        let Some(Image { mappings, flavors, known, .. }) = image.filter(|image| !image.mappings.is_empty()) else {
            return Err(error(None));
        };
        let key = demand.key(self.definitions);
        if let Some(id) = known.get(demand.machine.name).and_then(|known| known.get(key)) {
            return Ok(id);
        }
        let flavors = flavors.get_or_insert_with(|| Flavors::of(mappings, self.definitions, self.region));
        let compatible = flavors.compatible(&demand, self.definitions);
        if compatible == 0 {
            let has_flavors = !flavors.is_empty() || self.entries == Entries::First;
            return Err(error(has_flavors.then_some("no compatible flavor found")));
        }
        match flavors.best(compatible) {
            Some("") if self.entries == Entries::First => Err(error(None)),
            Some(id) => {
                known.or_insert_with(demand.machine.name, NameMap::new).insert(key, id);
                Ok(id)
            }
            None => Err(error(Some(
                "could not determine a unique capability flavor; this is usually attributed to an invalid CloudProfile",
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gardener::images::RegionImage;
    use crate::gardener::images::flavors::Machine;
    use crate::gardener::types::capabilities::Capabilities;

    type Values = (&'static str, Vec<&'static str>);

    /// The id of the flavor that a machine type gets; the ids of flavors are their positions.
    fn chosen(machine: &[Values], flavors: &[&[Values]]) -> Option<&'static str> {
        let definitions = [
            Definition { name: "architecture", values: vec!["amd64", "arm64"] },
            Definition { name: "disk", values: vec!["nvme", "scsi"] },
        ];
        let flavors: Vec<Capabilities<'_>> =
            flavors.iter().map(|values| values.iter().cloned().collect()).collect();
        let flavors = ["0", "1", "2"].into_iter().zip(&flavors).map(|(id, capabilities)| {
            (capabilities, vec![RegionImage { region: "r", id, ..RegionImage::default() }])
        });
        let mapping = Mapping { flavors: flavors.collect(), ..Mapping::default() };
        let images = vec![MappedImage { name: "i", versions: vec![("1", mapping)] }];
        let machine = machine.iter().cloned().collect();
        let machine = Machine::of("m", &machine, &definitions);
        let mut index = ImageIndex::of(images, Entries::First, &definitions, "r", "an image");
        let demand = Demand { machine: &machine, architecture: None };
        index.by_capabilities(RequestedImage { name: "i", version: "1" }, demand).ok()
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

    #[test]
    fn images_without_flavors_are_a_flavor_for_each_architecture_and_the_last_entry_counts() {
        let definitions = [Definition { name: "architecture", values: vec!["amd64", "arm64"] }];
        let entries = [("0", "amd64", "r"), ("1", "arm64", "r"), ("2", "amd64", "r"), ("3", "amd64", "other")];
        let regions =
            entries.map(|(id, architecture, region)| RegionImage { region, id, architecture: Some(architecture) });
        let mapping = Mapping { regions: regions.into(), ..Mapping::default() };
        let mut index = ImageIndex::of(
            vec![MappedImage { name: "i", versions: vec![("1", mapping)] }],
            Entries::First,
            &definitions,
            "r",
            "an image",
        );
        for (architecture, id) in [("amd64", "2"), ("arm64", "1")] {
            let capabilities = Capabilities::from([("architecture", vec![architecture])]);
            let machine = Machine::of(architecture, &capabilities, &definitions);
            let demand = Demand { machine: &machine, architecture: None };
            assert_eq!(index.by_capabilities(RequestedImage { name: "i", version: "1" }, demand), Ok(id));
        }
    }
}
