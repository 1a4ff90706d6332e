//! The Kubernetes versions of a Shoot and of its pools.

use super::lifecycle::{NO_TIME, Stage, is_dated, is_open};
use super::{Check, Pool};
use crate::document::{Path, Value};
use crate::kube::version::Version;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::profile as rules;
use crate::provider::gardener::rules::update::GDN_ADV_002;
use crate::provider::gardener::structure::nearest::{by_number, offer};
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

const VERSION: &[&str] = &["spec", "kubernetes", "version"];

/// Judges the version of the Shoot.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let version = text(check.shoot, VERSION);
    if check.old.map(|old| text(old, VERSION)).unwrap_or_default() == version {
        return;
    }
    let path = Path::root("spec.kubernetes.version", "/spec/kubernetes/version");
    offered(check, version, check.old.is_none(), &path, &rules::ADM_K8S_001, report);
    if check.request.is_ahead() {
        way(check, version, &path, report);
    }
}

/// Complains of minor versions on the way of an upgrade that the profile lacks.
fn way(check: &Check<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    /// Nobody goes further in one upgrade.
    const MOST: usize = 16;
    let old = check.old.map(|old| text(old, VERSION)).unwrap_or_default();
    let (Some(from), Some(to)) = (Version::parse(old), Version::parse(version)) else { return };
    let is_missing = |minor: &Version| {
        let is_of = |candidate: &Value<'_>| {
            Version::parse(text(candidate, &["version"])).map(|known| known.minors_later(0)) == Some(*minor)
        };
        !candidates(check, false).any(is_of)
    };
    let minors = (1..).map(|more| from.minors_later(more)).take(MOST);
    let missing: Vec<String> = minors
        .take_while(|minor| *minor < to.minors_later(0))
        .filter(is_missing)
        .map(|minor| {
            let [major, minor, _] = minor.numbers().map(|number| number.to_string());
            join(&[&major, &minor], ".")
        })
        .collect();
    if !missing.is_empty() {
        let minors: Vec<&str> = missing.iter().map(String::as_str).collect();
        let minors = join(&minors, ", ");
        let detail = join(&["Gardener goes by ", &minors, ", of which the CloudProfile has no version"], "");
        report.error(&GDN_ADV_002, path, ErrorType::Forbidden, detail);
    }
}

/// Judges the version of a pool.
pub fn judge_pool(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) {
    let version = text(pool.worker, &["kubernetes", "version"]);
    let own = pool.old.map(|old| text(old, &["kubernetes", "version"])).filter(|version| !version.is_empty());
    let before = own.or(check.old.map(|old| text(old, VERSION)));
    if version.is_empty() || before == Some(version) {
        return;
    }
    let kubernetes = pool.path.key("kubernetes");
    offered(check, version, pool.old.is_none(), &kubernetes.key("version"), &rules::ADM_K8S_002, report);
}

/// Complains where the profile has no such version.
fn offered(
    check: &Check<'_>,
    version: &str,
    only_active: bool,
    path: &Path<'_>,
    rule: &'static Rule,
    report: &mut Report<'_>,
) {
    let found = candidates(check, only_active).find(|candidate| text(candidate, &["version"]) == version);
    match found {
        Some(found) if only_active && check.now.is_none() && is_dated(found) => {
            report.undecided(rule, NO_TIME, None);
        }
        Some(_) => {}
        // The API server completes such a version by the time, which nobody knows here.
        None if check.now.is_none() && is_open(version) => report.undecided(rule, NO_TIME, None),
        None => {
            let entry = report.error(rule, path, ErrorType::NotSupported, list(check, only_active));
            let entry = match remedy(check, version, only_active) {
                Some(remedy) => entry.remedy(remedy),
                None => entry,
            };
            // The person who looks at an upgrade in advance means this version and no other one.
            if check.request.is_ahead() {
                entry.remedy(
                    "Go to one of the listed versions, or ask the operators of the CloudProfile for this one.",
                );
            } else {
                choose(check, version, only_active, entry);
            }
        }
    }
}

/// The versions that may be chosen, in the order of the profile.
fn candidates<'c>(check: &Check<'c>, only_active: bool) -> impl Iterator<Item = &'c Value<'c>> {
    let now = check.now;
    let versions = items(check.profile, &["kubernetes", "versions"]).iter();
    versions.filter(move |version| !only_active || Stage::of(version, now).is_active())
}

/// Offers the nearest versions. Nobody should come to a preview by a mistake.
fn choose(check: &Check<'_>, version: &str, only_active: bool, entry: Reported<'_>) {
    let final_ones = candidates(check, only_active).filter(|version| !is_preview(version));
    let versions: Vec<&str> = final_ones.map(|version| text(version, &["version"])).collect();
    offer(entry, version, &versions, by_number);
}

/// What to do where the words of the rule say too little: the profile has no version, or has previews.
fn remedy(check: &Check<'_>, version: &str, only_active: bool) -> Option<String> {
    if candidates(check, only_active).next().is_none() {
        return Some("Ask the operators of the CloudProfile for a Kubernetes version: it offers none.".to_owned());
    }
    let meant: Vec<&Value<'_>> = candidates(check, only_active)
        .filter(|candidate| is_part(version, text(candidate, &["version"])))
        .collect();
    if let Some(remedy) = preview_remedy(version, &meant, is_preview) {
        return Some(remedy);
    }
    candidates(check, only_active).any(is_preview).then(|| {
        "Choose one of the listed versions. A preview has to be chosen in full, without the word `(preview)`."
            .to_owned()
    })
}

/// Whether a version has further numbers behind those of another one, as 1.33.4 has behind 1.33.
pub fn is_part(version: &str, whole: &str) -> bool {
    whole.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'))
}

/// What to do where a version is the beginning of previews alone, which nobody chooses for a person.
pub fn preview_remedy(
    version: &str,
    meant: &[&Value<'_>],
    is_preview: impl Fn(&Value<'_>) -> bool,
) -> Option<String> {
    let first = meant.first().filter(|_| meant.iter().all(|one| is_preview(one)))?;
    Some(format!(
        "Write the whole version, for example `{}`: the CloudProfile has previews alone for `{version}`, and a preview has to be \
         chosen in full.",
        text(first, &["version"])
    ))
}

fn is_preview(version: &Value<'_>) -> bool {
    text(version, &["classification"]) == "preview"
}

fn list(check: &Check<'_>, only_active: bool) -> String {
    let named: Vec<String> = candidates(check, only_active)
        .map(|version| {
            format!("{}{}", text(version, &["version"]), if is_preview(version) { " (preview)" } else { "" })
        })
        .collect();
    supported(named.iter().map(String::as_str))
}
