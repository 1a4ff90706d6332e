//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

mod advice;
mod backup;
mod cloud_profile;
mod control_plane;
mod credentials;
mod dns;
mod image_mappings;
mod infrastructure;
mod infrastructure_update;
mod load_balancer_classes;
mod namespaced_cloud_profile;
mod parts;
mod profile;
mod shoot;
mod shoot_credentials;
mod workers;

pub use backup::{backup_bucket, seed};
pub use cloud_profile::cloud_profile;
pub use credentials::{binding, secret};
pub use infrastructure::NETWORKS;
pub use namespaced_cloud_profile::namespaced_cloud_profile;
pub use shoot::shoot;

use crate::gardener::reads::OF_PARENT_WITH_IMAGES;
use crate::policy::ReadsByKind;

/// What `validate` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &["/objects", "/secret"]),
    ("NamespacedCloudProfile", OF_PARENT_WITH_IMAGES),
    ("Secret", &[]),
    ("SecretBinding", &["/objects", "/secret"]),
    ("Seed", &[]),
    (
        "Shoot",
        &[
            "/cloudProfile/kind",
            "/cloudProfile/metadata/name",
            "/cloudProfile/spec/providerConfig",
            "/cloudProfile/status/cloudProfileSpec/providerConfig",
            "/objects",
            "/secret",
        ],
    ),
];
