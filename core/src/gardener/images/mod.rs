//! Machine images: what a provider's configuration maps them to, and which image a worker pool gets.
//!
//! Profiles list images by name and version; a provider's configuration maps each version to what its cloud knows.
//! A provider says what that is by a list of [`MappedImage`]s; a cloud that has an id for each region implements
//! [`MapsImages`]. The rules on mappings, and what differs between clouds, are one value a cloud: [`ImageRules`].

mod by_capabilities;
mod capabilities;
mod choice;
mod configuration;
mod defaults;
mod flavors;
mod judge;
mod known_regions;
mod mapping;
mod mismatch;
mod missing;
mod namespaced_profile;
mod offers;
mod parent;
mod profile;
mod regions;
mod rules;
mod status;
mod versions;

pub use by_capabilities::CapabilityOffers;
pub use capabilities::{CapabilityRules, Definitions, check_capabilities, limit_flavors, render};
pub use choice::{ImageError, RequestedImage};
pub use configuration::{ConfigurationRules, read_cloud_profile, read_namespaced_cloud_profile};
pub use defaults::{
    ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, flavors_of_architectures,
    flavors_of_regions,
};
pub use judge::{judge_namespaced_profile, judge_profile};
pub use known_regions::KnownRegions;
pub use mapping::{
    MAPPINGS, MachineImages, MappedImage, Mapping, MappingRules, MapsImages, RegionImage, check_mappings,
    each_region, map_images,
};
pub use mismatch::{MappingForm, Mismatch};
pub use missing::Missing;
pub use namespaced_profile::check_namespaced_profile;
pub use offers::{MachineOffers, OfferError, Offers, Profile};
pub use parent::{check_parent_kind, read_parent};
pub use profile::{check_profile, limit_profile};
pub use regions::{OneForm, RegionArchitecture, RegionRules, check_regions};
pub use rules::{ArchitectureRules, ImageRules, Mapped, OfferRules};
pub use status::{MappedEntries, with_architecture};
pub use versions::Versions;
