//! The images that machine types get by their capabilities alone: a CloudProfile that defines none is read as if it defined the
//! architectures that Gardener knows.
//!
//! Source: the worker helpers of Gardener's extension library, and section 5.1 of the fact sheet `aws`.

use super::capabilities::{limit_definitions, limit_flavors, limit_machine};
use super::choice::{Entries, ImageError, ImageIndex, Wanted};
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
    /// Refuses a profile that nobody can judge in time, and defines the architectures where the profile defines no capability.
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
    /// Prepares the machine types of a [normalized](MachineOffers::normalize) profile, and the images of its configuration.
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
        wanted: Wanted<'r>,
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
