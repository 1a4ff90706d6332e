//! The rules of the Azure policy in words, one file a section. Findings, help texts and the rule reference quote them.

use crate::report::Rule;

pub mod backup;
pub mod cloud_profile;
pub mod credentials;
pub mod namespaced_cloud_profile;
pub mod profile_advice;
pub mod profile_defaults;

/// Every rule, by section: what validation judges, what the cloud would be asked, what defaulting sets, what is only
/// advised.
pub const SECTIONS: &[&[&Rule]] = &[
    cloud_profile::ALL,
    namespaced_cloud_profile::ALL,
    credentials::ALL,
    backup::ALL,
    profile_defaults::ALL,
    profile_advice::ALL,
];

const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const NAMESPACED_CLOUD_PROFILE: &[&str] = &["NamespacedCloudProfile"];
/// Kinds whose image mappings are judged alike.
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const SHOOT: &[&str] = &["Shoot"];
const SECRET: &[&str] = &["Secret"];
const WORKLOAD_IDENTITY: &[&str] = &["WorkloadIdentity"];
