//! A Shoot's CloudProfile, provider configuration, network and DNS.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why an order matters.
const ORDER: &str = "Findings come in a fixed order, so that reports can be compared.";
/// What to do about a row on the order.
const FOLLOW: &str = "Follow each finding; their order says nothing of their weight.";
/// Why a row judges nothing by itself.
const PART: &str = "The row says what is judged.";
/// Why credentials of a DNS provider are judged.
const DNS: &str = "Gardener writes the DNS records of the cluster with these credentials.";
/// Why Calico has no overlay.
const OVERLAY: &str =
    "Routes of the virtual network lead to pods; Azure carries no packets of an overlay of Calico.";
/// Why a Shoot has IPv4.
const IPV4: &str = "Gardener creates networks of Azure with IPv4 alone.";
/// How to make a configuration readable.
const DECODE: &str = "Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and the `kind`, and correct the field that is named.";
/// How to have a network.
const SET_INFRASTRUCTURE: &str =
    "Add an `InfrastructureConfig`, for example with `networks: { vnet: {}, workers: 10.250.0.0/16 }`.";

rules! {
    SHOOT_001 = Rule::error("AZ-SHOOT-001", SHOOT, Both)
        .summary("The object is a Shoot.")
        .why("Other kinds have rules of their own.")
        .fix("Send an object of `kind: Shoot`.")
        .informative("An object of another kind is judged by the rules of its kind.");
    SHOOT_002 = Rule::error("AZ-SHOOT-002", SHOOT, Both)
        .summary("A Shoot without workers has no rules.")
        .why("It has nothing on Azure.")
        .fix("Add workers.")
        .informative(PART);
    SHOOT_003 = Rule::error("AZ-SHOOT-003", SHOOT, Both)
        .summary("The Shoot names a CloudProfile or NamespacedCloudProfile that exists.")
        .why("The profile says which zones there are.")
        .fix("Set `spec.cloudProfile` to a profile of the landscape.")
        .doubles(&["ADM-CP-001"]);
    SHOOT_004 = Rule::error("AZ-SHOOT-004", SHOOT, Both)
        .summary("A Shoot has `infrastructureConfig`.")
        .why("Gardener has to know the network of the cluster.")
        .fix(SET_INFRASTRUCTURE);
    SHOOT_005 = Rule::error("AZ-SHOOT-005", SHOOT, Both)
        .summary("`infrastructureConfig` is a readable `InfrastructureConfig` without unknown fields.")
        .why("A misspelt field would be ignored, and the network would not be what you asked for.")
        .fix(DECODE);
    SHOOT_006 = Rule::error("AZ-SHOOT-006", SHOOT, Both)
        .summary("`controlPlaneConfig` is a readable `ControlPlaneConfig` without unknown fields.")
        .why("A misspelt field would be ignored.")
        .fix(DECODE);
    SHOOT_007 = Rule::error("AZ-SHOOT-007", SHOOT, Update)
        .summary("The old Shoot has `infrastructureConfig`.")
        .why("A change is compared with what was there.")
        .fix("Restore the `infrastructureConfig` of the Shoot first.");
    SHOOT_008 = Rule::error("AZ-SHOOT-008", SHOOT, Update)
        .summary("`infrastructureConfig` of the old Shoot is readable.")
        .why("A change is compared with what was there.")
        .fix("Restore the `infrastructureConfig` of the Shoot first.");
    SHOOT_009 = Rule::error("AZ-SHOOT-009", SHOOT, Update)
        .summary("Changes of the network come first, then those of worker pools.")
        .why(ORDER)
        .fix(FOLLOW)
        .informative(ORDER);
    SHOOT_010 = Rule::error("AZ-SHOOT-010", SHOOT, Both)
        .summary("The network comes first, then the control plane, DNS and worker pools.")
        .why(ORDER)
        .fix(FOLLOW)
        .informative(ORDER);
    SHOOT_011 = Rule::error("AZ-SHOOT-011", SHOOT, Both)
        .summary("`spec.networking` is set.")
        .why("Nodes, pods and services need ranges.")
        .fix("Set `spec.networking` with `type`, `nodes`, `pods` and `services`.");
    SHOOT_012 = Rule::error("AZ-SHOOT-012", SHOOT, Both)
        .summary("`spec.networking.nodes` is set.")
        .why("Routes and firewall rules of the cluster know nodes by this range.")
        .fix("Set `spec.networking.nodes` to a CIDR that holds the workers, for example `10.250.0.0/16`.");
    SHOOT_013 = Rule::error("AZ-SHOOT-013", SHOOT, Both)
        .summary("With Calico, `spec.networking.providerConfig` is an object.")
        .why("It says whether the network has an overlay.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    SHOOT_014 = Rule::error("AZ-SHOOT-014", SHOOT, Both)
        .summary("With Calico, `overlay.enabled` is not `true`.")
        .why(OVERLAY)
        .fix("Set `overlay.enabled: false` in `spec.networking.providerConfig`.");
    SHOOT_015 = Rule::error("AZ-SHOOT-015", SHOOT, Both)
        .summary("With Calico, `overlay.enabled` is `true` or `false`.")
        .why(OVERLAY)
        .fix("Set `overlay.enabled: false` in `spec.networking.providerConfig`.");
    SHOOT_016 = Rule::error("AZ-SHOOT-016", SHOOT, Both)
        .summary("`spec.networking.ipFamilies` has IPv4.")
        .why(IPV4)
        .fix("Set `ipFamilies` to `[IPv4]`.");
    SHOOT_017 = Rule::error("AZ-SHOOT-017", SHOOT, Both)
        .summary("`spec.networking.ipFamilies` has one family.")
        .why(IPV4)
        .fix("Set `ipFamilies` to `[IPv4]`.");
    SHOOT_020 = Rule::error("AZ-SHOOT-020", SHOOT, Both)
        .summary("DNS providers are judged that are primary and of type `azure-dns`.")
        .why("Credentials of other DNS providers belong to other extensions.")
        .fix("Follow the findings of the other rules.")
        .informative(PART);
    SHOOT_021 = Rule::error("AZ-SHOOT-021", SHOOT, Both)
        .summary("A primary DNS provider of type `azure-dns` has `credentialsRef`.")
        .why(DNS)
        .fix("Set `credentialsRef` to a Secret or a WorkloadIdentity.");
    SHOOT_022 = Rule::error("AZ-SHOOT-022", SHOOT, Both)
        .summary("The credentials of a primary DNS provider exist.")
        .why(DNS)
        .fix("Create the Secret or WorkloadIdentity in the namespace of the Shoot, or correct the reference.");
    SHOOT_023 = Rule::error("AZ-SHOOT-023", SHOOT, Both)
        .summary("The credentials of a primary DNS provider can be read, and are of a known kind.")
        .why(DNS)
        .fix("Refer to a Secret (`v1`) or a WorkloadIdentity (`security.gardener.cloud/v1alpha1`).");
    SHOOT_024 = Rule::error("AZ-SHOOT-024", SHOOT, Both)
        .summary("A WorkloadIdentity of a primary DNS provider is valid.")
        .why(DNS)
        .fix("Correct the WorkloadIdentity.");
    SHOOT_025 = Rule::error("AZ-SHOOT-025", SHOOT, Both)
        .summary("A Secret of a primary DNS provider has valid credentials.")
        .why(DNS)
        .fix("Correct the Secret.");
    SHOOT_026 = Rule::error("AZ-SHOOT-026", SHOOT, Both)
        .summary("The credentials of a primary DNS provider are a Secret or a WorkloadIdentity.")
        .why(DNS)
        .fix("Refer to a Secret or a WorkloadIdentity.");
    SHOOT_030 = Rule::error("AZ-SHOOT-030", SHOOT, Both)
        .summary("`providerConfig` of a worker pool is a readable `WorkerConfig` without unknown fields.")
        .why("A misspelt field would be ignored, and the machines would not be what you asked for.")
        .fix(DECODE);
}
