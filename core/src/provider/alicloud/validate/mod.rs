//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

mod advice;
mod backup;
mod cloud_profile;
mod control_plane;
mod credentials;
mod image_mappings;
mod infrastructure;
mod infrastructure_update;
mod namespaced_cloud_profile;
mod networking;
mod parts;
mod shoot;
mod workers;

pub use backup::{backup_bucket, judge_retention, seed};
pub use cloud_profile::cloud_profile;
pub use credentials::{binding, secret};
pub use infrastructure::NETWORKS;
pub use namespaced_cloud_profile::namespaced_cloud_profile;
pub use networking::RESERVED;
pub use shoot::shoot;

use crate::gardener::reads::OF_PARENT_WITH_IMAGES;
use crate::policy::ReadsByKind;

/// What `validate` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &["/secret"]),
    ("NamespacedCloudProfile", OF_PARENT_WITH_IMAGES),
    ("Secret", &[]),
    ("SecretBinding", &["/secret"]),
    ("Seed", &[]),
    ("Shoot", &[]),
];
