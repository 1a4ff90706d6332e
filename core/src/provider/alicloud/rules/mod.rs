//! The rules of the Alibaba Cloud policy in words, one file a section. Findings, help texts and the rule
//! reference quote them.

use crate::report::{Operation, Rule};

pub mod advice;
pub mod backup;
pub mod backup_bucket_plan;
pub mod backup_entry_plan;
pub mod bastion_plan;
pub mod cloud_profile;
pub mod control_plane;
pub mod credentials;
pub mod defaults;
pub mod dns_record_plan;
pub mod infrastructure;
pub mod infrastructure_checks;
pub mod infrastructure_plan;
pub mod infrastructure_update;
pub mod machines;
pub mod mutation;
pub mod namespaced_cloud_profile;
pub mod networking;
pub mod rendering;
pub mod shoot;
pub mod workers;

/// Every rule, by section: what validation judges, what is judged before a plan, what defaulting sets, what is
/// only advised.
pub const SECTIONS: &[&[&Rule]] = &[
    shoot::ALL,
    infrastructure::ALL,
    infrastructure_update::ALL,
    workers::ALL,
    networking::ALL,
    control_plane::ALL,
    cloud_profile::ALL,
    namespaced_cloud_profile::ALL,
    credentials::ALL,
    backup::ALL,
    infrastructure_checks::ALL,
    infrastructure_plan::ALL,
    backup_bucket_plan::ALL,
    backup_entry_plan::ALL,
    dns_record_plan::ALL,
    bastion_plan::ALL,
    rendering::ALL,
    machines::ALL,
    mutation::ALL,
    defaults::ALL,
    advice::ALL,
];

const SHOOT: &[&str] = &["Shoot"];
const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const NAMESPACED_CLOUD_PROFILE: &[&str] = &["NamespacedCloudProfile"];
const SECRET: &[&str] = &["Secret"];
const SEED: &[&str] = &["Seed"];
const INFRASTRUCTURE: &[&str] = &["Infrastructure"];
const CONTROL_PLANE: &[&str] = &["ControlPlane"];
const WORKER: &[&str] = &["Worker"];
const BACKUP_BUCKET: &[&str] = &["BackupBucket"];
const BACKUP_ENTRY: &[&str] = &["BackupEntry"];
const DNS_RECORD: &[&str] = &["DNSRecord"];
const BASTION: &[&str] = &["Bastion"];

/// Row about an object of another kind than its section judges.
const fn other_kind(id: &'static str, kinds: &'static [&'static str]) -> Rule {
    Rule::error(id, kinds, Operation::Both)
        .summary("The object is of the kind that is judged, and so is the old object.")
        .why("Rules read the fields of one kind; another kind has other fields.")
        .fix("Correct `kind` and `apiVersion`, and compare only objects of the same kind.")
        .informative("An object of another kind is answered with an error document.")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// What a remedy asks to grant is what `trellis ram-policy` grants.
    #[test]
    fn remedies_ask_for_no_more_permissions_than_the_calls_that_are_made() {
        let info: serde_json::Value = serde_json::from_str(&crate::call("alicloud", "info", "{}")).unwrap();
        let calls: BTreeSet<&str> =
            info["calls"].as_array().unwrap().iter().filter_map(serde_json::Value::as_str).collect();
        let mut asked = 0;
        for rule in super::SECTIONS.iter().copied().flatten() {
            let granted = rule.fix.split("Grant the RAM user `").skip(1).filter_map(|rest| rest.split('`').next());
            for call in granted {
                assert!(calls.contains(call), "{} asks for {call}", rule.id);
                asked += 1;
            }
        }
        assert!(asked > 5);
    }
}
