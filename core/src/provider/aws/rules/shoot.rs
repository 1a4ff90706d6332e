//! A Shoot's CloudProfile, provider configuration, network and DNS.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why IPv6 and an overlay exclude each other.
const NO_OVERLAY: &str = "Pods with IPv6 get addresses that AWS routes; an overlay would hide them.";
/// Why credentials of a DNS provider are judged.
const DNS: &str = "Gardener writes the DNS records of the cluster with these credentials.";

rules! {
    SHOOT_001 = Rule::error("AWS-SHOOT-001", SHOOT, Both)
        .summary("A Shoot without workers needs no provider configuration.")
        .why("Without nodes there is neither a network nor an instance on AWS to judge.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative("A Shoot without workers is accepted without running any rule.");
    SHOOT_002 = Rule::error("AWS-SHOOT-002", SHOOT, Both)
        .summary("The Shoot's CloudProfile exists, and its `providerConfig` is readable.")
        .why("The CloudProfile says which zones, machine types and images there are.")
        .fix("Set `kind` and `name` of an existing profile in `spec.cloudProfile`; where its `providerConfig` is not readable, \
              ask an operator to repair it.")
        .doubles(&["ADM-CP-001"]);
    SHOOT_003 = Rule::error("AWS-SHOOT-003", SHOOT, Update)
        .summary("The old Shoot has a readable `infrastructureConfig`.")
        .why("A change cannot be judged without knowing what was there before.")
        .fix("Create the Shoot again, or ask an operator to repair the stored Shoot.");
    SHOOT_004 = Rule::error("AWS-SHOOT-004", SHOOT, Both)
        .summary("A Shoot with workers has a readable `infrastructureConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Set `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1` and `kind: InfrastructureConfig`, and correct \
              the field that is named.");
    SHOOT_005 = Rule::error("AWS-SHOOT-005", SHOOT, Both)
        .summary("A new Shoot is held against the CloudProfile first.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes an order only.");
    SHOOT_006 = Rule::error("AWS-SHOOT-006", SHOOT, Update)
        .summary("A changed Shoot is held against the old one first, then against the CloudProfile.")
        .why("Findings come in a fixed order, so that reports can be compared.")
        .fix("Follow each finding; their order says nothing of their weight.")
        .informative("The row fixes an order only.");
    SHOOT_007 = Rule::error("AWS-SHOOT-007", SHOOT, Both)
        .summary("A Shoot without `spec.networking` is judged by its other parts.")
        .why("The existing extension crashes on such a Shoot; Gardener itself refuses it.")
        .fix("Set `spec.networking`.")
        .informative("Trellis says in `scope` that no rule judged the network.");
    SHOOT_008 = Rule::error("AWS-SHOOT-008", SHOOT, Both)
        .summary("`controlPlaneConfig` and the `providerConfig` of worker pools are readable.")
        .why("A field that is unknown, given twice or of the wrong type would make another cluster than you meant.")
        .fix("Set `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1` and the right `kind`, and correct the field that \
              is named.");
    SHOOT_009 = Rule::error("AWS-SHOOT-009", SHOOT, Both)
        .summary("A Shoot with IPv4 has `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by this range.")
        .fix("Set `spec.networking.nodes` to a CIDR that holds the workers of all zones, for example `10.250.0.0/16`.");
    SHOOT_010 = Rule::error("AWS-SHOOT-010", SHOOT, Both)
        .summary("With IPv6, `spec.networking.providerConfig` is an object.")
        .why("It says whether the network has an overlay, which IPv6 excludes.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    SHOOT_011 = Rule::error("AWS-SHOOT-011", SHOOT, Both)
        .summary("With IPv6, `overlay.enabled` is not `true`.")
        .why(NO_OVERLAY)
        .fix("Set `overlay.enabled: false` in `spec.networking.providerConfig`.");
    SHOOT_012 = Rule::error("AWS-SHOOT-012", SHOOT, Both)
        .summary("With IPv6, `spec.networking.providerConfig` names `overlay`.")
        .why(NO_OVERLAY)
        .fix("Add `overlay: { enabled: false }` to `spec.networking.providerConfig`.");
    SHOOT_013 = Rule::error("AWS-SHOOT-013", SHOOT, Both)
        .summary("An `overlay` that does not say `enabled: true` counts as none.")
        .why("Only an overlay that is on stands in the way of IPv6.")
        .fix("Set `overlay.enabled: false` to say it clearly.")
        .informative("The row says what AWS-SHOOT-011 leaves alone.");
    SHOOT_014 = Rule::error("AWS-SHOOT-014", SHOOT, Both)
        .summary("Credentials are judged of the primary DNS provider of type `aws-route53` only.")
        .why("Other DNS providers belong to other extensions, or serve other domains.")
        .fix("Follow the finding.")
        .informative("The row says where AWS-SHOOT-015 to AWS-SHOOT-018 look.");
    SHOOT_015 = Rule::error("AWS-SHOOT-015", SHOOT, Both)
        .summary("The primary DNS provider has a `credentialsRef`.")
        .why(DNS)
        .fix("Set `credentialsRef` of the DNS provider to a Secret or a WorkloadIdentity in the Shoot's namespace.");
    SHOOT_016 = Rule::error("AWS-SHOOT-016", SHOOT, Both)
        .summary("The credentials of the primary DNS provider exist.")
        .why(DNS)
        .fix("Set `credentialsRef` to an existing Secret or WorkloadIdentity in the Shoot's namespace, with the right \
              `apiVersion` and `kind`.");
    SHOOT_017 = Rule::error("AWS-SHOOT-017", SHOOT, Both)
        .summary("The credentials of the primary DNS provider are well-formed.")
        .why(DNS)
        .fix("Correct the Secret or the WorkloadIdentity.");
    SHOOT_018 = Rule::error("AWS-SHOOT-018", SHOOT, Both)
        .summary("The credentials of the primary DNS provider are a Secret or a WorkloadIdentity.")
        .why("An InternalSecret is for Gardener's own purposes.")
        .fix("Refer to a Secret or a WorkloadIdentity.");
}
