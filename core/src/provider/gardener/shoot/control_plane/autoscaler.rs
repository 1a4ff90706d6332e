//! The cluster autoscaler (GDN-CA).

use super::{KUBERNETES, autoscaling};
use crate::collections::NameSet;
use crate::document::{PatchOperation, Path, Value};
use crate::kube::listing::Interval;
use crate::kube::names::qualified_faults;
use crate::kube::version::{NO_VERSION, Version, is_at_least};
use crate::provider::gardener::fields::{integer, supported, texts};
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::Check;
use crate::provider::gardener::shoot::limits::Measure::{Duration, Integer, Share};
use crate::provider::gardener::shoot::limits::{self, ALL, Limit, NO_NEGATIVE_TIME, NOT_NEGATIVE};
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

/// How the autoscaler chooses a pool.
const EXPANDERS: [&str; 5] = ["least-nodes", "least-waste", "most-pods", "priority", "random"];

/// A taint that Gardener sets itself.
const RESERVED: &str = "node.gardener.cloud/critical-components-not-ready";

const THRESHOLD: &str = "scaleDownUtilizationThreshold";

/// The lists of taints, each with the name that field errors add, and the versions that have it.
const TAINTS: [(&str, &str, Interval); 3] = [
    ("startupTaints", "startupTaints.StartupTaints", Interval { added: Some(29), removed: None }),
    ("statusTaints", "statusTaints.StatusTaints", Interval { added: Some(29), removed: None }),
    ("ignoreTaints", "ignoreTaints.IgnoreTaints", Interval { added: Some(14), removed: Some(32) }),
];

const fn time(rule: &'static Rule, key: &'static str) -> Limit {
    Limit::of(rule, key, Duration, NO_NEGATIVE_TIME)
}

static BEFORE_EXPANDER: [Limit; 7] = [
    time(&rules::GDN_CA_001, "scaleDownDelayAfterAdd"),
    time(&rules::GDN_CA_001, "scaleDownDelayAfterDelete"),
    time(&rules::GDN_CA_001, "scaleDownDelayAfterFailure"),
    time(&rules::GDN_CA_001, "scaleDownUnneededTime"),
    Limit::of(&rules::GDN_CA_002, THRESHOLD, Share, "can not be negative"),
    Limit::of(&rules::GDN_CA_002, THRESHOLD, Share, "can not be greater than 1.0").at_least(i64::MIN).at_most(ALL),
    time(&rules::GDN_CA_003, "scanInterval"),
];

static BEFORE_TAINTS: [Limit; 2] = [
    time(&rules::GDN_CA_005, "maxNodeProvisionTime"),
    Limit::of(&rules::GDN_CA_006, "maxGracefulTerminationSeconds", Integer, NOT_NEGATIVE),
];

static BEFORE_BULK: [Limit; 1] = [time(&rules::GDN_CA_011, "newPodScaleUpDelay")];

static BULK: [Limit; 2] = [
    Limit::of(&rules::GDN_CA_013, "maxEmptyBulkDelete", Integer, "can not be negative"),
    Limit::of(&rules::GDN_CA_014, "maxScaleDownParallelism", Integer, NOT_NEGATIVE),
];

static LAST: [Limit; 6] = [
    Limit::of(&rules::GDN_CA_016, "maxDrainParallelism", Integer, NOT_NEGATIVE),
    Limit::of(&rules::GDN_CA_016, "verbosity", Integer, NOT_NEGATIVE),
    time(&rules::GDN_CA_017, "initialNodeGroupBackoffDuration"),
    time(&rules::GDN_CA_017, "maxNodeGroupBackoffDuration"),
    time(&rules::GDN_CA_017, "nodeGroupBackoffResetTimeout"),
    time(&rules::GDN_CA_017, "maxBinpackingTime"),
];

/// The least that the autoscaling of the autoscaler may allow (GDN-CA-018).
const LEAST: [(&str, &str); 2] = [("cpu", "10m"), ("memory", "30M")];

/// Judges the autoscaler of a Shoot with workers, in the order in which Gardener does.
pub fn judge(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(scaler) = kubernetes.get("clusterAutoscaler") else { return };
    let path = KUBERNETES.key("clusterAutoscaler");
    limits::judge(&BEFORE_EXPANDER, scaler, &path, report);
    if let Some(expander) = scaler.get("expander").and_then(Value::as_str) {
        judge_expander(expander, &path.key("expander"), report);
    }
    limits::judge(&BEFORE_TAINTS, scaler, &path, report);
    for (key, printed, versions) in TAINTS {
        if let Some(taints) = scaler.get(key) {
            has_taints(check.version(), versions, &path.renamed(key, printed), report);
            judge_taints(taints, &path.key(key), report);
        }
    }
    limits::judge(&BEFORE_BULK, scaler, &path, report);
    bulk(check, scaler, &path, report);
    limits::judge(&LAST, scaler, &path, report);
    if let Some(scaling) = scaler.get("autoscaling").filter(|_| check.garden.is_from(147)) {
        autoscaling::judge(scaling, &LEAST, &path.key("autoscaling"), report);
    }
}

/// Judges one expander, or several with commas between them.
fn judge_expander(expander: &str, path: &Path<'_>, report: &mut Report<'_>) {
    for part in expander.split(',').filter(|part| !EXPANDERS.contains(part)) {
        let detail = supported(EXPANDERS.into_iter());
        let entry = report.error(&rules::GDN_CA_004, path, ErrorType::NotSupported, detail);
        if part == expander {
            offer(entry, part, &EXPANDERS, by_likeness);
        }
    }
}

/// Judges whether the version of Kubernetes has a list of taints.
fn has_taints(version: &str, versions: Interval, path: &Path<'_>, report: &mut Report<'_>) {
    match Version::parse(version) {
        None => {
            report.error(&rules::GDN_CA_007, path, ErrorType::Invalid, NO_VERSION);
        }
        Some(parsed) if !versions.contains(parsed) => {
            let detail = join(&["not supported in Kubernetes version", version], " ");
            report.error(&rules::GDN_CA_007, path, ErrorType::Forbidden, detail).fix_removal();
        }
        Some(_) => {}
    }
}

fn judge_taints(taints: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::new();
    for (index, taint) in texts(taints.items()).enumerate() {
        let place = path.index(index);
        for fault in qualified_faults(taint) {
            report.error(&rules::GDN_CA_008, &place, ErrorType::Invalid, fault);
        }
        if taint == RESERVED {
            let detail = "taint key is reserved by gardener";
            report
                .error(&rules::GDN_CA_009, &place, ErrorType::Forbidden, detail)
                .fix_removal_from(taints.items());
        }
        if !seen.insert(taint) {
            report.error(&rules::GDN_CA_010, &place, ErrorType::Duplicate, "").fix_removal_from(taints.items());
        }
    }
}

/// Judges how many nodes are deleted at once.
fn bulk(check: &Check<'_>, scaler: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (key, newer) = ("maxEmptyBulkDelete", "maxScaleDownParallelism");
    let place = path.key(key);
    let old = scaler.get(key);
    if let Some(old) = old.filter(|_| is_at_least(check.version(), 33)) {
        let detail = "for Kubernetes versions >= 1.33, maxEmptyBulkDelete field is no longer supported, use \
                      maxScaleDownParallelism instead";
        let entry = report.error(&rules::GDN_CA_012, &place, ErrorType::Forbidden, detail);
        // Where nobody wrote the newer field, it has the number of the older one by default.
        entry.fix(vec![
            PatchOperation::add(path.key(newer).pointer(), scaler.get(newer).unwrap_or(old)),
            PatchOperation::remove(place.pointer()),
        ]);
    }
    limits::judge(&BULK, scaler, path, report);
    let number = integer(scaler, &[newer]);
    if old.is_some() && scaler.get(newer).is_some() && integer(scaler, &[key]) != number {
        let detail = join(&["must equal maxScaleDownParallelism", &number.to_string()], " ");
        report.error(&rules::GDN_CA_015, &place, ErrorType::Invalid, detail);
    }
}
