//! The parts of Gardener's API objects that policies read. Decoding is lenient: a field that no type declares is ignored.

pub mod backup;
pub mod binding;
pub mod capabilities;
pub mod cloud_profile;
pub mod secret;
pub mod shoot;
pub mod worker;

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
    /// The API server counts the changes of the specification here.
    pub generation: i64,
}
