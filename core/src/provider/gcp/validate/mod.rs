//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

mod advice;
mod backup;
mod control_plane;
mod credentials;
mod dns;
mod image_mappings;
mod infrastructure;
mod infrastructure_update;
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
pub use infrastructure::NETWORKS;
pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;
pub use workload_identity::workload_identity;

use crate::gardener::reads::OF_PARENT_WITH_IMAGES;
use crate::policy::ReadsByKind;

/// What `validate` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &["/settings"]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &["/objects", "/secret", "/settings"]),
    ("NamespacedCloudProfile", OF_PARENT_WITH_IMAGES),
    ("Secret", &[]),
    ("SecretBinding", &["/objects", "/secret"]),
    ("Seed", &["/settings"]),
    (
        "Shoot",
        &[
            "/cloudProfile/kind",
            "/cloudProfile/metadata/name",
            "/cloudProfile/spec/providerConfig",
            "/cloudProfile/spec/regions/*/name",
            "/cloudProfile/spec/regions/*/zones/*/name",
            "/cloudProfile/status/cloudProfileSpec/providerConfig",
            "/cloudProfile/status/cloudProfileSpec/regions/*/name",
            "/cloudProfile/status/cloudProfileSpec/regions/*/zones/*/name",
            "/objects",
            "/settings",
        ],
    ),
    ("WorkloadIdentity", &["/settings"]),
];
