//! The autoscalers of a Shoot that has some: of pods, vertically, and of nodes (DEF-35 to DEF-64).

use super::fill::{Row, fill, has, number, put_absent, row, text};
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::rules::default as rules;

const VPA: &str = "/spec/kubernetes/verticalPodAutoscaler";
const CA: &str = "/spec/kubernetes/clusterAutoscaler";
const UPDATES: &str = "so the vertical pod autoscaler updates pods unless you say otherwise";
const RECOMMENDS: &str = "so the vertical pod autoscaler recommends resources unless you say otherwise";
const NODES: &str = "so the cluster autoscaler works unless you say otherwise";

static VPA_ROWS: &[Row] = &[
    row(&rules::DEF_035, &["evictAfterOOMThreshold"], text("10m0s"), UPDATES),
    row(&rules::DEF_035, &["evictionRateBurst"], number("1"), UPDATES),
    row(&rules::DEF_035, &["evictionRateLimit"], number("-1"), UPDATES),
    row(&rules::DEF_035, &["evictionTolerance"], number("0.5"), UPDATES),
    row(&rules::DEF_035, &["recommendationMarginFraction"], number("0.15"), UPDATES),
    row(&rules::DEF_035, &["updaterInterval"], text("1m0s"), UPDATES),
    row(&rules::DEF_035, &["recommenderInterval"], text("1m0s"), UPDATES),
    row(&rules::DEF_042, &["targetCPUPercentile"], number("0.9"), RECOMMENDS),
    row(&rules::DEF_042, &["recommendationLowerBoundCPUPercentile"], number("0.5"), RECOMMENDS),
    row(&rules::DEF_042, &["recommendationUpperBoundCPUPercentile"], number("0.95"), RECOMMENDS),
    row(&rules::DEF_042, &["targetMemoryPercentile"], number("0.9"), RECOMMENDS),
    row(&rules::DEF_042, &["recommendationLowerBoundMemoryPercentile"], number("0.5"), RECOMMENDS),
    row(&rules::DEF_042, &["recommendationUpperBoundMemoryPercentile"], number("0.95"), RECOMMENDS),
    row(&rules::DEF_042, &["cpuHistogramDecayHalfLife"], text("24h0m0s"), RECOMMENDS),
    row(&rules::DEF_042, &["memoryHistogramDecayHalfLife"], text("24h0m0s"), RECOMMENDS),
    row(&rules::DEF_042, &["memoryAggregationInterval"], text("24h0m0s"), RECOMMENDS),
    row(&rules::DEF_042, &["memoryAggregationIntervalCount"], number("8"), RECOMMENDS),
    row(&rules::DEF_042, &["recommenderUpdateWorkerCount"], number("10"), RECOMMENDS),
];

static CA_ROWS: &[Row] = &[
    row(&rules::DEF_050, &["scaleDownDelayAfterAdd"], text("1h0m0s"), NODES),
    row(&rules::DEF_050, &["scaleDownDelayAfterDelete"], text("0s"), NODES),
    row(&rules::DEF_050, &["scaleDownDelayAfterFailure"], text("3m0s"), NODES),
    row(&rules::DEF_050, &["scaleDownUnneededTime"], text("30m0s"), NODES),
    row(&rules::DEF_050, &["scaleDownUtilizationThreshold"], number("0.5"), NODES),
    row(&rules::DEF_050, &["scanInterval"], text("10s"), NODES),
    row(&rules::DEF_050, &["expander"], text("least-waste"), NODES),
    row(&rules::DEF_050, &["maxNodeProvisionTime"], text("20m0s"), NODES),
    row(&rules::DEF_050, &["maxGracefulTerminationSeconds"], number("600"), NODES),
    row(&rules::DEF_050, &["ignoreDaemonsetsUtilization"], Value::Bool(false), NODES),
    row(&rules::DEF_050, &["emitPerNodeGroupMetrics"], Value::Bool(false), NODES),
    row(&rules::DEF_050, &["verbosity"], number("2"), NODES),
    row(&rules::DEF_050, &["newPodScaleUpDelay"], text("0s"), NODES),
    row(&rules::DEF_050, &["maxDrainParallelism"], number("1"), NODES),
    row(&rules::DEF_050, &["initialNodeGroupBackoffDuration"], text("5m0s"), NODES),
    row(&rules::DEF_050, &["maxNodeGroupBackoffDuration"], text("30m0s"), NODES),
    row(&rules::DEF_050, &["nodeGroupBackoffResetTimeout"], text("3h0m0s"), NODES),
    row(&rules::DEF_050, &["maxBinpackingTime"], text("5m0s"), NODES),
];

/// Fills in the autoscalers that a Shoot has.
pub fn default(defaulted: &mut Defaulted<'_>) {
    if has(defaulted, VPA, &[]) {
        fill(defaulted, VPA, VPA_ROWS);
    }
    if has(defaulted, CA, &[]) {
        fill(defaulted, CA, CA_ROWS);
        let bulk = defaulted.object.pointer(CA).and_then(|scaler| scaler.get("maxEmptyBulkDelete")).cloned();
        let (value, reason) = match bulk {
            Some(bulk) => (bulk, "it takes the place of `maxEmptyBulkDelete`"),
            None => (number("10"), NODES),
        };
        put_absent(defaulted, &rules::DEF_064, (CA, &["maxScaleDownParallelism"]), value, reason);
    }
}
