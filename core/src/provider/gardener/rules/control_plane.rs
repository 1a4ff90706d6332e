//! The control plane of a Shoot without its API server, and what works with it.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const NODES: &str = "It has no nodes.";
const REMOVE: &str = "Remove the field, or add a worker pool.";
const SMALL: &str = "Gardener sizes this part of the control plane by it, and the part does not work with less.";
const RANGES: &str = "Each node gets a range of this size for its pods.";
const EVICTS: &str = "The controller manager waits so long before it takes a node for lost.";
const SCALES: &str = "The controller manager scales pods by it.";
const NO_START: &str = "The component does not start with another value.";
const NODE_SCALER: &str = "The cluster autoscaler adds and removes nodes by it.";
const TAINTS: &str = "The cluster autoscaler looks at the taints of nodes by it.";
const POD_SCALER: &str = "The vertical pod autoscaler sizes pods by it.";
const TIME: &str = "Write a duration such as `5m`.";
const ROOM: &str = "Write 0 or more.";

rules! {
    GDN_K8S_001 = Rule::error("GDN-K8S-001", SHOOT, Both)
        .summary("A Shoot has a Kubernetes version.")
        .why("Its API server and its nodes run that version.")
        .fix("Set `spec.kubernetes.version` to a version of the CloudProfile.");
    GDN_K8S_010 = Rule::error("GDN-K8S-010", SHOOT, Both)
        .summary("A Shoot without workers has no `kubeScheduler`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_K8S_011 = Rule::error("GDN-K8S-011", SHOOT, Both)
        .summary("A Shoot without workers has no `kubeProxy`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_K8S_012 = Rule::error("GDN-K8S-012", SHOOT, Both)
        .summary("A Shoot without workers has no `kubelet`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_K8S_013 = Rule::error("GDN-K8S-013", SHOOT, Both)
        .summary("A Shoot without workers has no `clusterAutoscaler`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_K8S_014 = Rule::error("GDN-K8S-014", SHOOT, Both)
        .summary("A Shoot without workers has no `verticalPodAutoscaler`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_CPA_001 = Rule::error("GDN-CPA-001", SHOOT, Both)
        .summary("`autoscaling` of a part of the control plane has `minAllowed`.")
        .why("It has nothing else.")
        .fix("Set `minAllowed.cpu` or `minAllowed.memory`, or remove `autoscaling`.");
    GDN_CPA_002 = Rule::error("GDN-CPA-002", SHOOT, Both)
        .summary("`minAllowed` names `cpu` and `memory` alone.")
        .why(SMALL)
        .fix("Remove the resource.");
    GDN_CPA_003 = Rule::error("GDN-CPA-003", SHOOT, Both)
        .summary("`minAllowed` is not less than Gardener allows.")
        .why(SMALL)
        .fix("Write at least the quantity that is named.");
    GDN_CPA_004 = Rule::error("GDN-CPA-004", SHOOT, Both)
        .summary("A quantity in `minAllowed` is not negative, and whole where Kubernetes counts whole ones.")
        .why(SMALL)
        .fix("Write a quantity such as `1` of CPU or `2Gi` of memory.");
    GDN_KCM_001 = Rule::error("GDN-KCM-001", SHOOT, Both)
        .summary("A Shoot with IPv6 alone has one size of the range of a node, not two.")
        .why(RANGES)
        .fix("Remove `nodeCIDRMaskSize`, or `nodeCIDRMaskSizeIPv6`.");
    GDN_KCM_002 = Rule::error("GDN-KCM-002", SHOOT, Both)
        .summary("`nodeCIDRMaskSize` is between 16 and 28, and between 64 and 124 where addresses are IPv6 only.")
        .why(RANGES)
        .fix("Write a number of the range that is named.");
    GDN_KCM_003 = Rule::error("GDN-KCM-003", SHOOT, Both)
        .summary("A Shoot with IPv4 alone has no `nodeCIDRMaskSizeIPv6`.")
        .why("Its nodes have no IPv6 addresses.")
        .fix("Remove `nodeCIDRMaskSizeIPv6`.");
    GDN_KCM_004 = Rule::error("GDN-KCM-004", SHOOT, Both)
        .summary("`nodeCIDRMaskSizeIPv6` is between 64 and 124.")
        .why(RANGES)
        .fix("Write a number between 64 and 124.");
    GDN_KCM_005 = Rule::error("GDN-KCM-005", SHOOT, Both)
        .summary("From Kubernetes 1.33 on, a Shoot has no `podEvictionTimeout`.")
        .why("Kubernetes evicts pods by taints, and reads the field no more.")
        .fix("Remove `podEvictionTimeout`, and set `defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` of `kubeAPIServer`.");
    GDN_KCM_006 = Rule::error("GDN-KCM-006", SHOOT, Both)
        .summary("`podEvictionTimeout` is more than 0.")
        .why(EVICTS)
        .fix(TIME);
    GDN_KCM_007 = Rule::error("GDN-KCM-007", SHOOT, Both)
        .summary("`nodeMonitorGracePeriod` is more than 0.")
        .why(EVICTS)
        .fix("Write a duration such as `40s`.");
    GDN_KCM_008 = Rule::error("GDN-KCM-008", SHOOT, Both)
        .summary("`horizontalPodAutoscaler.syncPeriod` is a second or more.")
        .why(SCALES)
        .fix("Write a duration such as `30s`.");
    GDN_KCM_009 = Rule::error("GDN-KCM-009", SHOOT, Both)
        .summary("`horizontalPodAutoscaler.tolerance` is more than 0.")
        .why(SCALES)
        .fix("Write a number such as `0.1`.");
    GDN_KCM_010 = Rule::error("GDN-KCM-010", SHOOT, Both)
        .summary("`horizontalPodAutoscaler.downscaleStabilization` is a second or more.")
        .why(SCALES)
        .fix(TIME);
    GDN_KCM_011 = Rule::error("GDN-KCM-011", SHOOT, Both)
        .summary("`horizontalPodAutoscaler.initialReadinessDelay` is more than 0.")
        .why(SCALES)
        .fix("Write a duration such as `30s`.");
    GDN_KCM_012 = Rule::error("GDN-KCM-012", SHOOT, Both)
        .summary("`horizontalPodAutoscaler.cpuInitializationPeriod` is a second or more.")
        .why(SCALES)
        .fix(TIME);
    GDN_KCM_013 = Rule::error("GDN-KCM-013", SHOOT, Both)
        .summary("A Shoot without workers has no `nodeCIDRMaskSize`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_KCM_014 = Rule::error("GDN-KCM-014", SHOOT, Both)
        .summary("A Shoot without workers has no `nodeCIDRMaskSizeIPv6`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_KCM_015 = Rule::error("GDN-KCM-015", SHOOT, Both)
        .summary("A Shoot without workers has no `horizontalPodAutoscaler`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_KCM_016 = Rule::error("GDN-KCM-016", SHOOT, Both)
        .summary("A Shoot without workers has no `podEvictionTimeout`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_KCM_017 = Rule::error("GDN-KCM-017", SHOOT, Both)
        .summary("A Shoot without workers has no `nodeMonitorGracePeriod`.")
        .why(NODES)
        .fix(REMOVE);
    GDN_KSCH_001 = Rule::error("GDN-KSCH-001", SHOOT, Both)
        .summary("The scheduler has the profile `balanced` or `bin-packing`.")
        .why("Gardener configures the scheduler by it.")
        .fix("Choose one of the listed profiles.");
    GDN_KSCH_002 = Rule::error("GDN-KSCH-002", SHOOT, Both)
        .summary("From Kubernetes 1.35 on, a Shoot has no `kubeMaxPDVols`.")
        .why("The scheduler asks the CSI driver of a node how many volumes the node may have.")
        .fix("Remove `kubeMaxPDVols`.");
    GDN_KSCH_003 = Rule::error("GDN-KSCH-003", SHOOT, Both)
        .summary("`kubeMaxPDVols` is a whole number.")
        .why(NO_START)
        .fix("Write a number in quotes, for example `\"25\"`.");
    GDN_KSCH_004 = Rule::error("GDN-KSCH-004", SHOOT, Both)
        .summary("`kubeMaxPDVols` is 1 or more.")
        .why(NO_START)
        .fix("Write how many volumes a node may have, in quotes, for example `\"25\"`.");
    GDN_KPXY_002 = Rule::error("GDN-KPXY-002", SHOOT, Both)
        .summary("The proxy has the mode `IPTables`, `IPVS` or `NFTables`.")
        .why(NO_START)
        .fix("Choose one of the listed modes.");
    GDN_KPXY_003 = Rule::error("GDN-KPXY-003", SHOOT, Both)
        .summary("The mode `NFTables` goes with the feature gate `NFTablesProxyMode`.")
        .why("The proxy does not start without the gate.")
        .fix("Remove the gate, or choose another mode.");
    GDN_CA_001 = Rule::error("GDN-CA-001", SHOOT, Both)
        .summary("The delays before nodes are removed are not negative.")
        .why(NODE_SCALER)
        .fix(TIME);
    GDN_CA_002 = Rule::error("GDN-CA-002", SHOOT, Both)
        .summary("`scaleDownUtilizationThreshold` is between 0 and 1.")
        .why(NODE_SCALER)
        .fix("Write the share of a node that pods use at most before the node is removed, for example `0.5`.");
    GDN_CA_003 = Rule::error("GDN-CA-003", SHOOT, Both)
        .summary("`scanInterval` is not negative.")
        .why(NODE_SCALER)
        .fix("Write a duration such as `10s`.");
    GDN_CA_004 = Rule::error("GDN-CA-004", SHOOT, Both)
        .summary("Each expander is one that the cluster autoscaler has.")
        .why(NODE_SCALER)
        .fix("Write expanders that are listed, with commas and no blanks between them.");
    GDN_CA_005 = Rule::error("GDN-CA-005", SHOOT, Both)
        .summary("`maxNodeProvisionTime` is not negative.")
        .why(NODE_SCALER)
        .fix("Write a duration such as `20m`.");
    GDN_CA_006 = Rule::error("GDN-CA-006", SHOOT, Both)
        .summary("`maxGracefulTerminationSeconds` is not negative.")
        .why(NODE_SCALER)
        .fix("Write the seconds that a pod gets to end.");
    GDN_CA_007 = Rule::error("GDN-CA-007", SHOOT, Both)
        .summary("The Kubernetes version has the list of taints.")
        .why(TAINTS)
        .fix("Use `startupTaints` and `statusTaints` from Kubernetes 1.29 on; `ignoreTaints` ended with 1.31.");
    GDN_CA_008 = Rule::error("GDN-CA-008", SHOOT, Both)
        .summary("A taint is a qualified name.")
        .why(TAINTS)
        .fix("Write the key of a taint, for example `example.com/not-ready`.");
    GDN_CA_009 = Rule::error("GDN-CA-009", SHOOT, Both)
        .summary("A taint is none that Gardener sets.")
        .why(TAINTS)
        .fix("Remove the taint: Gardener adds it itself.");
    GDN_CA_010 = Rule::error("GDN-CA-010", SHOOT, Both)
        .summary("A taint is there once.")
        .why(TAINTS)
        .fix("Remove the taint.");
    GDN_CA_011 = Rule::error("GDN-CA-011", SHOOT, Both)
        .summary("`newPodScaleUpDelay` is not negative.")
        .why(NODE_SCALER)
        .fix(TIME);
    GDN_CA_012 = Rule::error("GDN-CA-012", SHOOT, Both)
        .summary("From Kubernetes 1.33 on, a Shoot has no `maxEmptyBulkDelete`.")
        .why("`maxScaleDownParallelism` takes its place.")
        .fix("Remove `maxEmptyBulkDelete`, and set `maxScaleDownParallelism` to its number.");
    GDN_CA_013 = Rule::error("GDN-CA-013", SHOOT, Both)
        .summary("`maxEmptyBulkDelete` is not negative.")
        .why(NODE_SCALER)
        .fix(ROOM);
    GDN_CA_014 = Rule::error("GDN-CA-014", SHOOT, Both)
        .summary("`maxScaleDownParallelism` is not negative.")
        .why(NODE_SCALER)
        .fix(ROOM);
    GDN_CA_015 = Rule::error("GDN-CA-015", SHOOT, Both)
        .summary("`maxEmptyBulkDelete` is the number of `maxScaleDownParallelism`.")
        .why("Both say how many nodes are removed at once.")
        .fix("Remove `maxEmptyBulkDelete`.");
    GDN_CA_016 = Rule::error("GDN-CA-016", SHOOT, Both)
        .summary("`maxDrainParallelism` and `verbosity` are not negative.")
        .why(NODE_SCALER)
        .fix(ROOM);
    GDN_CA_017 = Rule::error("GDN-CA-017", SHOOT, Both)
        .summary("The times that the cluster autoscaler waits and computes are not negative.")
        .why(NODE_SCALER)
        .fix(TIME);
    GDN_VPA_001 = Rule::error("GDN-VPA-001", SHOOT, Both)
        .summary("`evictAfterOOMThreshold` is not negative.")
        .why(POD_SCALER)
        .fix("Write a duration such as `10m`.");
    GDN_VPA_002 = Rule::error("GDN-VPA-002", SHOOT, Both)
        .summary("`evictionRateBurst` is not negative.")
        .why(POD_SCALER)
        .fix(ROOM);
    GDN_VPA_003 = Rule::error("GDN-VPA-003", SHOOT, Both)
        .summary("`evictionTolerance` and `recommendationMarginFraction` are 0 or more, and less than 1.")
        .why(POD_SCALER)
        .fix("Write a number such as `0.5`.");
    GDN_VPA_004 = Rule::error("GDN-VPA-004", SHOOT, Both)
        .summary("`updaterInterval` and `recommenderInterval` are not negative.")
        .why(POD_SCALER)
        .fix("Write a duration such as `1m`.");
    GDN_VPA_005 = Rule::error("GDN-VPA-005", SHOOT, Both)
        .summary("A percentile is between 0 and 1.")
        .why(POD_SCALER)
        .fix("Write a number such as `0.9`.");
    GDN_VPA_006 = Rule::error("GDN-VPA-006", SHOOT, Both)
        .summary("The times over which the autoscaler looks at the use of resources are not negative.")
        .why(POD_SCALER)
        .fix("Write a duration such as `24h`.");
    GDN_VPA_007 = Rule::error("GDN-VPA-007", SHOOT, Both)
        .summary("`memoryAggregationIntervalCount` is not negative.")
        .why(POD_SCALER)
        .fix(ROOM);
    GDN_VPA_008 = Rule::error("GDN-VPA-008", SHOOT, Both)
        .summary("A feature gate is one that the vertical pod autoscaler has.")
        .why(NO_START)
        .fix("Remove the gate: the gates are `InPlaceOrRecreate` and `PerVPAConfig`.");
    GDN_VPA_009 = Rule::error("GDN-VPA-009", SHOOT, Both)
        .summary("`maxAllowed` names `cpu` and `memory` alone.")
        .why(POD_SCALER)
        .fix("Remove the resource.");
    GDN_VPA_010 = Rule::error("GDN-VPA-010", SHOOT, Both)
        .summary("A quantity in `maxAllowed` is not negative, and whole where Kubernetes counts whole ones.")
        .why(POD_SCALER)
        .fix("Write a quantity such as `4` of CPU or `8Gi` of memory.");
    GDN_VPA_011 = Rule::error("GDN-VPA-011", SHOOT, Both)
        .summary("`recommenderUpdateWorkerCount` is 1 or more.")
        .why(POD_SCALER)
        .fix("Write 1 or more.");
}
