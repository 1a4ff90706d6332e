//! The rules of the OpenStack policy in words, one file a section. Findings, help texts and the rule reference
//! quote them.

use crate::report::Rule;

pub mod advice;
pub mod backup;
pub mod cloud_profile;
pub mod control_plane;
pub mod credentials;
pub mod defaults;
pub mod dns;
pub mod infrastructure;
pub mod infrastructure_checks;
pub mod infrastructure_profile;
pub mod infrastructure_update;
pub mod load_balancer_classes;
pub mod namespaced_cloud_profile;
pub mod shoot;
pub mod workers;

/// Every rule, by section: what validation judges, what the cloud would be asked, what defaulting sets, what is
/// only advised.
pub const SECTIONS: &[&[&Rule]] = &[
    shoot::ALL,
    infrastructure::ALL,
    infrastructure_update::ALL,
    infrastructure_profile::ALL,
    control_plane::ALL,
    load_balancer_classes::ALL,
    workers::ALL,
    dns::ALL,
    cloud_profile::ALL,
    namespaced_cloud_profile::ALL,
    credentials::ALL,
    backup::ALL,
    infrastructure_checks::ALL,
    defaults::ALL,
    advice::ALL,
];

const SHOOT: &[&str] = &["Shoot"];
const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const NAMESPACED_CLOUD_PROFILE: &[&str] = &["NamespacedCloudProfile"];
/// Kinds whose image mappings are judged alike.
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
/// Kinds whose load balancer classes are judged alike.
const WITH_CLASSES: &[&str] = &["CloudProfile", "Shoot"];
const SECRET: &[&str] = &["Secret"];
