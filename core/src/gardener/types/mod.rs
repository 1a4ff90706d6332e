//! The parts of Gardener's API objects that policies read. Decoding is lenient: a field that no type declares is
//! ignored.

pub mod backup;
pub mod binding;
pub mod capabilities;
pub mod cloud_profile;
pub mod node_template;
pub mod secret;
pub mod shoot;
pub mod worker;

use crate::collections::NameMap;
use crate::record;

record! {
    /// Metadata of an object.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Metadata<'a> {
        /// Name.
        pub name: &'a str,
        /// Namespace; empty for cluster-scoped objects.
        pub namespace: &'a str,
        /// Annotations.
        pub annotations: NameMap<'a, &'a str>,
        /// Labels.
        pub labels: NameMap<'a, &'a str>,
        /// Set while the object is being deleted.
        pub deletion_timestamp: Option<&'a str>,
        /// The API server counts the changes of the specification here.
        pub generation: i64,
    }
}
