//! How Kubernetes versions and versions of machine images may change (GDN-UPD-020 to 023, 050 to 052).

use super::Change;
use crate::document::{Path, Value};
use crate::kube::version::{NO_VERSION, Version, compare};
use crate::provider::gardener::fields::text;
use crate::provider::gardener::profile::is_open;
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::pools::is_in_place;
use crate::report::{ErrorType, Report, Rule};

/// The place of a Shoot's Kubernetes version.
pub const KUBERNETES: Path<'_> = Path::root("spec.kubernetes.version", "/spec/kubernetes/version");

/// The rules on the change of a Kubernetes version: it stays set, can be compared, does not fall, and skips no
/// minor version.
struct Rules {
    unset: &'static Rule,
    compare: &'static Rule,
    fall: &'static Rule,
    /// None where minor versions may be skipped.
    skip: Option<&'static Rule>,
}

/// Judges the change of the Shoot's version.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let version = |shoot| text(shoot, &["spec", "kubernetes", "version"]);
    let rules = Rules {
        unset: &rules::GDN_UPD_020,
        compare: &rules::GDN_UPD_021,
        fall: &rules::GDN_UPD_022,
        skip: (!change.check.request.is_ahead()).then_some(&rules::GDN_UPD_023),
    };
    if !waits(change, [version(change.old), version(change.new)], &rules, report) {
        kubernetes(version(change.old), version(change.new), &rules, &KUBERNETES, report);
    }
}

/// Judges the versions of a worker pool, which is compared with itself where it is new.
pub fn judge_pool(
    change: &Change<'_>,
    worker: &Value<'_>,
    old: Option<&Value<'_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let old = old.unwrap_or(worker);
    let is_in_place = is_in_place(worker);
    let rule = &rules::GDN_UPD_050;
    let rules = Rules {
        unset: rule,
        compare: rule,
        fall: rule,
        skip: (is_in_place && !change.check.request.is_ahead()).then_some(rule),
    };
    let kubernetes_path = path.key("kubernetes");
    let (before, after) = (effective(change.old, old), effective(change.new, worker));
    if !waits(change, [before, after], &rules, report) {
        kubernetes(before, after, &rules, &kubernetes_path.key("version"), report);
    }
    if is_in_place {
        image(old, worker, path, report);
    }
}

/// The Kubernetes version of a pool: its own, else that of the Shoot.
pub fn effective<'v>(shoot: &'v Value<'v>, worker: &'v Value<'v>) -> &'v str {
    let own = worker.at(&["kubernetes", "version"]).and_then(Value::as_str);
    own.unwrap_or_else(|| text(shoot, &["spec", "kubernetes", "version"]))
}

/// Whether the API server completes a version on submit, or completed that of an old manifest, by a profile or a
/// time that is not known here; the report says so.
fn waits(change: &Change<'_>, [before, after]: [&str; 2], rules: &Rules, report: &mut Report<'_>) -> bool {
    let is_open = is_open(after) || change.check.is_update_of_manifest() && is_open(before);
    let waits = change.check.request.is_sent() && is_open && change.check.waits_for_profile();
    if waits {
        let why =
            "Gardener chooses a version on submit; whether the new one may follow the old one is checked then";
        report.undecided(rules.fall, why, None);
    }
    waits
}

fn kubernetes(before: &str, after: &str, rules: &Rules, path: &Path<'_>, report: &mut Report<'_>) {
    if after.is_empty() {
        let detail = "cannot validate kubernetes version upgrade because it is unset";
        report.error(rules.unset, path, ErrorType::Invalid, detail);
        return;
    }
    match compare(after, "<", before) {
        Err(error) => {
            report.error(rules.compare, path, ErrorType::Invalid, error);
        }
        Ok(true) => {
            let detail = "kubernetes version downgrade is not supported";
            report
                .error(rules.fall, path, ErrorType::Forbidden, detail)
                .remedy(["Write `", before, "` or a later version."].concat());
        }
        Ok(false) => {}
    }
    let Some(skip) = rules.skip else { return };
    let (Some(before), Some(after)) = (Version::parse(before), Version::parse(after)) else {
        report.error(rules.compare, path, ErrorType::Invalid, NO_VERSION);
        return;
    };
    if after >= before.minors_later(2) {
        let detail = "kubernetes version upgrade cannot skip a minor version";
        report.error(skip, path, ErrorType::Forbidden, detail);
    }
}

/// Judges the image of a pool that is updated in place.
fn image(old: &Value<'_>, worker: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    const VERSION: &[&str] = &["machine", "image", "version"];
    let (before, after) = (text(old, VERSION), text(worker, VERSION));
    let machine = path.key("machine");
    let image = machine.key("image");
    let path = image.key("version");
    if after.is_empty() {
        let detail = "cannot validate machine image version upgrade because it is unset";
        report.error(&rules::GDN_UPD_051, &path, ErrorType::Invalid, detail);
        return;
    }
    match compare(after, "<", before) {
        Err(error) => {
            report.error(&rules::GDN_UPD_052, &path, ErrorType::Invalid, error);
        }
        Ok(true) => {
            let detail = "machine image version downgrade is not supported when the update strategy is \
                          AutoInPlaceUpdate or ManualInPlaceUpdate";
            report.error(&rules::GDN_UPD_052, &path, ErrorType::Forbidden, detail);
        }
        Ok(false) => {}
    }
}
