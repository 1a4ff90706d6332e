//! The rules of the OpenStack policy in words.

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

/// Every rule, by section.
pub const SECTIONS: &[&[&Rule]] = &[
    infrastructure::ALL,
    infrastructure_update::ALL,
    infrastructure_profile::ALL,
    control_plane::ALL,
    load_balancer_classes::ALL,
    shoot::ALL,
    dns::ALL,
    workers::ALL,
    cloud_profile::ALL,
    namespaced_cloud_profile::ALL,
    credentials::ALL,
    backup::ALL,
    infrastructure_checks::ALL,
    defaults::ALL,
    advice::ALL,
];

const SHOOT: &[&str] = &["Shoot"];
