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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Planning, SubjectKind};

    #[test]
    fn a_policy_that_plans_more_than_networks_has_them_alone_for_pages() {
        let kinds = |planning: &Planning| planning.subjects.iter().map(|subject| subject.kind).collect::<Vec<_>>();
        for entry in POLICIES.0 {
            let plans_further = entry.planning.is_some_and(|all| kinds(all).len() > 1);
            assert_eq!(entry.networks.is_some(), plans_further, "{}", entry.name());
            assert!(
                entry.networks.is_none_or(|part| kinds(part) == [SubjectKind::Infrastructure]),
                "{}",
                entry.name()
            );
        }
    }
}
