//! The parts of Gardener's API objects that policies read. They are decoded leniently: what is not declared
//! here is none of a policy's business.

pub mod addresses;
pub mod capabilities;
pub mod cloud_profile;
pub mod credentials;
pub mod infrastructure;
pub mod provider_config;
pub mod seed;
pub mod shoot;

use serde::Deserialize;

use crate::collections::NameMap;

/// Metadata of an object.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Metadata<'a> {
    /// Name.
    pub name: &'a str,
    /// Namespace; empty for cluster-scoped objects.
    pub namespace: &'a str,
    /// Annotations.
    #[serde(borrow)]
    pub annotations: NameMap<'a, &'a str>,
    /// Labels.
    #[serde(borrow)]
    pub labels: NameMap<'a, &'a str>,
    /// Set while the object is being deleted.
    pub deletion_timestamp: Option<&'a str>,
    /// Counts changes of the specification.
    pub generation: i64,
}
