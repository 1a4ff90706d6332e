//! The vertical pod autoscaler (GDN-VPA). Gardener judges it also where it is off.

use super::KUBERNETES;
use super::autoscaling::{RESOURCES, judge_quantity, written};
use crate::document::Value;
use crate::kube::names::entries;
use crate::provider::gardener::fields::supported;
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::limits::Measure::{Duration, Integer, Share};
use crate::provider::gardener::shoot::limits::{self, ALL, Limit, NO_NEGATIVE_TIME, NOT_NEGATIVE, PART};
use crate::provider::gardener::shoot::named;
use crate::report::{ErrorType, Report, Rule};

/// The feature gates that the autoscaler has.
const GATES: &[&str] = &["CPUStartupBoost", "InPlace", "PerVPAConfig"];
/// Those that it had before Gardener 1.145.
const FORMER_GATES: &[&str] = &["InPlaceOrRecreate", "PerVPAConfig"];

const fn time(rule: &'static Rule, key: &'static str) -> Limit {
    Limit::of(rule, key, Duration, NO_NEGATIVE_TIME)
}

const fn fraction(key: &'static str) -> Limit {
    Limit::of(&rules::GDN_VPA_003, key, Share, "fraction value must be in the range [0, 1)").at_most(PART)
}

const fn percentile(key: &'static str) -> Limit {
    Limit::of(&rules::GDN_VPA_005, key, Share, "percentile value must be in the range [0, 1]").at_most(ALL)
}

static LIMITS: [Limit; 16] = [
    time(&rules::GDN_VPA_001, "evictAfterOOMThreshold"),
    Limit::of(&rules::GDN_VPA_002, "evictionRateBurst", Integer, NO_NEGATIVE_TIME),
    fraction("evictionTolerance"),
    fraction("recommendationMarginFraction"),
    time(&rules::GDN_VPA_004, "updaterInterval"),
    time(&rules::GDN_VPA_004, "recommenderInterval"),
    percentile("targetCPUPercentile"),
    percentile("recommendationLowerBoundCPUPercentile"),
    percentile("recommendationUpperBoundCPUPercentile"),
    percentile("targetMemoryPercentile"),
    percentile("recommendationLowerBoundMemoryPercentile"),
    percentile("recommendationUpperBoundMemoryPercentile"),
    time(&rules::GDN_VPA_006, "cpuHistogramDecayHalfLife"),
    time(&rules::GDN_VPA_006, "memoryHistogramDecayHalfLife"),
    time(&rules::GDN_VPA_006, "memoryAggregationInterval"),
    Limit::of(&rules::GDN_VPA_007, "memoryAggregationIntervalCount", Integer, NOT_NEGATIVE),
];

static LAST: [Limit; 1] =
    [Limit::of(&rules::GDN_VPA_011, "recommenderUpdateWorkerCount", Integer, "must be greater than 0")
        .at_least(1)];

/// Judges the autoscaler of a Shoot with workers, in the order in which Gardener does.
pub fn judge(garden: Garden, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(scaler) = kubernetes.get("verticalPodAutoscaler") else { return };
    let path = KUBERNETES.key("verticalPodAutoscaler");
    limits::judge(&LIMITS, scaler, &path, report);
    // Gardener reports one of them.
    let (known, former) = if garden.is_from(145) { (GATES, FORMER_GATES) } else { (FORMER_GATES, &[][..]) };
    if let Some((gate, _)) =
        entries(scaler.get("featureGates")).into_iter().find(|(gate, _)| !known.contains(gate))
    {
        let gates = path.key("featureGates");
        let place = named(&gates, gate);
        let entry = report.error(&rules::GDN_VPA_008, &place, ErrorType::Invalid, "unknown feature gate");
        if former.contains(&gate) {
            entry.since(145).remedy("Remove the gate: the autoscaler has it no more.").fix_removal();
        }
    }
    let allowed = path.key("maxAllowed");
    for (resource, quantity) in entries(scaler.get("maxAllowed")) {
        let place = named(&allowed, resource);
        if !RESOURCES.contains(&resource) {
            let detail = supported(RESOURCES.into_iter());
            report.error(&rules::GDN_VPA_009, &place, ErrorType::NotSupported, detail);
        }
        judge_quantity(&rules::GDN_VPA_010, resource, written(quantity), &place, report);
    }
    limits::judge(&LAST, scaler, &path, report);
}
