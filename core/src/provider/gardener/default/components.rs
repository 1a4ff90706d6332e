//! The components of Kubernetes that a Shoot with worker pools has (DEF-11 to DEF-26), and its API server (DEF-70
//! to DEF-74).

use super::fill::{Row, fill, has, number, put, put_absent, row, text};
use super::places::pools;
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::fields::{flag, integer, items, texts};
use crate::provider::gardener::rules::default as rules;

const KUBERNETES: &str = "/spec/kubernetes";
const KUBELET: &str = "/spec/kubernetes/kubelet";
const MANAGER: &str = "/spec/kubernetes/kubeControllerManager";
const TOLERATION: &str = "pods leave a node that is gone after five minutes";
const REQUESTS: &str = "the API server serves so many requests at a time unless you say otherwise";
const PROXY: &str = "Services reach pods by kube-proxy unless you say otherwise";
const IMAGES: &str = "the kubelet removes unused images from a full disk unless you say otherwise";
const RANGE: &str = "each node gets a range for so many pods as the kubelet may run";

static SCHEDULED: &[Row] = &[
    row(&rules::DEF_011, &["kubeAPIServer", "defaultNotReadyTolerationSeconds"], number("300"), TOLERATION),
    row(&rules::DEF_012, &["kubeAPIServer", "defaultUnreachableTolerationSeconds"], number("300"), TOLERATION),
];

static COMPONENTS: &[Row] = &[
    row(
        &rules::DEF_018,
        &["kubeControllerManager", "nodeMonitorGracePeriod"],
        text("40s"),
        "a node that is silent for so long counts as gone",
    ),
    row(
        &rules::DEF_019,
        &["kubeScheduler", "profile"],
        text("balanced"),
        "pods are spread over the nodes unless you ask for full nodes",
    ),
    row(&rules::DEF_020, &["kubeProxy", "mode"], text("IPTables"), PROXY),
    row(&rules::DEF_020, &["kubeProxy", "enabled"], Value::Bool(true), PROXY),
];

static GARBAGE: &[Row] = &[
    row(&rules::DEF_022, &["kubelet", "imageMinimumGCAge"], text("2m0s"), IMAGES),
    row(&rules::DEF_023, &["kubelet", "imageMaximumGCAge"], text("0s"), IMAGES),
    row(&rules::DEF_024, &["kubelet", "imageGCHighThresholdPercent"], number("50"), IMAGES),
    row(&rules::DEF_025, &["kubelet", "imageGCLowThresholdPercent"], number("40"), IMAGES),
];

static API_SERVER: &[Row] = &[
    row(&rules::DEF_070, &["kubeAPIServer", "requests", "maxNonMutatingInflight"], number("400"), REQUESTS),
    row(&rules::DEF_070, &["kubeAPIServer", "requests", "maxMutatingInflight"], number("200"), REQUESTS),
    row(&rules::DEF_072, &["kubeAPIServer", "eventTTL"], text("1h0m0s"), "events are kept for an hour"),
    row(
        &rules::DEF_073,
        &["kubeAPIServer", "logging", "verbosity"],
        number("2"),
        "the API server logs so much unless you say otherwise",
    ),
    row(
        &rules::DEF_074,
        &["kubeAPIServer", "encryptionConfig", "provider", "type"],
        text("aescbc"),
        "Secrets are encrypted in etcd in this way unless you say otherwise",
    ),
];

/// Fills in what only Shoots with worker pools have.
pub fn with_pools(defaulted: &mut Defaulted<'_>) {
    fill(defaulted, KUBERNETES, SCHEDULED);
    node_ranges(defaulted);
    fill(defaulted, KUBERNETES, COMPONENTS);
    let reason = "the kubelet does not start on a node with swap unless you allow that";
    put_absent(defaulted, &rules::DEF_021, (KUBERNETES, &["kubelet", "failSwapOn"]), Value::Bool(true), reason);
    swap(defaulted, KUBELET, &rules::DEF_021);
    fill(defaulted, KUBERNETES, GARBAGE);
    let kubelet = defaulted.object.pointer(KUBELET).unwrap_or(&Value::Null);
    let is_serial = integer(kubelet, &["maxParallelImagePulls"]) < 2;
    let reason = "images are pulled one by one unless you allow several at a time";
    put_absent(defaulted, &rules::DEF_026, (KUBELET, &["serializeImagePulls"]), Value::Bool(is_serial), reason);
}

/// Fills in how the API server works.
pub fn api_server(defaulted: &mut Defaulted<'_>) {
    fill(defaulted, KUBERNETES, API_SERVER);
}

/// Fills in how a kubelet uses swap where its nodes may have some.
pub fn swap(defaulted: &mut Defaulted<'_>, kubelet: &str, rule: &'static crate::report::Rule) {
    let Some(settings) = defaulted.object.pointer(kubelet) else { return };
    let has_swap = flag(settings, &["featureGates", "NodeSwap"]) == Some(true);
    if has_swap && flag(settings, &["failSwapOn"]) == Some(false) {
        let reason = "pods use no more swap than their share";
        put_absent(
            defaulted,
            rule,
            (kubelet, &["memorySwap", "swapBehavior"]),
            Value::string("LimitedSwap"),
            reason,
        );
    }
}

/// Fills in how large the range of pod addresses of a node is (DEF-14 to DEF-16).
fn node_ranges(defaulted: &mut Defaulted<'_>) {
    let families: Vec<&str> = texts(items(&defaulted.object, &["spec", "networking", "ipFamilies"])).collect();
    let is_v4 = matches!(families.as_slice(), [] | ["IPv4"]);
    let is_v6 = families == ["IPv6"];
    let is_dual = families.contains(&"IPv4") && families.contains(&"IPv6");
    let (four, six) = ("nodeCIDRMaskSize", "nodeCIDRMaskSizeIPv6");
    if is_v6 && (has(defaulted, MANAGER, &[four]) || has(defaulted, MANAGER, &[six])) {
        return;
    }
    let path = (KUBERNETES, &["kubeControllerManager", four][..]);
    if is_v4 || is_dual {
        let size = Value::Number(mask_size(&defaulted.object).to_string().into());
        put_absent(defaulted, if is_dual { &rules::DEF_016 } else { &rules::DEF_014 }, path, size, RANGE);
    }
    if is_v6 {
        put(defaulted, &rules::DEF_015, path, number("64"), RANGE);
    }
    if is_dual {
        let path = (KUBERNETES, &["kubeControllerManager", six][..]);
        put_absent(defaulted, &rules::DEF_016, path, number("64"), RANGE);
    }
}

/// What the API server computes for kubelets without pods: the logarithm is no number then, and the difference
/// overflows.
const OF_NO_PODS: i64 = -2_147_483_616;

/// The length of the prefix that leaves twice as many addresses as a node has pods.
fn mask_size(shoot: &Value<'_>) -> i64 {
    const MOST_PODS: &[&str] = &["kubernetes", "kubelet", "maxPods"];
    let own = shoot.at(&["spec"]).filter(|spec| spec.at(MOST_PODS).is_some());
    let own = own.map_or(110, |spec| integer(spec, MOST_PODS));
    let most = pools(shoot).iter().map(|pool| integer(pool, MOST_PODS)).fold(own, i64::max);
    match u64::try_from(most) {
        Ok(most @ 1..) => i64::from(32 - (64 - (most * 2 - 1).leading_zeros()).cast_signed()),
        _ => OF_NO_PODS,
    }
}
