//! Parts of the Kubernetes API's conventions that policies need.

pub mod admission_plugins;
pub mod api_groups;
pub mod cron;
pub mod duration;
pub mod feature_gates;
pub mod image_reference;
pub mod listing;
pub mod names;
pub mod prepare;
pub mod quantity;
pub mod query;
pub mod ranges;
pub mod semver;
pub mod time;
pub mod time_zones;
pub mod version;
