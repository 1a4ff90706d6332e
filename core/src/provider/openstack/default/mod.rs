//! What `default` fills in where a person wrote nothing.

mod profiles;
mod shoot;

pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;

use crate::gardener::reads::OF_PARENT;
use crate::policy::ReadsByKind;

/// What `default` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    ("NamespacedCloudProfile", OF_PARENT),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    ("Shoot", &["/overlayDefaults"]),
];
