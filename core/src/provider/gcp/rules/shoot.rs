//! A Shoot's CloudProfile, provider configuration, network and DNS.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why IPv6 and an overlay exclude each other.
const NO_OVERLAY: &str =
    "Pods with IPv6 get alias ranges of their node's subnet, which GCP routes; an overlay would hide them.";
/// Why credentials of a DNS provider are judged.
const DNS: &str = "Gardener writes the DNS records of the cluster with these credentials.";
/// Why an order matters.
const ORDER: &str = "Findings come in a fixed order, so that reports can be compared.";
/// What to do about a row on the order.
const FOLLOW: &str = "Follow each finding; their order says nothing of their weight.";

rules! {
    SHOOT_001 = Rule::error("GCP-SHOOT-001", SHOOT, Both)
        .summary("`spec.networking.nodes` is set.")
        .why("Routes and firewall rules of the cluster know nodes by this range.")
        .fix("Set `spec.networking.nodes` to a CIDR that holds the workers, for example `10.250.0.0/16`.");
    SHOOT_002 = Rule::error("GCP-SHOOT-002", SHOOT, Both)
        .summary("`spec.networking.ipFamilies` has IPv4.")
        .why("Gardener creates no network of GCP with IPv6 alone.")
        .fix("Set `ipFamilies` to `[IPv4]`, or to `[IPv4, IPv6]`.");
    SHOOT_003 = Rule::error("GCP-SHOOT-003", SHOOT, Both)
        .summary("With IPv6, `spec.networking.providerConfig` is an object.")
        .why("It says whether the network has an overlay, which IPv6 excludes.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out on a new Shoot.");
    SHOOT_004 = Rule::error("GCP-SHOOT-004", SHOOT, Both)
        .summary("With IPv6, `overlay.enabled` is not `true`.")
        .why(NO_OVERLAY)
        .fix("Set `overlay.enabled: false` in `spec.networking.providerConfig`.");
    SHOOT_005 = Rule::error("GCP-SHOOT-005", SHOOT, Both)
        .summary("With IPv6, `spec.networking.providerConfig` names `overlay`.")
        .why(NO_OVERLAY)
        .fix("Add `overlay: { enabled: false }` to `spec.networking.providerConfig`.");
    SHOOT_010 = Rule::error("GCP-SHOOT-010", SHOOT, Both)
        .summary("A Shoot without workers needs no provider configuration.")
        .why("Without nodes there is neither a network nor an instance on GCP to judge.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative("A Shoot without workers is accepted without running any rule.");
    SHOOT_011 = Rule::error("GCP-SHOOT-011", SHOOT, Both)
        .summary("A Shoot with workers has an `infrastructureConfig`.")
        .why("The network of the Shoot is described there.")
        .fix("Add `spec.provider.infrastructureConfig` with `networks.workers`.");
    SHOOT_012 = Rule::error("GCP-SHOOT-012", SHOOT, Both)
        .summary("`infrastructureConfig` is readable.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: InfrastructureConfig`, and correct \
              the field that is named.");
    SHOOT_013 = Rule::error("GCP-SHOOT-013", SHOOT, Both)
        .summary("A Shoot with workers has a `controlPlaneConfig`.")
        .why("The cloud controller manager takes its zone from it.")
        .fix("Add `spec.provider.controlPlaneConfig` with `zone`.");
    SHOOT_014 = Rule::error("GCP-SHOOT-014", SHOOT, Both)
        .summary("`controlPlaneConfig` is readable.")
        .why("A field that is unknown, given twice or of the wrong type would make another cluster than you meant.")
        .fix("Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: ControlPlaneConfig`, and correct the \
              field that is named.");
    SHOOT_015 = Rule::error("GCP-SHOOT-015", SHOOT, Both)
        .summary("The Shoot's CloudProfile exists, and its `providerConfig` is readable.")
        .why("The CloudProfile says which zones there are.")
        .fix("Set `kind` and `name` of an existing profile in `spec.cloudProfile`; where its `providerConfig` is not readable, \
              ask an operator to repair it.")
        .doubles(&["ADM-CP-001"]);
    SHOOT_016 = Rule::error("GCP-SHOOT-016", SHOOT, Update)
        .summary("The old Shoot is read first, and unknown fields in it are passed over.")
        .why(ORDER)
        .fix(FOLLOW)
        .informative("The row fixes an order only; findings about the old Shoot have the ids GCP-SHOOT-011 to GCP-SHOOT-014.");
    SHOOT_017 = Rule::error("GCP-SHOOT-017", SHOOT, Update)
        .summary("A changed Shoot is held against the old one first.")
        .why(ORDER)
        .fix(FOLLOW)
        .informative("The row fixes an order only.");
    SHOOT_018 = Rule::error("GCP-SHOOT-018", SHOOT, Both)
        .summary("Networking comes first, then infrastructure, worker pools, control plane, DNS and `WorkerConfig`.")
        .why(ORDER)
        .fix(FOLLOW)
        .informative("The row fixes an order only.");
    SHOOT_019 = Rule::error("GCP-SHOOT-019", SHOOT, Both)
        .summary("A worker pool's `providerConfig` is a readable `WorkerConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would create other machines than you meant.")
        .fix("Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: WorkerConfig`, and correct the \
              field that is named.");
    SHOOT_030 = Rule::error("GCP-SHOOT-030", SHOOT, Both)
        .summary("The primary DNS provider `google-clouddns` has a `credentialsRef`.")
        .why(DNS)
        .fix("Set `credentialsRef` of the DNS provider to a Secret or a WorkloadIdentity in the Shoot's namespace.");
    SHOOT_031 = Rule::error("GCP-SHOOT-031", SHOOT, Both)
        .summary("The credentials of the primary DNS provider exist.")
        .why(DNS)
        .fix("Set `credentialsRef` to an existing Secret or WorkloadIdentity in the Shoot's namespace.");
    SHOOT_032 = Rule::error("GCP-SHOOT-032", SHOOT, Both)
        .summary("The credentials of the primary DNS provider can be read.")
        .why(DNS)
        .fix("Set `apiVersion` and `kind` of `credentialsRef` to those of a Secret (`v1`) or of a WorkloadIdentity \
              (`security.gardener.cloud/v1alpha1`).");
    SHOOT_033 = Rule::error("GCP-SHOOT-033", SHOOT, Both)
        .summary("The WorkloadIdentity of the primary DNS provider is well-formed.")
        .why(DNS)
        .fix("Correct the WorkloadIdentity.");
    SHOOT_034 = Rule::error("GCP-SHOOT-034", SHOOT, Both)
        .summary("The Secret of the primary DNS provider is well-formed.")
        .why(DNS)
        .fix("Correct the Secret.");
    SHOOT_035 = Rule::error("GCP-SHOOT-035", SHOOT, Both)
        .summary("The credentials of the primary DNS provider are a Secret or a WorkloadIdentity.")
        .why("An InternalSecret is for Gardener's own purposes.")
        .fix("Refer to a Secret or a WorkloadIdentity.");
}
