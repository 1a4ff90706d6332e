//! The rules on the control plane: etcd, controller manager, scheduler, kube-proxy and autoscalers.

mod api_server;

use serde_json::{Value, json};

use crate::provider::gardener::shoot::tests::judged;

/// A value that Gardener takes, one that it refuses, and the rules that say so.
type Row = (&'static str, Value, Value, &'static [&'static str]);

const OLD: &str = "1.31.9";
const MIDDLE: &str = "1.33.7";
const NEW: &str = "1.35.1";

/// A Shoot of that version, with workers or without.
fn shoot(version: &str, has_workers: bool) -> Value {
    let pool = json!({ "name": "a", "machine": { "type": "small" } });
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": {
            "kubernetes": { "version": version },
            "networking": {},
            "provider": { "type": "aws", "workers": if has_workers { vec![pool] } else { vec![] } },
        },
    })
}

/// Sets a value at a place below `spec`, such as `kubernetes.etcd`.
fn set(shoot: &mut Value, place: &str, value: &Value) {
    let place = place.split('.').fold(&mut shoot["spec"], |around, key| &mut around[key]);
    *place = value.clone();
}

/// The rules that refuse something of `spec.kubernetes`, in their order.
fn rules(object: &Value, old: Option<&Value>) -> Vec<String> {
    let answer = judged(object, old, &json!({ "gardenerVersion": "1.143.1" }));
    let findings = answer["findings"].as_array().unwrap();
    let is_of_kubernetes = |finding: &&Value| finding["field"].as_str().unwrap().starts_with("spec.kubernetes");
    findings.iter().filter(is_of_kubernetes).map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

fn judge(version: &str, has_workers: bool, rows: Vec<Row>) {
    for (place, taken, refused, expected) in rows {
        let mut object = shoot(version, has_workers);
        set(&mut object, place, &taken);
        assert_eq!(rules(&object, None), [""; 0], "{place}: {taken}");
        set(&mut object, place, &refused);
        assert_eq!(rules(&object, None), expected, "{place}: {refused}");
    }
}

/// Rows about one place.
fn row(place: &'static str) -> impl Fn(Value, Value, &'static [&'static str]) -> Row {
    move |taken, refused, rules| (place, taken, refused, rules)
}

#[test]
fn without_a_version_nothing_else_is_judged() {
    let mut object = shoot(MIDDLE, true);
    object["spec"]["cloudProfile"] = json!({});
    set(&mut object, "kubernetes.kubeScheduler", &json!({ "profile": "x" }));
    assert_eq!(rules(&object, None), ["GDN-KSCH-001"]);
    set(&mut object, "kubernetes.version", &json!(""));
    assert!(!rules(&object, None).contains(&"GDN-KSCH-001".to_owned()));
}

#[test]
fn a_shoot_without_workers_has_less() {
    judge(
        MIDDLE,
        false,
        vec![
            ("kubernetes.kubeScheduler", Value::Null, json!({}), &["GDN-K8S-010"]),
            ("kubernetes.kubeProxy", Value::Null, json!({}), &["GDN-K8S-011"]),
            ("kubernetes.kubelet", Value::Null, json!({}), &["GDN-K8S-012"]),
            ("kubernetes.clusterAutoscaler", Value::Null, json!({ "expander": "x" }), &["GDN-K8S-013"]),
            ("kubernetes.verticalPodAutoscaler", Value::Null, json!({ "enabled": true }), &["GDN-K8S-014"]),
            (
                "kubernetes.kubeControllerManager",
                json!({ "featureGates": {} }),
                json!({
                    "nodeMonitorGracePeriod": "0s", "podEvictionTimeout": "1m", "horizontalPodAutoscaler": {},
                    "nodeCIDRMaskSizeIPv6": 1, "nodeCIDRMaskSize": 1, "featureGates": { "Foo": true },
                }),
                &["GDN-KCM-013", "GDN-KCM-014", "GDN-KCM-015", "GDN-KCM-016", "GDN-KCM-017", "GDN-FG-001"],
            ),
            (
                "kubernetes.kubeAPIServer.runtimeConfig",
                json!({ "apps/v1": false }),
                json!({ "discovery.k8s.io/v1": false }),
                &["GDN-API-013"],
            ),
        ],
    );
}

#[test]
fn etcds_are_not_too_small() {
    judge(
        MIDDLE,
        true,
        vec![
            (
                "kubernetes.etcd.main.autoscaling",
                json!({ "minAllowed": { "memory": "300M", "cpu": "1m" } }),
                json!({ "minAllowed": { "memory": "299999999" } }),
                &["GDN-CPA-003"],
            ),
            (
                "kubernetes.etcd.events.autoscaling",
                json!({ "minAllowed": { "memory": "60M" } }),
                json!({ "minAllowed": { "memory": "-1", "pods": "500m", "example.com/a": 0.5, "": "1" } }),
                &[
                    "GDN-CPA-002",
                    "GDN-CPA-002",
                    "GDN-CPA-004",
                    "GDN-CPA-003",
                    "GDN-CPA-004",
                    "GDN-CPA-002",
                    "GDN-CPA-004",
                ],
            ),
            ("kubernetes.etcd.main", json!({}), json!({ "autoscaling": {} }), &["GDN-CPA-001"]),
            (
                "kubernetes.kubeAPIServer.autoscaling.minAllowed",
                json!({ "cpu": "20m", "memory": "200M" }),
                json!({ "cpu": "19m", "memory": null }),
                &["GDN-CPA-003", "GDN-CPA-003"],
            ),
        ],
    );
}

#[test]
fn the_controller_manager() {
    let row = row("kubernetes.kubeControllerManager");
    judge(
        MIDDLE,
        true,
        vec![
            row(json!({ "nodeCIDRMaskSize": 16 }), json!({ "nodeCIDRMaskSize": 15 }), &["GDN-KCM-002"]),
            row(json!({}), json!({ "nodeCIDRMaskSizeIPv6": 64 }), &["GDN-KCM-003"]),
            row(json!({}), json!({ "podEvictionTimeout": "1m" }), &["GDN-KCM-005"]),
            row(
                json!({
                    "nodeMonitorGracePeriod": "1ns",
                    "horizontalPodAutoscaler": {
                        "syncPeriod": "1s", "tolerance": 1e-9, "downscaleStabilization": "1s",
                        "initialReadinessDelay": "1ns", "cpuInitializationPeriod": "1s",
                    },
                }),
                json!({
                    "nodeMonitorGracePeriod": "0s",
                    "horizontalPodAutoscaler": {
                        "syncPeriod": "999ms", "tolerance": 0.0, "downscaleStabilization": "0s",
                        "initialReadinessDelay": "0s", "cpuInitializationPeriod": "-1s",
                    },
                }),
                &["GDN-KCM-007", "GDN-KCM-008", "GDN-KCM-009", "GDN-KCM-010", "GDN-KCM-011", "GDN-KCM-012"],
            ),
            row(
                json!({ "featureGates": { "WatchList": true } }),
                json!({ "featureGates": { "Foo": true } }),
                &["GDN-FG-001"],
            ),
        ],
    );
    judge(
        OLD,
        true,
        vec![row(json!({ "podEvictionTimeout": "1m" }), json!({ "podEvictionTimeout": "0s" }), &["GDN-KCM-006"])],
    );
}

#[test]
fn ranges_of_nodes_go_with_the_families() {
    for (families, four, six, expected) in [
        (json!(["IPv6"]), 64, None, vec![]),
        (json!(["IPv6"]), 24, Some(63), vec!["GDN-KCM-001", "GDN-KCM-002", "GDN-KCM-004"]),
        (json!(["IPv4", "IPv6"]), 99, Some(124), vec![]),
        (json!(["IPv4", "IPv6"]), 24, Some(125), vec!["GDN-KCM-004"]),
    ] {
        let mut object = shoot(MIDDLE, true);
        set(&mut object, "networking.ipFamilies", &families);
        set(&mut object, "kubernetes.kubeControllerManager.nodeCIDRMaskSize", &json!(four));
        set(&mut object, "kubernetes.kubeControllerManager.nodeCIDRMaskSizeIPv6", &json!(six));
        let found = rules(&object, None);
        let found: Vec<_> = found.iter().filter(|rule| rule.starts_with("GDN-KCM")).collect();
        assert_eq!(found, expected, "{families}, {four}, {six:?}");
    }
}

#[test]
fn scheduler_and_proxy() {
    judge(
        MIDDLE,
        true,
        vec![
            ("kubernetes.kubeScheduler.profile", json!("bin-packing"), json!("x"), &["GDN-KSCH-001"]),
            ("kubernetes.kubeScheduler.kubeMaxPDVols", json!("+1"), json!("1_0"), &["GDN-KSCH-003"]),
            (
                "kubernetes.kubeScheduler.kubeMaxPDVols",
                json!("007"),
                json!("9999999999999999999"),
                &["GDN-KSCH-003"],
            ),
            ("kubernetes.kubeScheduler.kubeMaxPDVols", json!("1"), json!("-1"), &["GDN-KSCH-004"]),
            ("kubernetes.kubeScheduler.featureGates", json!({}), json!({ "Foo": true }), &["GDN-FG-001"]),
            ("kubernetes.kubeProxy.mode", json!("IPVS"), json!("ipvs"), &["GDN-KPXY-002"]),
            (
                "kubernetes.kubeProxy",
                json!({ "mode": "NFTables" }),
                json!({ "mode": "NFTables", "featureGates": { "NFTablesProxyMode": false } }),
                &["GDN-KPXY-003", "GDN-FG-004"],
            ),
            ("kubernetes.kubelet.maxPods", json!(0), json!(-1), &["GDN-KLT-002"]),
        ],
    );
    judge(NEW, true, vec![("kubernetes.kubeScheduler.kubeMaxPDVols", Value::Null, json!("1"), &["GDN-KSCH-002"])]);
}

#[test]
fn the_cluster_autoscaler() {
    let row = row("kubernetes.clusterAutoscaler");
    judge(
        MIDDLE,
        true,
        vec![
            row(
                json!({ "scaleDownDelayAfterAdd": "0s", "scaleDownUtilizationThreshold": 1.0, "scanInterval": "0s" }),
                json!({ "scaleDownDelayAfterAdd": "-1s", "scaleDownUtilizationThreshold": 1.1, "scanInterval": "-1s" }),
                &["GDN-CA-001", "GDN-CA-002", "GDN-CA-003"],
            ),
            row(
                json!({ "scaleDownUtilizationThreshold": 0, "expander": "priority,random" }),
                json!({ "scaleDownUtilizationThreshold": -1e-9, "expander": "priority, random" }),
                &["GDN-CA-002", "GDN-CA-004"],
            ),
            row(
                json!({ "maxNodeProvisionTime": "0s", "maxGracefulTerminationSeconds": 0 }),
                json!({ "maxNodeProvisionTime": "-1s", "maxGracefulTerminationSeconds": -1 }),
                &["GDN-CA-005", "GDN-CA-006"],
            ),
            row(
                json!({ "startupTaints": [], "statusTaints": ["example.com/a", "b"] }),
                json!({
                    "startupTaints": ["a b"],
                    "statusTaints": ["node.gardener.cloud/critical-components-not-ready"],
                    "ignoreTaints": ["a", "a"],
                }),
                &["GDN-CA-008", "GDN-CA-009", "GDN-CA-007", "GDN-CA-010"],
            ),
            row(
                json!({ "newPodScaleUpDelay": "0s" }),
                json!({ "newPodScaleUpDelay": "-1s", "maxEmptyBulkDelete": 1, "maxScaleDownParallelism": -1 }),
                &["GDN-CA-011", "GDN-CA-012", "GDN-CA-014", "GDN-CA-015"],
            ),
            row(
                json!({ "verbosity": 0, "maxBinpackingTime": "0s" }),
                json!({ "verbosity": -1, "maxDrainParallelism": -1, "maxBinpackingTime": "-1s" }),
                &["GDN-CA-016", "GDN-CA-016", "GDN-CA-017"],
            ),
        ],
    );
    judge(
        OLD,
        true,
        vec![row(
            json!({ "ignoreTaints": ["a"], "maxEmptyBulkDelete": 1, "maxScaleDownParallelism": 1 }),
            json!({ "maxEmptyBulkDelete": -1 }),
            &["GDN-CA-013"],
        )],
    );
}

#[test]
fn the_vertical_pod_autoscaler() {
    let row = row("kubernetes.verticalPodAutoscaler");
    judge(
        MIDDLE,
        true,
        vec![
            row(
                json!({ "evictAfterOOMThreshold": "0s", "evictionRateBurst": 0, "evictionTolerance": 0.999 }),
                json!({ "evictAfterOOMThreshold": "-1s", "evictionRateBurst": -1, "evictionTolerance": 1.0 }),
                &["GDN-VPA-001", "GDN-VPA-002", "GDN-VPA-003"],
            ),
            row(
                json!({ "updaterInterval": "0s", "targetCPUPercentile": 1, "memoryAggregationIntervalCount": 0 }),
                json!({
                    "updaterInterval": "-1s", "targetCPUPercentile": 1.1, "targetMemoryPercentile": -0.1,
                    "memoryAggregationInterval": "-1s", "memoryAggregationIntervalCount": -1,
                }),
                &["GDN-VPA-004", "GDN-VPA-005", "GDN-VPA-005", "GDN-VPA-006", "GDN-VPA-007"],
            ),
            row(
                json!({ "featureGates": { "InPlaceOrRecreate": true, "PerVPAConfig": true }, "maxAllowed": { "cpu": "1" } }),
                json!({ "featureGates": { "Foo": true, "Bar": true }, "maxAllowed": { "cpu": "-1", "pods": "1" } }),
                &["GDN-VPA-008", "GDN-VPA-010", "GDN-VPA-009"],
            ),
            row(
                json!({ "recommenderUpdateWorkerCount": 1 }),
                json!({ "recommenderUpdateWorkerCount": 0 }),
                &["GDN-VPA-011"],
            ),
        ],
    );
}
