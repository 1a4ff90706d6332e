//! The operations that a person asks for by annotation (PREP-5, PREP-7).

use super::fill::{put, remove};
use super::places::{OPERATION, SSH};
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::fields::{flag, is_true, text};
use crate::provider::gardener::rules::default as rules;
use crate::provider::gardener::same::is_same_at;
use crate::report::Rule;
use crate::text::join;

const IN_MAINTENANCE: &[&str] = &["metadata", "annotations", "maintenance.gardener.cloud/operation"];
const FORCE_DELETION: &[&str] = &["metadata", "annotations", "confirmation.gardener.cloud/force-deletion"];
const DELETION: &[&str] = &["metadata", "deletionTimestamp"];

/// Operations that contain others.
const CONTAINS: [(&str, &[&str]); 3] = [
    (
        "rotate-credentials-start",
        &[
            "rotate-ca-start",
            "rotate-serviceaccount-key-start",
            "rotate-etcd-encryption-key",
            "rotate-etcd-encryption-key-start",
            "rotate-observability-credentials",
            "rotate-ssh-keypair",
        ],
    ),
    (
        "rotate-credentials-start-without-workers-rollout",
        &[
            "rotate-ca-start-without-workers-rollout",
            "rotate-serviceaccount-key-start-without-workers-rollout",
            "rotate-etcd-encryption-key",
            "rotate-etcd-encryption-key-start",
            "rotate-observability-credentials",
            "rotate-ssh-keypair",
        ],
    ),
    (
        "rotate-credentials-complete",
        &["rotate-ca-complete", "rotate-serviceaccount-key-complete", "rotate-etcd-encryption-key-complete"],
    ),
];

/// Writes each operation once, without spaces.
pub fn tidy(defaulted: &mut Defaulted<'_>) {
    for &path in &[OPERATION, IN_MAINTENANCE] {
        let mut operations: Vec<&str> = Vec::new();
        for operation in text(&defaulted.object, path).split(';').map(str::trim) {
            if !operations.contains(&operation) {
                operations.push(operation);
            }
        }
        let operations = join(&operations, ";");
        set(defaulted, &rules::PREP_005, path, operations, "each operation is asked for once");
    }
}

/// Takes away the operations that begin with this update, and those that others contain.
pub fn take(old: &Value<'_>, defaulted: &mut Defaulted<'_>) {
    let shoot = &defaulted.object;
    let is_confined = flag(shoot, &["spec", "maintenance", "confineSpecUpdateRollout"]) == Some(true);
    let compared: &[&str] = if is_confined { &["spec", "hibernation", "enabled"] } else { &["spec"] };
    let is_forced = |shoot| is_true(text(shoot, FORCE_DELETION));
    let is_deleted = shoot.at(DELETION).is_some() && old.at(DELETION).is_none();
    let state = old.at(&["status", "lastOperation"]).map(|last| text(last, &["state"]));
    let Some(state) = state else { return };
    if !is_same_at(&[], compared, old, shoot) || is_deleted || is_forced(shoot) && !is_forced(old) {
        return;
    }
    let before = text(shoot, OPERATION);
    if state == "Failed" {
        if before == "retry" {
            remove(defaulted, &rules::PREP_007, OPERATION, "the operation begins with this update");
        }
        return;
    }
    let operations: Vec<&str> = before.split(';').collect();
    let has_ssh = flag(shoot, SSH) == Some(true);
    let is_contained = |operation: &&str| {
        CONTAINS.iter().any(|(whole, parts)| operations.contains(whole) && parts.contains(operation))
    };
    let is_left = |operation: &&str| {
        *operation != "reconcile" && (*operation != "rotate-ssh-keypair" || has_ssh) && !is_contained(operation)
    };
    let left: Vec<&str> = operations.iter().copied().filter(|operation| is_left(operation)).collect();
    let left = join(&left, ";");
    let reason = "the operation begins with this update, is part of another one, or has nothing to do";
    set(defaulted, &rules::PREP_007, OPERATION, left, reason);
}

/// Sets an annotation that is there, or removes it where nothing is left of it.
fn set(
    defaulted: &mut Defaulted<'_>,
    rule: &'static Rule,
    path: &'static [&'static str],
    value: String,
    reason: &'static str,
) {
    let before = text(&defaulted.object, path);
    if value == before {
        return;
    }
    if value.is_empty() {
        remove(defaulted, rule, path, reason);
    } else {
        put(defaulted, rule, ("", path), Value::string(value), reason);
    }
}
