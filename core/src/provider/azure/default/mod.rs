//! What `default` fills in where a person wrote nothing.

mod profiles;
mod shoot;

pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;

use crate::policy::ReadsByKind;

/// What `default` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    (
        "NamespacedCloudProfile",
        &["/cloudProfile/metadata/name", "/cloudProfile/spec/machineCapabilities", "/cloudProfile/spec/type"],
    ),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    ("Shoot", &[]),
    ("WorkloadIdentity", &[]),
];
