//! The kubelet of a Shoot, and of its worker pools.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const NO_START: &str = "A kubelet with another value does not start, and its machine never becomes a node.";
const OVERLOAD: &str = "The kubelet evicts pods, or keeps room free, by this number.";
const IMAGES: &str = "The kubelet removes and pulls images by these numbers.";
const ROOM: &str = "Write 0 or more.";

rules! {
    GDN_KLT_001 = Rule::error("GDN-KLT-001", SHOOT, Both)
        .summary("`cpuManagerPolicy` is `none` or `static`.")
        .why(NO_START)
        .fix("Choose one of the listed values, or leave out `cpuManagerPolicy`.");
    GDN_KLT_002 = Rule::error("GDN-KLT-002", SHOOT, Both)
        .summary("`maxPods` is not negative.")
        .why(NO_START)
        .fix("Write how many pods a node may have, for example `110`.");
    GDN_KLT_003 = Rule::error("GDN-KLT-003", SHOOT, Both)
        .summary("`podPidsLimit` is 100 or more.")
        .why("Pods with fewer processes do not start reliably.")
        .fix("Write 100 or more, or leave out `podPidsLimit`.");
    GDN_KLT_004 = Rule::error("GDN-KLT-004", SHOOT, Both)
        .summary("`evictionPressureTransitionPeriod` is not negative.")
        .why(OVERLOAD)
        .fix("Write a duration such as `4m`.");
    GDN_KLT_005 = Rule::error("GDN-KLT-005", SHOOT, Both)
        .summary("`evictionMaxPodGracePeriod` is not negative.")
        .why(OVERLOAD)
        .fix("Write the seconds that a pod gets to end.");
    GDN_KLT_006 = Rule::error("GDN-KLT-006", SHOOT, Both)
        .summary("A threshold of `evictionHard` is a quantity that is not negative, or a percentage.")
        .why(OVERLOAD)
        .fix("Write a quantity such as `200Mi`, or a percentage such as `5%`.");
    GDN_KLT_007 = Rule::error("GDN-KLT-007", SHOOT, Both)
        .summary("A percentage in `evictionHard` is at most 100%.")
        .why(OVERLOAD)
        .fix("Write a percentage of at most `100%`.");
    GDN_KLT_008 = Rule::error("GDN-KLT-008", SHOOT, Both)
        .summary("A threshold of `evictionSoft` is a quantity that is not negative, or a percentage of at most 100%.")
        .why(OVERLOAD)
        .fix("Write a quantity such as `200Mi`, or a percentage such as `5%`.");
    GDN_KLT_009 = Rule::error("GDN-KLT-009", SHOOT, Both)
        .summary("What `evictionMinimumReclaim` frees is not negative.")
        .why(OVERLOAD)
        .fix("Write a quantity such as `100Mi`.");
    GDN_KLT_010 = Rule::error("GDN-KLT-010", SHOOT, Both)
        .summary("The times in `evictionSoftGracePeriod` are not negative.")
        .why(OVERLOAD)
        .fix("Write a duration such as `1m30s`.");
    GDN_KLT_011 = Rule::error("GDN-KLT-011", SHOOT, Both)
        .summary("What `kubeReserved` keeps free is not negative.")
        .why(OVERLOAD)
        .fix("Write a quantity such as `80m` of CPU or `1Gi` of memory.");
    GDN_KLT_012 = Rule::error("GDN-KLT-012", SHOOT, Both)
        .summary("`imageMinimumGCAge` and `imageMaximumGCAge` are not negative.")
        .why(IMAGES)
        .fix("Write a duration such as `2m`.");
    GDN_KLT_013 = Rule::error("GDN-KLT-013", SHOOT, Both)
        .summary("`imageGCHighThresholdPercent` and `imageGCLowThresholdPercent` are between 0 and 100.")
        .why(IMAGES)
        .fix("Write a number between 0 and 100.");
    GDN_KLT_014 = Rule::error("GDN-KLT-014", SHOOT, Both)
        .summary("`imageGCLowThresholdPercent` is less than `imageGCHighThresholdPercent`.")
        .why("The kubelet removes images from the higher number on until the lower one is reached.")
        .fix("Lower `imageGCLowThresholdPercent` (default: 40), or raise `imageGCHighThresholdPercent` (default: 50).");
    GDN_KLT_016 = Rule::error("GDN-KLT-016", SHOOT, Both)
        .summary("`registryPullQPS` and `registryBurst` are not negative.")
        .why(IMAGES)
        .fix(ROOM);
    GDN_KLT_017 = Rule::error("GDN-KLT-017", SHOOT, Both)
        .summary("`containerLogMaxFiles` is 2 or more.")
        .why("The kubelet writes one file and keeps others.")
        .fix("Write 2 or more.");
    GDN_KLT_018 = Rule::error("GDN-KLT-018", SHOOT, Both)
        .summary("`containerLogMaxSize` is not negative.")
        .why(NO_START)
        .fix("Write a quantity such as `100Mi`.");
    GDN_KLT_019 = Rule::error("GDN-KLT-019", SHOOT, Both)
        .summary("`streamingConnectionIdleTimeout` is between 30 seconds and 4 hours.")
        .why("Connections of `kubectl exec` and `kubectl logs` end after that time without data.")
        .fix("Write a duration such as `5m`.");
    GDN_KLT_020 = Rule::error("GDN-KLT-020", SHOOT, Both)
        .summary("`memorySwap` is there only where `failSwapOn` is `false`.")
        .why("Else the kubelet does not start on a machine with swap. `failSwapOn` is `true` where it is absent.")
        .fix("Set `failSwapOn: false`, or remove `memorySwap`.");
    GDN_KLT_021 = Rule::error("GDN-KLT-021", SHOOT, Both)
        .summary("`memorySwap.swapBehavior` is there only where the feature gate `NodeSwap` is on.")
        .why("Without the gate, the kubelet does not read it.")
        .fix("Set `featureGates.NodeSwap: true`, or remove `swapBehavior`.");
    GDN_KLT_022 = Rule::error("GDN-KLT-022", SHOOT, Both)
        .summary("`memorySwap.swapBehavior` is `NoSwap` or `LimitedSwap`.")
        .why(NO_START)
        .fix("Choose one of the listed values.");
    GDN_KLT_023 = Rule::error("GDN-KLT-023", SHOOT, Both)
        .summary("`maxParallelImagePulls` is 1 or more.")
        .why(IMAGES)
        .fix("Write 1 or more, or leave out `maxParallelImagePulls`.");
    GDN_KLT_024 = Rule::error("GDN-KLT-024", SHOOT, Both)
        .summary("`maxParallelImagePulls` is more than 1 only where `serializeImagePulls` is not `true`.")
        .why("One excludes the other.")
        .fix("Set `serializeImagePulls: false`, or `maxParallelImagePulls: 1`.");
    GDN_KLT_025 = Rule::error("GDN-KLT-025", SHOOT, Both)
        .since(149)
        .summary("`imagePullCredentialsVerificationPolicy` is there only from Kubernetes 1.35 on.")
        .why("An older kubelet does not read it.")
        .fix("Remove the field, or choose Kubernetes 1.35.");
    GDN_KLT_026 = Rule::error("GDN-KLT-026", SHOOT, Both)
        .since(149)
        .summary("`imagePullCredentialsVerificationPolicy` is there only where the feature gate `KubeletEnsureSecretPulledImages` is not off.")
        .why("Without the gate, the kubelet does not read it.")
        .fix("Remove the field, or remove the gate.");
    GDN_KLT_027 = Rule::error("GDN-KLT-027", SHOOT, Both)
        .since(149)
        .summary("`imagePullCredentialsVerificationPolicy` is a policy that the kubelet has.")
        .why(NO_START)
        .fix("Choose one of the listed values.");
    GDN_KLT_028 = Rule::error("GDN-KLT-028", SHOOT, Both)
        .since(149)
        .summary("`preloadedImagesVerificationAllowlist` is there only where the policy is `NeverVerifyAllowlistedImages`.")
        .why("With another policy, the kubelet does not read it.")
        .fix("Set `imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages`, or remove the list.");
    GDN_KLT_029 = Rule::error("GDN-KLT-029", SHOOT, Both)
        .since(149)
        .summary("An image that needs no credentials is named without tag and digest, or by a beginning that ends in `/*`.")
        .why(NO_START)
        .fix("Write a name such as `registry.example.com/team/app`, or `registry.example.com/team/*` for all below it.");
    GDN_FG_001 = Rule::error("GDN-FG-001", SHOOT, Both)
        .summary("A feature gate is one that Kubernetes has.")
        .why(NO_START)
        .fix("Correct the name of the gate, or remove the gate.");
    GDN_FG_002 = Rule::error("GDN-FG-002", SHOOT, Both)
        .summary("The Kubernetes version by which feature gates are judged is a version.")
        .why("Each version has its own gates.")
        .fix("Write a version such as `1.33.7`.");
    GDN_FG_003 = Rule::error("GDN-FG-003", SHOOT, Both)
        .summary("The Kubernetes version has the feature gate.")
        .why(NO_START)
        .fix("Remove the gate, or choose a Kubernetes version that has it.");
    GDN_FG_004 = Rule::error("GDN-FG-004", SHOOT, Both)
        .summary("A feature gate that a Kubernetes version has locked keeps its value.")
        .why(NO_START)
        .fix("Remove the gate: the version has this value.");
}
