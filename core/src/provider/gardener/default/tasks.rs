//! What Gardener is asked to do with the next reconciliation (MUT-0), and the rotation of the key of etcd (MUT-4).

use super::fill::{has, put};
use super::places::{OPERATION, SSH};
use super::submission::Submission;
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::default as rules;
use crate::provider::gardener::same::is_same_at;

const INFRASTRUCTURE: &[&str] = &["deployInfrastructure"];
const DNS: &[&str] = &["deployDNSRecordInternal", "deployDNSRecordExternal", "deployDNSRecordIngress"];
const TASKS: &[&str] = &["metadata", "annotations", "shoot.gardener.cloud/tasks"];
const RETRY: &[&str] = &["metadata", "annotations", "maintenance.shoot.gardener.cloud/needs-retry-operation"];
const HIBERNATION: &[&str] = &["spec", "hibernation", "enabled"];
const FAMILIES: &[&str] = &["spec", "networking", "ipFamilies"];

/// Operations that renew the keys with which operators reach the nodes.
const KEY_ROTATIONS: [&str; 3] =
    ["rotate-ssh-keypair", "rotate-credentials-start", "rotate-credentials-start-without-workers-rollout"];

/// Asks for what a change needs.
pub fn default(submission: &mut Submission<'_, '_>) {
    let shoot = &submission.defaulted.object;
    let Some(old) = submission.old else {
        let reason = "the network and the DNS records of a new Shoot are made";
        add(&mut submission.defaulted, &[INFRASTRUCTURE, DNS], reason);
        return;
    };
    let wakes_up = flag(old, HIBERNATION) == Some(true) && flag(shoot, HIBERNATION) != Some(true);
    let changes = |path: &[&str]| !is_same_at(&[], path, old, shoot);
    let rotates = text(shoot, OPERATION).split(';').any(|operation| KEY_ROTATIONS.contains(&operation.trim()));
    let needs_infrastructure = changes(&["spec", "provider", "infrastructureConfig"])
        || items(shoot, FAMILIES).len() > items(old, FAMILIES).len()
        || old.at(SSH).is_some() && flag(shoot, SSH).unwrap_or_default() != flag(old, SSH).unwrap_or_default();
    let needs_dns = changes(&["spec", "dns"]);
    let is_confined = flag(shoot, &["spec", "maintenance", "confineSpecUpdateRollout"]) == Some(true);
    let has_failed = text(old, &["status", "lastOperation", "state"]) == "Failed";
    let needs_retry = is_confined && has_failed && changes(&["spec"]);
    let defaulted = &mut submission.defaulted;
    if wakes_up {
        let reason = "the network and the DNS records of a Shoot that wakes up are brought up to date";
        add(defaulted, &[INFRASTRUCTURE, DNS], reason);
    }
    if needs_infrastructure {
        add(defaulted, &[INFRASTRUCTURE], "what you change needs a change of the network");
    }
    if needs_dns {
        add(defaulted, &[DNS], "what you change needs a change of the DNS records");
    }
    if rotates {
        add(defaulted, &[INFRASTRUCTURE], "the nodes get the new key with a change of the network");
    }
    if needs_retry {
        let reason = "the last operation failed, and the next maintenance repeats it";
        put(defaulted, &rules::MUT_000, ("", RETRY), Value::string("true"), reason);
    }
}

/// Adds tasks to those that the Shoot has.
fn add(defaulted: &mut Defaulted<'_>, tasks: &[&[&str]], reason: &'static str) {
    let before = text(&defaulted.object, TASKS);
    let mut after: Vec<&str> = before.split(',').filter(|task| !task.is_empty()).collect();
    for task in tasks.iter().copied().flatten() {
        if !after.contains(task) {
            after.push(task);
        }
    }
    let after = crate::text::join(&after, ",");
    if after != before {
        put(defaulted, &rules::MUT_000, ("", TASKS), Value::string(after), reason);
    }
}

/// Renews the key of etcd every four weeks in a new Shoot.
pub fn rotation(defaulted: &mut Defaulted<'_>) {
    let base = "/spec/maintenance/autoRotation/credentials";
    if !has(defaulted, base, &["etcdEncryptionKey"]) {
        let path = &["spec", "maintenance", "autoRotation", "credentials", "etcdEncryptionKey", "rotationPeriod"];
        let reason = "the key that encrypts Secrets in etcd is renewed every four weeks unless you say otherwise";
        put(defaulted, &rules::MUT_004, ("", path), Value::string("672h0m0s"), reason);
    }
}
