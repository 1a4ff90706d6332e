//! Alibaba Cloud.
//!
//! The rules are those of Gardener's existing extension. Every rule has the id that the fact sheet
//! `alicloud-policy` gives it.

mod addresses;
pub mod api;
mod backup_bucket;
mod backup_entry;
mod bastion;
mod calls;
mod claims;
mod classify;
mod credentials;
mod default;
mod dns;
mod error_codes;
mod image_mapping;
mod infrastructure;
mod mutation;
mod oss;
mod queries;
mod rendering;
mod responses;
pub mod rules;
mod security_groups;
mod tags;
mod validate;
mod vswitches;
mod worker;

use crate::gardener;
use crate::policy::{About, Addressing, Entry, Judging, Mutating, Planning, Rendering, SubjectKind, SubjectPlans};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "alicloud";

const ABOUT: About = About {
    provider: TYPE,
    parity: "provider-alicloud v1.72.0-dev",
    api_version: api::API_VERSION,
    kinds: api::KINDS,
};

/// The policy in the list of providers.
pub const ENTRY: Entry = Entry {
    addressing: Some(&ADDRESSING),
    planning: Some(&PLANNING),
    networks: Some(&NETWORKS),
    rendering: Some(&RENDERING),
    mutating: Some(&MUTATING),
    claims: claims::CLAIMS,
    ..Entry::of(&JUDGING)
};

/// What judges and completes objects.
pub static JUDGING: Judging = Judging {
    about: ABOUT,
    reads: &[("default", default::READS), ("validate", validate::READS)],
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
    reads: &[
        ("addresses", addresses::READS),
        ("rollout", worker::ROLLOUT_READS),
        ("zones", addresses::ZONES_READS),
    ],
    addresses: addresses::addresses,
    zones: Some(addresses::zones),
    rollout: Some(worker::rollout),
};

/// How networks are planned.
const NETWORK: SubjectPlans = SubjectPlans {
    kind: SubjectKind::Infrastructure,
    types: &[TYPE],
    calls: calls::NETWORK,
    plan: infrastructure::plan::plan,
    status: infrastructure::status::status,
};

/// What plans subjects, and classifies errors.
pub static PLANNING: Planning = Planning {
    subjects: &[
        NETWORK,
        SubjectPlans {
            kind: SubjectKind::BackupBucket,
            types: &[TYPE],
            calls: calls::BUCKET,
            plan: backup_bucket::plan,
            status: backup_bucket::status,
        },
        SubjectPlans {
            kind: SubjectKind::BackupEntry,
            types: &[TYPE],
            calls: calls::ENTRY,
            plan: backup_entry::plan,
            status: backup_entry::status,
        },
        SubjectPlans {
            kind: SubjectKind::DnsRecord,
            types: &[dns::TYPE],
            calls: calls::RECORD,
            plan: dns::plan,
            status: dns::status,
        },
        SubjectPlans {
            kind: SubjectKind::Bastion,
            types: &[TYPE],
            calls: calls::BASTION,
            plan: bastion::plan,
            status: bastion::status,
        },
    ],
    ..NETWORKS_ALONE
};

/// What plans networks alone, and classifies errors.
pub static NETWORKS: Planning = NETWORKS_ALONE;

const NETWORKS_ALONE: Planning =
    Planning { about: ABOUT, classify: classify::classify, calls_of_others: calls::OTHERS, subjects: &[NETWORK] };

/// What renders control planes and makes machines.
pub static RENDERING: Rendering = Rendering {
    about: ABOUT,
    render: |request| gardener::rendering::render(request, &rendering::CONTROL_PLANES),
    workers: |request| gardener::worker::workers(request, &worker::WORKER_POOLS),
};

/// What changes the objects that webhooks see.
pub static MUTATING: Mutating = Mutating {
    about: ABOUT,
    webhooks: || gardener::mutation::names(mutation::WEBHOOKS),
    mutate: |request| gardener::mutation::mutate(request, mutation::WEBHOOKS),
};
