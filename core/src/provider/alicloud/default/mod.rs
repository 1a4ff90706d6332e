//! What `default` fills in where a person wrote nothing.

mod control_plane;
mod customized_image;
mod encryption;
mod networking;
mod profiles;
mod shoot;

pub use profiles::{cloud_profile, namespaced_cloud_profile};
pub use shoot::shoot;

use crate::gardener::reads::OF_PARENT;
use crate::policy::ReadsByKind;

/// What `default` reads of the context, by kind of object. A NamespacedCloudProfile has `status.cloudProfileSpec`
/// in the place of `spec`.
pub const READS: ReadsByKind = &[
    ("BackupBucket", &[]),
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    ("NamespacedCloudProfile", OF_PARENT),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    (
        "Shoot",
        &[
            "/cloudProfile/kind",
            "/cloudProfile/metadata/name",
            "/cloudProfile/metadata/namespace",
            "/cloudProfile/spec/machineCapabilities",
            "/cloudProfile/spec/machineTypes/*/name",
            "/cloudProfile/spec/machineTypes/*/capabilities",
            "/cloudProfile/spec/providerConfig",
            "/cloudProfile/status/cloudProfileSpec/machineCapabilities",
            "/cloudProfile/status/cloudProfileSpec/machineTypes/*/name",
            "/cloudProfile/status/cloudProfileSpec/machineTypes/*/capabilities",
            "/cloudProfile/status/cloudProfileSpec/providerConfig",
        ],
    ),
];
