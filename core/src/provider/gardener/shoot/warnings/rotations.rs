//! Credentials that were not rotated for long, and rotations that nobody completed (WRN-001 to 012).

use crate::document::{Path, Value};
use crate::kube::time::Time;
use crate::policy::RequestError;
use crate::provider::gardener::fields::{flag, text};
use crate::provider::gardener::rules::warnings as rules;
use crate::provider::gardener::shoot::Check;
use crate::report::{Report, Rule};
use crate::text::join;

const ROTATION: Path<'_> = Path::root("status.credentials.rotation", "/status/credentials/rotation");
/// The hours after which credentials are due, unless the operators of the API server chose others.
const INTERVAL: i64 = 90 * 24;
/// The hours after which a rotation should be completed.
const THIRD: i64 = INTERVAL / 3;

/// Credentials that Gardener makes.
struct Credentials {
    due: &'static Rule,
    /// Where a rotation has two steps.
    unfinished: Option<&'static Rule>,
    key: &'static str,
    name: &'static str,
    /// The section of the guide about them.
    section: &'static str,
}

const ALL: [Credentials; 5] = [
    Credentials {
        due: &rules::WRN_002,
        unfinished: Some(&rules::WRN_010),
        key: "certificateAuthorities",
        name: "the certificate authorities",
        section: "certificate-authorities",
    },
    Credentials {
        due: &rules::WRN_003,
        unfinished: Some(&rules::WRN_011),
        key: "etcdEncryptionKey",
        name: "the ETCD encryption key",
        section: "etcd-encryption-key",
    },
    Credentials {
        due: &rules::WRN_004,
        unfinished: None,
        key: "observability",
        name: "the observability passwords",
        section: "observability-passwords-for-plutono",
    },
    Credentials {
        due: &rules::WRN_005,
        unfinished: Some(&rules::WRN_012),
        key: "serviceAccountKey",
        name: "the ServiceAccount token signing key",
        section: "serviceaccount-token-signing-key",
    },
    Credentials {
        due: &rules::WRN_006,
        unfinished: None,
        key: "sshKeypair",
        name: "the SSH keypair",
        section: "ssh-key-pair-for-worker-nodes",
    },
];

/// Warns of credentials of a stored Shoot. One that does not say when it was made is a manifest.
pub fn judge(check: &Check<'_>, old: &Value<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    if check.lacks_status() {
        return Ok(());
    }
    let created = Time::parse(text(old, &["metadata", "creationTimestamp"]));
    let rotation = check.status().and_then(|status| status.at(&["credentials", "rotation"]));
    let unfinished: Vec<(&Rule, &Credentials, Time)> =
        ALL.iter().filter_map(|one| Some((one.unfinished?, one, unfinished(rotation?, one.key)?))).collect();
    if created.is_none() && unfinished.is_empty() {
        return Ok(());
    }
    let Some(now) = check.request.now()? else {
        let why =
            "the time is not given here; on submit, Gardener may warn of credentials that are due for a rotation";
        report.undecided(&rules::WRN_001, why, None);
        return Ok(());
    };
    let is_past = |time: Time, hours| time.hours_later(hours) < now;
    if created.is_some_and(|time| is_past(time, INTERVAL)) {
        let Some(rotation) = rotation else {
            due(&rules::WRN_001, "the shoot credentials", "gardener-provided-credentials", &ROTATION, report);
            return Ok(());
        };
        for one in ALL.iter().filter(|one| has(check, one.key)) {
            if time(rotation, one.key, "lastInitiationTime").is_none_or(|time| is_past(time, INTERVAL)) {
                due(one.due, one.name, one.section, &ROTATION.key(one.key), report);
            }
        }
    }
    for (rule, one, _) in unfinished.into_iter().filter(|(.., started)| is_past(*started, THIRD)) {
        let hours = THIRD.to_string();
        let begun = " rotation initiation was finished more than ";
        let words = [one.name, begun, &hours, "h0m0s ago and should be completed"];
        report.warn(rule, &ROTATION.key(one.key), join(&words, ""));
    }
    Ok(())
}

/// Advises to rotate credentials.
fn due(rule: &'static Rule, name: &str, section: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let words = [
        "you should consider rotating ",
        name,
        ", see https://github.com/gardener/gardener/blob/master/docs/usage/shoot-operations/shoot_credentials_rotation.md#",
        section,
        " for details",
    ];
    report.warn(rule, path, join(&words, ""));
}

/// Whether a Shoot has such credentials.
fn has(check: &Check<'_>, key: &str) -> bool {
    match key {
        "observability" => text(check.shoot, &["spec", "purpose"]) != "testing",
        "sshKeypair" => {
            let access = check.shoot.at(&["spec", "provider", "workersSettings", "sshAccess"]);
            !check.workers().is_empty() && access.is_none_or(|access| flag(access, &["enabled"]) == Some(true))
        }
        _ => true,
    }
}

/// A time of the rotation of some credentials.
fn time(rotation: &Value<'_>, credentials: &str, key: &str) -> Option<Time> {
    Time::parse(text(rotation, &[credentials, key]))
}

/// When the first step of a rotation ended whose second one nobody asked for since.
fn unfinished(rotation: &Value<'_>, credentials: &str) -> Option<Time> {
    let ended = time(rotation, credentials, "lastInitiationFinishedTime")?;
    let completed = time(rotation, credentials, "lastCompletionTriggeredTime");
    completed.is_none_or(|completed| completed <= ended).then_some(ended)
}
