//! What policies of clouds read of the context where they do not say otherwise.

use crate::policy::ReadsByKind;

/// What `default` reads of the parent of a NamespacedCloudProfile.
pub const OF_PARENT: &[&str] =
    &["/cloudProfile/metadata/name", "/cloudProfile/spec/machineCapabilities", "/cloudProfile/spec/type"];

/// What `validate` reads of the parent of a NamespacedCloudProfile.
pub const OF_PARENT_WITH_IMAGES: &[&str] = &[
    "/cloudProfile/metadata/name",
    "/cloudProfile/spec/machineCapabilities",
    "/cloudProfile/spec/machineImages",
    "/cloudProfile/spec/type",
];

/// What `default` reads in a cloud with WorkloadIdentities, by kind of object.
pub const DEFAULT: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    ("NamespacedCloudProfile", OF_PARENT),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    ("Shoot", &[]),
    ("WorkloadIdentity", &[]),
];
