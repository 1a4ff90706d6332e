//! The providers, a folder each, and the list of them: the one place that knows their names.

pub mod alicloud;
pub mod aws;
pub mod azure;
pub mod equinixmetal;
pub mod gardener;
pub mod gcp;
pub mod openstack;

use crate::policy::{Judging, Policies};

/// The policies. No module of WebAssembly reaches this list, because it reaches all of them.
pub static POLICIES: Policies = Policies(&[
    alicloud::ENTRY,
    aws::ENTRY,
    azure::ENTRY,
    equinixmetal::ENTRY,
    gcp::ENTRY,
    openstack::ENTRY,
    gardener::ENTRY,
]);

/// What judges and completes objects in the policy with that name.
pub fn policy(name: &str) -> Option<&'static Judging> {
    POLICIES.get(name).map(|entry| entry.judging)
}
