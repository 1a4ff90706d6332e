//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

mod advice;
mod backup;
mod credentials;
mod image_mappings;
mod profiles;
mod shoot;
mod workload_identity;

pub use backup::{backup_bucket, seed};
pub use credentials::{binding, secret};
pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;
pub use workload_identity::workload_identity;

use crate::policy::ReadsByKind;

/// What `validate` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &["/objects", "/secret"]),
    (
        "NamespacedCloudProfile",
        &[
            "/cloudProfile/metadata/name",
            "/cloudProfile/spec/machineCapabilities",
            "/cloudProfile/spec/machineImages",
            "/cloudProfile/spec/machineTypes/*/name",
            "/cloudProfile/spec/type",
        ],
    ),
    ("Secret", &[]),
    ("SecretBinding", &["/objects", "/secret"]),
    ("Seed", &[]),
    (
        "Shoot",
        &[
            "/cloudProfile/kind",
            "/cloudProfile/metadata/name",
            "/cloudProfile/spec/regions/*/name",
            "/cloudProfile/spec/regions/*/zones/*/name",
            "/cloudProfile/status/cloudProfileSpec/regions/*/name",
            "/cloudProfile/status/cloudProfileSpec/regions/*/zones/*/name",
            "/objects",
        ],
    ),
    ("WorkloadIdentity", &[]),
];
