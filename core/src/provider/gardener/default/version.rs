//! Kubernetes versions of which a person wrote a part, or nothing (MUT-1, MUT-2).

use super::fill::entry;
use super::places::{WORKERS, pools};
use super::submission::Submission;
use crate::document::Value;
use crate::kube::semver::SemVer;
use crate::kube::time::Time;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::profile::Stage;
use crate::provider::gardener::rules::default as rules;
use crate::report::Rule;

const REASON: &str = "the highest version that the CloudProfile supports and that begins so";

/// Which versions a text stands for that is no whole version.
#[derive(Clone, Copy)]
pub struct VersionPrefix {
    major: Option<u64>,
    minor: Option<u64>,
}

impl VersionPrefix {
    /// Reads the text. `Ok(None)` where the text is a whole version, and `Err` where a part is no number.
    pub fn read(version: &str) -> Result<Option<Self>, ()> {
        let parts: Vec<&str> = version.split('.').collect();
        let number = |part: &str| if part.is_empty() { Ok(None) } else { unsigned(part).map(Some) };
        let minor = match parts.as_slice() {
            [_, _, _] => return Ok(None),
            [_, minor] => number(minor)?,
            _ => None,
        };
        Ok(Some(Self { major: number(parts.first().copied().unwrap_or_default())?, minor }))
    }

    /// Whether a version is one of those.
    pub fn has(self, version: &SemVer<'_>) -> bool {
        self.major.is_none_or(|major| major == version.major())
            && self.minor.is_none_or(|minor| minor == version.minor())
    }
}

/// Go reads a number without a sign.
fn unsigned(text: &str) -> Result<u64, ()> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().map_err(|_| ()) } else { Err(()) }
}

/// Fills in the version of the Shoot, and those of the pools that have one.
pub fn default(submission: &mut Submission<'_, '_>) {
    let version = text(&submission.defaulted.object, &["spec", "kubernetes", "version"]).to_owned();
    resolve(submission, &rules::MUT_001, &version, "/spec/kubernetes/version".to_owned());
    for index in 0..pools(&submission.defaulted.object).len() {
        let pool = pools(&submission.defaulted.object).get(index);
        let version = pool.and_then(|pool| pool.at(&["kubernetes", "version"])).and_then(Value::as_str);
        let Some(version) = version.map(str::to_owned) else { continue };
        let pointer = crate::text::join(&[&entry(WORKERS, index), "kubernetes/version"], "/");
        if !resolve(submission, &rules::MUT_002, &version, pointer) {
            return;
        }
    }
}

/// Makes a whole version of a part of one. Whether there is one.
fn resolve(submission: &mut Submission<'_, '_>, rule: &'static Rule, version: &str, pointer: String) -> bool {
    let wanted = match VersionPrefix::read(version) {
        Ok(None) => return true,
        Ok(Some(wanted)) => wanted,
        // `validate` says so.
        Err(()) => return false,
    };
    let Some((profile, now)) = submission.offer(rule, "the Kubernetes version") else { return true };
    // A person who looks at an upgrade in advance names a minor version, and means one that the profile has.
    let of_any_stage = || {
        let is_final = |stage| !matches!(stage, Stage::Active("preview") | Stage::Expired | Stage::Unavailable);
        highest_of(profile, wanted, now, is_final).or_else(|| highest_of(profile, wanted, now, |_| true))
    };
    let highest = highest_of(profile, wanted, now, |stage| stage == Stage::Active("supported"));
    let Some(highest) = highest.or_else(|| of_any_stage().filter(|_| submission.is_ahead)) else { return false };
    if highest != version {
        submission.defaulted.set(rule, pointer, Value::string(highest), REASON);
    }
    true
}

/// The highest of the wanted versions that are in such a stage.
fn highest_of<'v>(
    profile: &'v Value<'v>,
    wanted: VersionPrefix,
    now: Time,
    is_in: impl Fn(Stage<'v>) -> bool,
) -> Option<&'v str> {
    let versions = items(profile, &["kubernetes", "versions"]).iter();
    let supported = versions.filter(|version| is_in(Stage::of(version, Some(now))));
    let read = supported.filter_map(|version| Some((SemVer::parse(text(version, &["version"]))?, version)));
    let highest = read
        .filter(|(version, _)| wanted.has(version))
        .reduce(|best, one| if one.0 > best.0 { one } else { best });
    highest.map(|(_, version)| text(version, &["version"]))
}
