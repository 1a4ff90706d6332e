//! Amazon Web Services.
//!
//! The rules are those of Gardener's existing extension. Every rule has the id that the fact sheet `aws` gives it.

mod addresses;
pub mod api;
mod classify;
mod credentials;
mod default;
mod image_mapping;
pub mod rules;
mod subnets;
mod validate;

use crate::gardener::reads;
use crate::policy::{About, Addressing, Entry, Judging, Planning};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "aws";

const ABOUT: About =
    About { provider: TYPE, parity: "provider-aws v1.74.0-dev", api_version: api::API_VERSION, kinds: api::KINDS };

/// The policy in the list of providers.
pub const ENTRY: Entry = Entry { addressing: Some(&ADDRESSING), planning: Some(&PLANNING), ..Entry::of(&JUDGING) };

/// What judges and completes objects.
pub static JUDGING: Judging = Judging {
    about: ABOUT,
    reads: &[("default", reads::DEFAULT), ("validate", validate::READS)],
    rules: rules::SECTIONS,
    validate: &[
        ("BackupBucket", validate::backup_bucket),
        ("CloudProfile", validate::cloud_profile),
        ("CredentialsBinding", validate::binding),
        ("NamespacedCloudProfile", validate::namespaced_cloud_profile),
        ("Secret", validate::secret),
        ("SecretBinding", validate::binding),
        ("Seed", validate::seed),
        ("Shoot", validate::shoot),
        ("WorkloadIdentity", |request, report| {
            validate::workload_identity(request, report);
            Ok(())
        }),
    ],
    default: &[
        ("CloudProfile", default::cloud_profile),
        ("NamespacedCloudProfile", default::namespaced_cloud_profile),
        ("Shoot", default::shoot),
    ],
    general: None,
    #[cfg(feature = "schema")]
    schemas: api::schemas,
};

/// What answers about Shoots.
pub static ADDRESSING: Addressing = Addressing {
    about: ABOUT,
    reads: &[("addresses", addresses::READS), ("zones", addresses::READS)],
    addresses: addresses::addresses,
    zones: Some(addresses::zones),
    rollout: None,
};

/// What classifies errors.
pub static PLANNING: Planning = Planning::classifying(ABOUT, classify::classify);
