//! `InfrastructureConfig` of a Shoot: ranges, an existing VPC, flow logs, Cloud NAT and MTU.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// Why a range must be readable.
const RANGE: &str = "GCP creates the subnet with exactly this range.";
/// How to write a range.
const CIDR: &str = "Write address and prefix length, for example `10.250.0.0/16`.";
/// Why a range must begin with its network address.
const CANONICAL: &str =
    "A subnet takes a network address only; with host bits set it is unclear which range is meant.";
/// How to write a range that begins with its network address.
const NETWORK: &str = "Write the network address, for example `10.250.0.0/16` instead of `10.250.0.7/16`.";
/// Why internal load balancers need addresses of their own.
const INTERNAL: &str = "A load balancer with an address of something else in the cluster could not be reached.";
/// Where internal load balancers may have their range.
const MOVE_INTERNAL: &str = "Choose a range for `networks.internal` that nothing else in the cluster uses.";
/// What a name of a resource of Compute Engine looks like.
const NAME: &str =
    "GCP knows no resource with another name: lower-case letters, digits and hyphens, 63 characters at most.";
/// How an existing VPC needs its router.
const ROUTER: &str = "Nodes of an existing VPC reach the internet through Cloud NAT of this router.";
/// How Cloud NAT counts ports.
const POWER: &str = "Dynamic port allocation doubles the ports of a node until they suffice.";

rules! {
    INF_001 = Rule::error("GCP-INF-001", SHOOT, Both)
        .summary("`networks` has `workers`.")
        .why("The subnet of the nodes needs a range.")
        .fix("Set `networks.workers`, for example `10.250.0.0/16`.");
    INF_002 = Rule::error("GCP-INF-002", SHOOT, Both)
        .summary("`networks.worker` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_003 = Rule::error("GCP-INF-003", SHOOT, Both)
        .summary("`networks.worker` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_004 = Rule::error("GCP-INF-004", SHOOT, Both)
        .summary("`networks.workers` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_005 = Rule::error("GCP-INF-005", SHOOT, Both)
        .summary("`networks.workers` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_006 = Rule::error("GCP-INF-006", SHOOT, Both)
        .summary("`networks.internal` is a CIDR.")
        .why(RANGE)
        .fix(CIDR);
    INF_007 = Rule::error("GCP-INF-007", SHOOT, Both)
        .summary("`networks.internal` starts at the first address of its range.")
        .why(CANONICAL)
        .fix(NETWORK);
    INF_008 = Rule::error("GCP-INF-008", SHOOT, Both)
        .summary("`networks.internal` shares no address with `spec.networking.pods`.")
        .why(INTERNAL)
        .fix(MOVE_INTERNAL);
    INF_009 = Rule::error("GCP-INF-009", SHOOT, Both)
        .summary("`networks.internal` shares no address with `spec.networking.services`.")
        .why(INTERNAL)
        .fix(MOVE_INTERNAL);
    INF_010 = Rule::error("GCP-INF-010", SHOOT, Both)
        .summary("`networks.internal` shares no address with `spec.networking.nodes`.")
        .why(INTERNAL)
        .fix(MOVE_INTERNAL);
    INF_011 = Rule::error("GCP-INF-011", SHOOT, Both)
        .summary("`networks.internal` shares no address with the range of the workers.")
        .why("GCP creates no two subnets of a VPC that overlap.")
        .fix(MOVE_INTERNAL);
    INF_012 = Rule::error("GCP-INF-012", SHOOT, Both)
        .summary("The range of the workers lies within `spec.networking.nodes`.")
        .why("Routes and firewall rules of the cluster know nodes by `nodes` only.")
        .fix("Move `networks.workers` into `spec.networking.nodes`, or widen `nodes` on a new Shoot.");
    INF_013 = Rule::error("GCP-INF-013", SHOOT, Both)
        .summary("`networks.vpc` has a `name`.")
        .why("The only use of `networks.vpc` is to bring your own VPC.")
        .fix("Set `networks.vpc.name`, or remove `networks.vpc` to have a VPC created.");
    INF_014 = Rule::error("GCP-INF-014", SHOOT, Both)
        .summary("`networks.vpc.cloudRouter` goes with `networks.vpc.name`.")
        .why("A Cloud Router belongs to a VPC; a new VPC gets a new router.")
        .fix("Set `networks.vpc.name` to the VPC of the router, or remove `networks.vpc`.");
    INF_015 = Rule::error("GCP-INF-015", SHOOT, Both)
        .summary("`networks.vpc.name` is a name of a VPC.")
        .why(NAME)
        .fix("Write the name of the VPC as `gcloud compute networks list` shows it.");
    INF_016 = Rule::error("GCP-INF-016", SHOOT, Both)
        .summary("An existing VPC comes with `cloudRouter`.")
        .why(ROUTER)
        .fix("Set `networks.vpc.cloudRouter.name` to a Cloud Router of the VPC in the Shoot's region.");
    INF_017 = Rule::error("GCP-INF-017", SHOOT, Both)
        .summary("`networks.vpc.cloudRouter` has a `name`.")
        .why(ROUTER)
        .fix("Set `networks.vpc.cloudRouter.name` to a Cloud Router of the VPC in the Shoot's region.");
    INF_018 = Rule::error("GCP-INF-018", SHOOT, Both)
        .summary("`networks.vpc.cloudRouter.name` is a name of a Cloud Router.")
        .why(NAME)
        .fix("Write the name of the router as `gcloud compute routers list` shows it.");
    INF_019 = Rule::error("GCP-INF-019", SHOOT, Both)
        .summary("`networks.flowLogs` sets something.")
        .why("Flow logs cost money; an empty section does not say whether you want them.")
        .fix("Set `aggregationInterval`, `flowSampling` or `metadata`, or remove `flowLogs`.");
    INF_020 = Rule::error("GCP-INF-020", SHOOT, Both)
        .summary("`flowLogs.aggregationInterval` is an interval that GCP knows.")
        .why("VPC flow logs gather traffic for fixed intervals.")
        .fix("Set one of the supported values, for example `INTERVAL_5_MIN`.");
    INF_021 = Rule::error("GCP-INF-021", SHOOT, Both)
        .summary("`flowLogs.metadata` is a choice that GCP knows.")
        .why("VPC flow logs have all metadata, none, or chosen ones.")
        .fix("Set one of the supported values, for example `EXCLUDE_ALL_METADATA`.");
    INF_022 = Rule::error("GCP-INF-022", SHOOT, Both)
        .summary("`flowLogs.flowSampling` is between 0 and 1.")
        .why("The number is the share of log entries that are kept.")
        .fix("Set a number from 0 (none) to 1 (all), for example `0.5`.");
    INF_023 = Rule::error("GCP-INF-023", SHOOT, Both)
        .summary("`cloudNAT.natIPNames` names an address where it is set.")
        .why("With the list, Cloud NAT uses these addresses only; with an empty one, it would have none.")
        .fix("List the names of reserved external addresses, or remove `natIPNames` to have addresses allocated.");
    INF_024 = Rule::error("GCP-INF-024", SHOOT, Both)
        .summary("`cloudNAT.natIPNames` has names of addresses.")
        .why(NAME)
        .fix("Write the name of the address as `gcloud compute addresses list` shows it, not the address itself.");
    INF_025 = Rule::error("GCP-INF-025", SHOOT, Both)
        .summary("Dynamic port allocation and endpoint-independent mapping exclude each other.")
        .why("Cloud NAT has one of them.")
        .fix("Set `enableDynamicPortAllocation` or `endpointIndependentMapping.enabled` to `false`.");
    INF_026 = Rule::error("GCP-INF-026", SHOOT, Both)
        .summary("With dynamic port allocation, `maxPortsPerVM` is a power of two.")
        .why(POWER)
        .fix("Set a power of two, for example `65536`.");
    INF_027 = Rule::error("GCP-INF-027", SHOOT, Both)
        .summary("With dynamic port allocation, `minPortsPerVM` is a power of two.")
        .why(POWER)
        .fix("Set a power of two, for example `2048`.");
    INF_028 = Rule::error("GCP-INF-028", SHOOT, Both)
        .summary("`minPortsPerVM` is not greater than `maxPortsPerVM`.")
        .why("A node starts with the fewest ports and grows up to the most.")
        .fix("Lower `minPortsPerVM`, or raise `maxPortsPerVM`.");
    INF_029 = Rule::error("GCP-INF-029", SHOOT, Both)
        .summary("`maxPortsPerVM` goes with dynamic port allocation.")
        .why("Without it, a node has `minPortsPerVM` ports and never more.")
        .fix("Set `enableDynamicPortAllocation: true`, or remove `maxPortsPerVM`.");
    INF_030 = Rule::error("GCP-INF-030", SHOOT, Both)
        .summary("`networks.mtu` goes with a VPC that Gardener creates.")
        .why("An existing VPC has its MTU already.")
        .fix("Remove `networks.mtu`, and set the MTU of the VPC yourself.");
    INF_031 = Rule::error("GCP-INF-031", SHOOT, Both)
        .summary("`networks.mtu` is between 1300 and 8896.")
        .why("GCP creates no VPC with another MTU.")
        .fix("Set a number from 1300 to 8896, for example `1460`, the default of GCP.");
}
