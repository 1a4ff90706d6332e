//! How small and how large numbers of a kubelet may be.

use crate::document::{Path, Value};
use crate::provider::gardener::rules::kubelet as rules;
use crate::provider::gardener::shoot::limits::Measure::{Duration, Integer, Quantity};
use crate::provider::gardener::shoot::limits::{
    self, HOUR, Limit, NO_NEGATIVE_TIME, NOT_NEGATIVE, SECOND, is_negative,
};
use crate::report::{ErrorType, Report};

/// A reason to evict pods: its key, and the name by which field errors print the key.
type Signal = (&'static str, &'static str);

const MEMORY: Signal = ("memoryAvailable", "memoryAvailable");
const IMAGES: Signal = ("imageFSAvailable", "imagefsAvailable");
const IMAGE_INODES: Signal = ("imageFSInodesFree", "imagefsInodesFree");
const NODE: Signal = ("nodeFSAvailable", "nodefsAvailable");
/// The signals that Gardener judges; it never looks at `nodeFSInodesFree`.
const SIGNALS: [Signal; 4] = [MEMORY, IMAGES, IMAGE_INODES, NODE];

/// What is freed at least for a signal.
const fn reclaim((key, printed): Signal) -> Limit {
    Limit::of(&rules::GDN_KLT_009, key, Quantity, NOT_NEGATIVE).printed(printed).within("evictionMinimumReclaim")
}

/// How long a signal may last.
const fn grace((key, printed): Signal) -> Limit {
    let limit = Limit::of(&rules::GDN_KLT_010, key, Duration, NO_NEGATIVE_TIME);
    limit.printed(printed).within("evictionSoftGracePeriod")
}

/// What is kept free for Kubernetes.
const fn reserved(key: &'static str) -> Limit {
    Limit::of(&rules::GDN_KLT_011, key, Quantity, NOT_NEGATIVE).within("kubeReserved")
}

/// An age of images, of which Gardener counts whole seconds.
const fn age(key: &'static str) -> Limit {
    Limit::of(&rules::GDN_KLT_012, key, Duration, NOT_NEGATIVE).at_least(1 - SECOND)
}

/// A percentage.
const fn percent(key: &'static str) -> Limit {
    Limit::of(&rules::GDN_KLT_013, key, Integer, "value must be in [0,100]").at_most(100)
}

static LIMITS: &[Limit] = &[
    Limit::of(&rules::GDN_KLT_002, "maxPods", Integer, NOT_NEGATIVE),
    Limit::of(&rules::GDN_KLT_003, "podPidsLimit", Integer, "podPIDsLimit value must be at least 100")
        .printed("podPIDsLimit")
        .at_least(100),
    Limit::of(&rules::GDN_KLT_004, "evictionPressureTransitionPeriod", Duration, NO_NEGATIVE_TIME),
    Limit::of(&rules::GDN_KLT_005, "evictionMaxPodGracePeriod", Integer, NOT_NEGATIVE),
    reclaim(MEMORY),
    reclaim(IMAGES),
    reclaim(IMAGE_INODES),
    reclaim(NODE),
    grace(MEMORY),
    grace(IMAGES),
    grace(IMAGE_INODES),
    grace(NODE),
    reserved("cpu"),
    reserved("memory"),
    reserved("ephemeralStorage"),
    reserved("pid"),
    age("imageMinimumGCAge"),
    age("imageMaximumGCAge"),
    percent("imageGCHighThresholdPercent"),
    percent("imageGCLowThresholdPercent"),
    Limit::of(&rules::GDN_KLT_016, "registryPullQPS", Integer, NOT_NEGATIVE),
    Limit::of(&rules::GDN_KLT_016, "registryBurst", Integer, NOT_NEGATIVE),
    Limit::of(&rules::GDN_KLT_017, "containerLogMaxFiles", Integer, "value must be >= 2.").at_least(2),
    Limit::of(&rules::GDN_KLT_018, "containerLogMaxSize", Quantity, NOT_NEGATIVE),
    Limit::of(&rules::GDN_KLT_019, "streamingConnectionIdleTimeout", Duration, "value must be between 30s and 4h")
        .at_least(30 * SECOND)
        .at_most(4 * HOUR),
    Limit::of(&rules::GDN_KLT_023, "maxParallelImagePulls", Integer, "value must be >= 1").at_least(1),
];

/// Judges all numbers of a kubelet at `path`.
pub fn judge(kubelet: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    limits::judge(LIMITS, kubelet, path, report);
    for &(group, of_text, of_percent) in &[
        ("evictionHard", &rules::GDN_KLT_006, &rules::GDN_KLT_007),
        ("evictionSoft", &rules::GDN_KLT_008, &rules::GDN_KLT_008),
    ] {
        for (key, printed) in SIGNALS {
            let threshold = kubelet.at(&[group, key]).and_then(Value::as_str);
            let Some((is_percent, detail)) = threshold.and_then(fault_of_threshold) else { continue };
            let rule = if is_percent { of_percent } else { of_text };
            report.error(rule, &path.key(group).renamed(key, printed), ErrorType::Invalid, detail);
        }
    }
}

/// What is wrong with a quantity or a percentage, and whether it is a percentage.
fn fault_of_threshold(text: &str) -> Option<(bool, &'static str)> {
    if is_negative(text) == Some(false) {
        return None;
    }
    let digits = text.strip_suffix('%').filter(|digits| !digits.is_empty());
    match digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(digits) if digits.parse::<u64>().is_ok_and(|percent| percent <= 100) => None,
        Some(_) => Some((true, "must not be greater than 100% and not smaller than 0%")),
        None => {
            Some((false, "field must be either a valid resource quantity (e.g 200Mi) or a percentage (e.g '5%')"))
        }
    }
}
