//! The operations that a person asks for by annotation (GDN-OP-001 to 011).

mod context;
#[cfg(test)]
mod tests;

use super::Check;
use super::control_plane::encryption::resources;
use super::pools::is_self_hosted;
use crate::collections::{NameSet, sorted};
use crate::document::Path;
use crate::kube::semver::SemVer;
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::operations as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

const ANNOTATIONS: Path<'_> = Path::root("metadata.annotations", "/metadata/annotations");
pub const OPERATION: &str = "gardener.cloud/operation";
pub const IN_MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

pub const CREDENTIALS_START: &str = "rotate-credentials-start";
pub const CREDENTIALS_START_LAZILY: &str = "rotate-credentials-start-without-workers-rollout";
pub const CREDENTIALS_COMPLETE: &str = "rotate-credentials-complete";
const AUTHORITIES_START: &str = "rotate-ca-start";
const AUTHORITIES_START_LAZILY: &str = "rotate-ca-start-without-workers-rollout";
const AUTHORITIES_COMPLETE: &str = "rotate-ca-complete";
pub const ACCOUNTS_START: &str = "rotate-serviceaccount-key-start";
pub const ACCOUNTS_START_LAZILY: &str = "rotate-serviceaccount-key-start-without-workers-rollout";
pub const ACCOUNTS_COMPLETE: &str = "rotate-serviceaccount-key-complete";
pub const ENCRYPTION: &str = "rotate-etcd-encryption-key";
pub const ENCRYPTION_START: &str = "rotate-etcd-encryption-key-start";
pub const ENCRYPTION_COMPLETE: &str = "rotate-etcd-encryption-key-complete";

/// Every operation, sorted.
const KNOWN: [&str; 20] = [
    "force-in-place-update",
    "maintain",
    "reconcile",
    "retry",
    "rollout-workers",
    AUTHORITIES_COMPLETE,
    AUTHORITIES_START,
    AUTHORITIES_START_LAZILY,
    CREDENTIALS_COMPLETE,
    CREDENTIALS_START,
    CREDENTIALS_START_LAZILY,
    ENCRYPTION,
    ENCRYPTION_COMPLETE,
    ENCRYPTION_START,
    "rotate-observability-credentials",
    "rotate-rollout-workers",
    ACCOUNTS_COMPLETE,
    ACCOUNTS_START,
    ACCOUNTS_START_LAZILY,
    "rotate-ssh-keypair",
];
/// Operations that run alone.
const ALONE: [&str; 3] = ["force-in-place-update", "maintain", "retry"];
/// How operations begin that a hibernated Shoot cannot do.
const AWAKE: [&str; 5] = [
    "rotate-credentials-",
    "rotate-etcd-encryption-key",
    "rotate-serviceaccount-key-",
    "rotate-rollout-workers",
    "rollout-workers",
];

/// The operations of an annotation.
struct Asked<'a> {
    operations: Vec<&'a str>,
    set: NameSet<'a>,
    path: Path<'a>,
    unknown: &'static Rule,
    alone: &'static Rule,
    /// What messages call the operations.
    noun: &'static str,
}

impl<'a> Asked<'a> {
    fn read(
        check: &Check<'a>,
        annotation: &'static str,
        [unknown, alone]: [&'static Rule; 2],
        noun: &'static str,
    ) -> Self {
        let list = text(check.shoot, &["metadata", "annotations", annotation]);
        let operations: Vec<&str> =
            if list.is_empty() { Vec::new() } else { list.split(';').map(str::trim).collect() };
        let set = operations.iter().copied().collect();
        Self { operations, set, path: ANNOTATIONS.entry(annotation), unknown, alone, noun }
    }
}

/// Judges the operations.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let now = Asked::read(check, OPERATION, [&rules::GDN_OP_001, &rules::GDN_OP_002], "operations");
    let rules_later = [&rules::GDN_OP_003, &rules::GDN_OP_004];
    let later = Asked::read(check, IN_MAINTENANCE, rules_later, "maintenance operations");
    if !is_known(&now, report)
        || !is_allowed(check, &now, report)
        || !is_known(&later, report)
        || !is_allowed(check, &later, report)
    {
        return;
    }
    if now.set.iter().any(|operation| later.set.contains(operation)) {
        let detail = "annotations metadata.annotations[gardener.cloud/operation] and \
                      metadata.annotations[maintenance.gardener.cloud/operation] must not have any equal operations";
        report.error(&rules::GDN_OP_005, &ANNOTATIONS, ErrorType::Forbidden, detail);
    }
    for asked in [&now, &later] {
        for operation in &asked.operations {
            // The API server names the annotation for operations of now for this rule, whichever the operation
            // stands in.
            is_supported(check, operation, &now.path, report);
            alone(check, operation, asked, report);
        }
    }
    together(&now, &later, report);
    context::judge(check, &now, report);
    if !check.is_deleted() {
        context::judge(check, &later, report);
    }
}

/// Whether an operation replaces machines of pools that it names.
fn is_rollout(operation: &str) -> bool {
    operation.starts_with("rotate-rollout-workers") || operation.starts_with("rollout-workers")
}

/// Whether Gardener knows each operation, and may run it together with the others. The report says which is the first
/// that is wrong.
fn is_known(asked: &Asked<'_>, report: &mut Report<'_>) -> bool {
    let is_single = asked.operations.len() == 1;
    for operation in asked.operations.iter().copied().filter(|operation| !is_rollout(operation)) {
        if !KNOWN.contains(&operation) {
            let detail = supported(KNOWN.into_iter());
            let entry = report.error(asked.unknown, &asked.path, ErrorType::NotSupported, detail);
            if is_single {
                offer(entry, operation, &KNOWN, by_likeness);
            } else if !operation.is_empty() {
                entry.remedy(format!("`{operation}` is no operation: write one that is listed, or remove it."));
            }
            return false;
        }
        if !is_single && ALONE.contains(&operation) {
            forbid(asked.alone, operation, "to be run in parallel with other operations", &asked.path, report);
            return false;
        }
    }
    true
}

/// Whether Gardener made the machines that operations replace.
fn is_allowed(check: &Check<'_>, asked: &Asked<'_>, report: &mut Report<'_>) -> bool {
    let is_managed = ["credentialsBindingName", "secretBindingName"]
        .iter()
        .any(|name| check.shoot.at(&["spec", name]).is_some());
    if is_managed || !check.garden.is_from(148) || !is_self_hosted(check.workers()) {
        return true;
    }
    let Some(operation) = asked.operations.iter().find(|operation| is_rollout(operation)) else { return true };
    let when = "for self-hosted shoot clusters with unmanaged infrastructure";
    forbid(&rules::GDN_OP_024, operation, when, &asked.path, report);
    false
}

/// Reports that an operation is not permitted in these circumstances.
fn forbid(rule: &'static Rule, operation: &str, when: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let detail = join(&["operation '", operation, "' is not permitted ", when], "");
    report.error(rule, path, ErrorType::Forbidden, detail);
}

/// Judges whether the Kubernetes version still has an operation.
fn is_supported(check: &Check<'_>, operation: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if !matches!(operation, ENCRYPTION_START | ENCRYPTION_COMPLETE) {
        return;
    }
    let version = check.version();
    if check.request.is_sent() && check.waits_for_version() {
        let why = "Gardener chooses the Kubernetes version on submit, and from 1.34 on it refuses the operation";
        report.undecided(&rules::GDN_OP_006, why, None);
        return;
    }
    if SemVer::parse(version).is_some() && !is_at_least(version, 34) {
        return;
    }
    let detail = join(
        &[
            "for Kubernetes versions >= 1.34, operation '",
            operation,
            "' is no longer supported, please use 'rotate-etcd-encryption-key' instead, which performs a complete etcd \
             encryption key rotation",
        ],
        "",
    );
    report.error(&rules::GDN_OP_006, path, ErrorType::Forbidden, detail);
}

/// Judges an operation together with the others of its annotation and with the state of the Shoot.
fn alone(check: &Check<'_>, operation: &str, asked: &Asked<'_>, report: &mut Report<'_>) {
    let barred: &[&str] = match operation {
        CREDENTIALS_START => &[AUTHORITIES_START_LAZILY, ACCOUNTS_START_LAZILY, CREDENTIALS_START_LAZILY],
        CREDENTIALS_START_LAZILY => &[AUTHORITIES_START, ACCOUNTS_START],
        AUTHORITIES_START => &[AUTHORITIES_START_LAZILY],
        ACCOUNTS_START => &[ACCOUNTS_START_LAZILY],
        ENCRYPTION => &[ENCRYPTION_START],
        _ => &[],
    };
    if barred.iter().any(|other| asked.set.contains(other)) {
        let when = join(&["to be run together with", &join(barred, ", "), asked.noun], " ");
        forbid(&rules::GDN_OP_007, operation, &when, &asked.path, report);
    }
    if check.is_hibernated() && AWAKE.iter().any(|beginning| operation.starts_with(beginning)) {
        forbid(&rules::GDN_OP_008, operation, "when shoot is hibernated or is waking up", &asked.path, report);
    }
    let encrypts = matches!(operation, CREDENTIALS_START | ENCRYPTION | ENCRYPTION_START);
    if encrypts && !check.lacks_status() && is_encrypting(check) {
        let when = "because a previous encryption configuration change is currently being rolled out";
        forbid(&rules::GDN_OP_009, operation, when, &asked.path, report);
    }
}

/// Whether Gardener does not yet encrypt what the Shoot says, or encrypts more.
fn is_encrypting(check: &Check<'_>) -> bool {
    const WANTED: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "encryptionConfig", "resources"];
    const CURRENT: &[&str] = &["credentials", "encryptionAtRest", "resources"];
    let current = check.status().map(|status| items(status, CURRENT)).unwrap_or_default();
    resources(current) != resources(items(check.shoot, WANTED))
}

/// The operations that a rotation of all credentials contains.
fn parts(operation: &str) -> &'static [&'static str] {
    match operation {
        CREDENTIALS_START | CREDENTIALS_START_LAZILY => &[
            AUTHORITIES_START,
            AUTHORITIES_START_LAZILY,
            ACCOUNTS_START,
            ACCOUNTS_START_LAZILY,
            ENCRYPTION,
            ENCRYPTION_START,
        ],
        CREDENTIALS_COMPLETE => &[AUTHORITIES_COMPLETE, ACCOUNTS_COMPLETE, ENCRYPTION_COMPLETE],
        _ => &[],
    }
}

/// Judges operations of now together with those of the next maintenance.
fn together(now: &Asked<'_>, later: &Asked<'_>, report: &mut Report<'_>) {
    let met = |whole: &str, others: &Asked<'_>| {
        let met = parts(whole).iter().copied().filter(|part| others.set.contains(part)).collect();
        join(&sorted::<&str>(met), ", ")
    };
    for whole in &later.operations {
        let met = met(whole, now);
        if !met.is_empty() {
            let when = join(&["when maintenance operation is '", whole, "'"], "");
            forbid(&rules::GDN_OP_010, &met, &when, &now.path, report);
        }
    }
    for whole in &now.operations {
        let met = met(whole, later);
        if !met.is_empty() {
            let when = join(&["when maintenance operation is '", &met, "'"], "");
            forbid(&rules::GDN_OP_011, whole, &when, &now.path, report);
        }
    }
}
