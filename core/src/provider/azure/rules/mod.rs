//! The rules of the Azure policy in words, one file a section. Findings, help texts and the rule reference quote
//! them.

use crate::report::Rule;

pub mod advice;
pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod credentials;
pub mod defaults;
pub mod infrastructure;
pub mod infrastructure_update;
pub mod namespaced_cloud_profile;
pub mod profile_advice;
pub mod profile_defaults;
pub mod shoot;
pub mod worker_config;
pub mod workers;

/// Every rule, by section: what validation judges, what the cloud would be asked, what defaulting sets, what is
/// only advised.
pub const SECTIONS: &[&[&Rule]] = &[
    shoot::ALL,
    infrastructure::ALL,
    infrastructure_update::ALL,
    control_plane::ALL,
    workers::ALL,
    worker_config::ALL,
    cloud_profile::ALL,
    namespaced_cloud_profile::ALL,
    credentials::ALL,
    backup::ALL,
    defaults::ALL,
    profile_defaults::ALL,
    advice::ALL,
    profile_advice::ALL,
];

const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const NAMESPACED_CLOUD_PROFILE: &[&str] = &["NamespacedCloudProfile"];
/// Kinds whose image mappings are judged alike.
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const SHOOT: &[&str] = &["Shoot"];
const SECRET: &[&str] = &["Secret"];
const WORKLOAD_IDENTITY: &[&str] = &["WorkloadIdentity"];
