//! What `default` fills in where a person wrote nothing.

mod profiles;
mod shoot;

pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;
