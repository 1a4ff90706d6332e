//! Machine images: what a provider's configuration maps them to, and which image a worker pool gets.
//!
//! Profiles list images by name and version; a provider's configuration maps each version to what its cloud knows. A provider
//! says what that is by a list of [`MappedImage`]s; a cloud that has an id for each region implements [`MapsImages`].

mod capabilities;
mod choice;
mod defaults;
mod flavors;
mod mapping;
mod namespaced_profile;
mod offers;
mod parent;
mod profile;
mod regions;
mod status;
mod versions;

pub use capabilities::{Definitions, limit_flavors};
pub use choice::{ImageError, Wanted};
pub use defaults::{ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile};
pub use mapping::{MappedImage, Mapping, MappingRules, MapsImages, RegionImage, check_mappings};
pub use namespaced_profile::{MappingForm, Mismatch, check_namespaced_profile};
pub use offers::{OfferError, Offers, Profile};
pub use parent::{check_parent_kind, read_parent};
pub use profile::{Missing, check_profile, limit_profile};
pub use regions::{RegionRules, check_regions};
pub use versions::Versions;
