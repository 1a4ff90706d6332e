//! What a CloudProfile offers: machine types, and images with their ids.

use super::capabilities::{limit_definitions, limit_flavors, limit_machine};
use super::choice::{Entries, ImageError, ImageIndex, RequestedImage};
use super::flavors::{Demand, Machine};
use super::mapping::MapsImages;
use crate::collections::NameMap;
use crate::document::Value;
use crate::document::decode::{DecodeError, Mode, Typed, decode};
use crate::gardener::types::Metadata;
use crate::gardener::types::capabilities::Definition;
use crate::gardener::types::cloud_profile::{MachineType, offering};
use crate::policy::RequestError;
use crate::record;
use crate::report::Rule;
use crate::text::quote;

record! {
    /// What of a profile decides which image a machine type gets. The other parts are not read: they are large.
    #[derive(Debug, Default)]
    pub struct MachineOffers<'a> {
        /// Capabilities that images and machine types may have.
        pub machine_capabilities: Vec<Definition<'a>>,
        /// Machine types.
        pub machine_types: Vec<MachineType<'a>>,
    }
}

/// A CloudProfile, or a NamespacedCloudProfile with what its parent adds, and its configuration `C`.
#[derive(Debug)]
pub struct Profile<'r, C> {
    /// What the profile offers.
    pub spec: MachineOffers<'r>,
    /// Name.
    pub name: &'r str,
    /// The provider's part.
    pub config: C,
}

/// A profile lacks a machine type.
#[derive(Debug, thiserror::Error)]
#[error("machine type {} not found in cloud profile {}", quote(.machine_type), quote(.profile))]
pub struct UnknownMachineType {
    /// Machine type asked for.
    pub machine_type: String,
    /// Name of the profile.
    pub profile: String,
}

/// Why a profile has no image for a worker pool.
#[derive(Debug, thiserror::Error)]
pub enum OfferError {
    /// The profile lacks the machine type.
    #[error(transparent)]
    MachineType(#[from] UnknownMachineType),
    /// The profile lacks the image.
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl<'r, C: MapsImages<'r>> Profile<'r, C> {
    /// Reads a profile; none where it has no configuration.
    ///
    /// `rule` is the rule that needs the profile.
    pub fn read(profile: &'r Value<'r>, rule: &'static Rule) -> Result<Option<Self>, RequestError> {
        let offering = offering(profile).and_then(|spec| Some((spec, spec.get("providerConfig")?)));
        let Some((spec, config)) = offering else { return Ok(None) };
        let in_profile = |error: DecodeError| RequestError::Malformed {
            message: format!("context.cloudProfile: {error}"),
            pointer: None,
        };
        let spec: MachineOffers<'r> = decode(spec, Mode::Lenient).map_err(in_profile)?;
        limit_definitions(&spec.machine_capabilities)?;
        for machine in &spec.machine_types {
            limit_machine(&machine.capabilities)?;
        }
        let metadata: Metadata<'r> = match profile.get("metadata") {
            Some(metadata) => decode(metadata, Mode::Lenient).map_err(in_profile)?,
            None => Metadata::default(),
        };
        let config = C::read_typed(config, Mode::Strict, Typed::ByVersion).map_err(|error| {
            let of = format!("{}/{}", metadata.namespace, metadata.name);
            let message = format!("could not decode providerConfig of cloudProfile for '{of}': {error}");
            RequestError::denied(rule, message, "/spec/cloudProfileName")
        })?;
        config.flavor_counts().try_for_each(limit_flavors)?;
        Ok(Some(Self { spec, name: metadata.name, config }))
    }

    /// Prepares the profile for many worker pools in a region.
    pub fn offers(&self, region: &'r str) -> Offers<'_, 'r> {
        let definitions = &self.spec.machine_capabilities;
        let mut machines = NameMap::new();
        for machine in &self.spec.machine_types {
            machines
                .or_insert_with(machine.name, || Machine::of(machine.name, &machine.capabilities, definitions));
        }
        Offers {
            name: self.name,
            has_capabilities: !definitions.is_empty(),
            machines,
            images: ImageIndex::of(self.config.images(), Entries::First, definitions, region, C::IMAGE),
        }
    }
}

/// What a profile offers in a region, prepared for many worker pools.
#[derive(Debug)]
pub struct Offers<'c, 'r> {
    name: &'c str,
    has_capabilities: bool,
    machines: NameMap<'r, Machine<'c, 'r>>,
    images: ImageIndex<'c, 'r>,
}

impl<'r> Offers<'_, 'r> {
    /// The id of an image for a machine type, which may be empty where the profile defines no capabilities.
    pub fn image_id(&mut self, wanted: RequestedImage<'r>, machine_type: &str) -> Result<&'r str, OfferError> {
        if !self.has_capabilities {
            return Ok(self.images.by_region(wanted)?);
        }
        let machine = self.machines.get(machine_type).ok_or_else(|| UnknownMachineType {
            machine_type: machine_type.to_owned(),
            profile: self.name.to_owned(),
        })?;
        Ok(self.images.by_capabilities(wanted, Demand { machine, architecture: None })?)
    }
}
