//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

mod advice;
mod backup;
mod control_plane;
mod credentials;
mod dns;
mod image_mappings;
mod infrastructure;
mod infrastructure_update;
mod names;
mod networking;
mod parts;
mod profiles;
mod shoot;
mod worker_config;
mod workers;
mod workload_identity;
mod zones;

pub use backup::{backup_bucket, seed};
pub use credentials::{binding, secret};
pub use infrastructure::{NETWORKS, STANDARD, VNET, WORKERS, ZONES, sku};
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
