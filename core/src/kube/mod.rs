//! Parts of the Kubernetes API's conventions that policies need.

pub mod feature_gates;
pub mod query;
pub mod version;
