//! Parts of the Kubernetes API's conventions that policies need.

pub mod duration;
pub mod feature_gates;
pub mod names;
pub mod prepare;
pub mod quantity;
pub mod query;
pub mod semver;
pub mod time;
pub mod version;
