//! Whether the state of a Shoot allows an operation (GDN-OP-012 to 023).

use super::{
    ACCOUNTS_COMPLETE, ACCOUNTS_START, ACCOUNTS_START_LAZILY, AUTHORITIES_COMPLETE, AUTHORITIES_START,
    AUTHORITIES_START_LAZILY, Asked, CREDENTIALS_COMPLETE, CREDENTIALS_START, CREDENTIALS_START_LAZILY,
    ENCRYPTION, ENCRYPTION_COMPLETE, ENCRYPTION_START, is_rollout, rules,
};
use crate::collections::{NameMap, NameSet};
use crate::document::{Path, Value};
use crate::kube::semver::SemVer;
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::shoot::Check;
use crate::provider::gardener::shoot::pools::is_in_place;
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

const AUTHORITIES: &str = "certificateAuthorities";
const ACCOUNTS: &str = "serviceAccountKey";
const KEY: &str = "etcdEncryptionKey";
const WAITING: &str = "WaitingForWorkersRollout";

/// The worker pools by name. Of pools of one name, the first counts.
type Workers<'w> = NameMap<'w, &'w Value<'w>>;

/// A step of a rotation.
struct Step {
    rule: &'static Rule,
    /// What messages call the rotation.
    name: &'static str,
    /// What is rotated, by its name in the status.
    of: &'static [&'static str],
    is_start: bool,
    /// Whether machines get the new credentials.
    reaches_machines: bool,
}

/// Judges each operation of an annotation.
pub fn judge(check: &Check<'_>, asked: &Asked<'_>, report: &mut Report<'_>) {
    let mut workers = NameMap::new();
    if asked.operations.iter().any(|operation| is_rollout(operation)) {
        for worker in check.workers() {
            workers.or_insert_with(text(worker, &["name"]), || worker);
        }
    }
    for operation in asked.operations.iter().copied() {
        let step = step(check, operation);
        let rule = match &step {
            Some(step) => step.rule,
            None if operation.starts_with("rotate-rollout-workers") => &rules::GDN_OP_021,
            None if is_rollout(operation) => &rules::GDN_OP_008,
            None => continue,
        };
        if check.lacks_status() {
            let why =
                "the Shoot's status says whether the operation is allowed now, and the old manifest has none";
            report.undecided(rule, why, None);
        } else if let Some(step) = step {
            rotation(check, &step, &asked.path, report);
        } else if operation.starts_with("rotate-rollout-workers") {
            is_waited_for(check, &asked.path, report);
        }
        if is_rollout(operation) {
            pools(check, &workers, operation, &asked.path, report);
        }
    }
}

/// The step of a rotation that an operation is.
fn step(check: &Check<'_>, operation: &str) -> Option<Step> {
    let is_old = SemVer::parse(check.version()).is_some() && !is_at_least(check.version(), 34);
    let all: &[&str] = &[AUTHORITIES, ACCOUNTS, KEY];
    let (rule, name, of, is_start) = match operation {
        CREDENTIALS_START | CREDENTIALS_START_LAZILY => {
            (&rules::GDN_OP_012, "rotation of all credentials", all, true)
        }
        CREDENTIALS_COMPLETE => {
            let of = if is_old { all } else { &[AUTHORITIES, ACCOUNTS] };
            (&rules::GDN_OP_013, "rotation of all credentials", of, false)
        }
        AUTHORITIES_START | AUTHORITIES_START_LAZILY => {
            (&rules::GDN_OP_014, "CA rotation", &[AUTHORITIES][..], true)
        }
        AUTHORITIES_COMPLETE => (&rules::GDN_OP_015, "CA rotation", &[AUTHORITIES][..], false),
        ACCOUNTS_START | ACCOUNTS_START_LAZILY => {
            (&rules::GDN_OP_016, "service account key rotation", &[ACCOUNTS][..], true)
        }
        ACCOUNTS_COMPLETE => (&rules::GDN_OP_017, "service account key rotation", &[ACCOUNTS][..], false),
        ENCRYPTION | ENCRYPTION_START => (&rules::GDN_OP_018, "ETCD encryption key rotation", &[KEY][..], true),
        ENCRYPTION_COMPLETE => (&rules::GDN_OP_019, "ETCD encryption key rotation", &[KEY][..], false),
        _ => return None,
    };
    let reaches_machines = is_start && (of.contains(&AUTHORITIES) || of.contains(&ACCOUNTS));
    Some(Step { rule, name, of, is_start, reaches_machines })
}

/// The phase of a rotation; empty where there was none.
fn phase<'c>(check: &Check<'c>, of: &str) -> &'c str {
    check.status().map(|status| text(status, &["credentials", "rotation", of, "phase"])).unwrap_or_default()
}

/// Judges a step of a rotation.
fn rotation(check: &Check<'_>, step: &Step, path: &Path<'_>, report: &mut Report<'_>) {
    let (verb, wanted) = if step.is_start { ("start", "Completed") } else { ("complete", "Prepared") };
    let beginning = join(&["cannot", verb, step.name, "if "], " ");
    let mut refuse = |rule, parts: &[&str]| {
        let detail = join(&[&*beginning, &join(parts, "")], "");
        report.error(rule, path, ErrorType::Forbidden, detail);
    };
    if step.is_start && !check.is_ready() {
        refuse(step.rule, &["shoot was not yet created successfully or is not ready for reconciliation"]);
    }
    for of in step.of {
        let phase = phase(check, of);
        if phase != wanted && !(step.is_start && phase.is_empty()) {
            refuse(step.rule, &[".status.credentials.rotation.", of, ".phase is not '", wanted, "'"]);
        }
    }
    if !step.reaches_machines {
        return;
    }
    for key in ["autoInPlaceUpdate", "manualInPlaceUpdate"] {
        let pending = &["inPlaceUpdates", "pendingWorkerUpdates", key];
        if check.status().is_some_and(|status| !items(status, pending).is_empty()) {
            let place = ["status.inPlaceUpdates.pendingWorkerUpdates.", key, " is not empty"];
            refuse(&rules::GDN_OP_020, &place);
        }
    }
}

/// Judges whether a rotation waits for new machines.
fn is_waited_for(check: &Check<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if phase(check, AUTHORITIES) != WAITING && phase(check, ACCOUNTS) != WAITING {
        let detail = "either .status.credentials.rotation.certificateAuthorities.phase or \
                      .status.credentials.rotation.serviceAccountKey.phase must be in 'WaitingForWorkersRollout' in order \
                      to trigger workers rollout";
        report.error(&rules::GDN_OP_021, path, ErrorType::Forbidden, detail);
    }
}

/// Judges the names of the pools whose machines are replaced.
fn pools(check: &Check<'_>, workers: &Workers<'_>, operation: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let is_rotation = operation.starts_with("rotate-");
    let (rule, prefix, required) = if is_rotation {
        let required =
            "must provide at least one pool name via rotate-rollout-workers=<poolName1>[,<poolName2>,...]";
        (&rules::GDN_OP_022, "rotate-rollout-workers=", required)
    } else {
        let required = "must provide either '*' or at least one pool name via \
                        rollout-workers=<poolName1>[,<poolName2>,...]";
        (&rules::GDN_OP_023, "rollout-workers=", required)
    };
    let mut names: Vec<&str> = operation.strip_prefix(prefix).unwrap_or(operation).split(',').collect();
    if names.contains(&"") {
        report.error(rule, path, ErrorType::Required, required);
    }
    if !is_rotation && names == ["*"] {
        names = check.workers().iter().map(|worker| text(worker, &["name"])).collect();
    } else if !is_rotation && names.contains(&"*") {
        let detail = "if '*' is provided, no other pool names are allowed";
        report.error(rule, path, ErrorType::Forbidden, detail);
    }
    let mut seen = NameSet::new();
    for name in names {
        if !seen.insert(name) {
            report.error(rule, path, ErrorType::Duplicate, "");
        }
        match workers.get(name).copied() {
            None => {
                let detail = join(&["worker pool name", name, "does not exist in .spec.provider.workers[]"], " ");
                report.error(rule, path, ErrorType::Invalid, detail);
            }
            Some(worker) if !is_rotation && is_in_place(worker) => {
                let detail = join(
                    &[
                        "worker pool",
                        name,
                        "is using in-place update strategy; manual worker pool rollout is not supported for such pools",
                    ],
                    " ",
                );
                report.error(rule, path, ErrorType::Invalid, detail);
            }
            Some(_) => {}
        }
    }
}
