//! The network of a Shoot (GCP-INF).

mod cloud_nat;

use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::cidr::PlacedRange;
use crate::gardener::shoot::INFRASTRUCTURE;
use crate::gardener::types::shoot::Networking;
use crate::provider::gcp::api::{FlowLogs, InfrastructureConfig, Networks, Vpc};
use crate::provider::gcp::rules::infrastructure as rules;
use crate::report::{ErrorType, Report};
use crate::text::TextRule;

/// The place of the network layout.
pub const NETWORKS: Path<'_> = INFRASTRUCTURE.key("networks");
/// Ranges of the cluster, as the existing extension prints their places.
const NETWORKING: Path<'_> = Path::root("networking", "/spec/networking");

/// What names of resources must be.
const RESOURCE_NAME: TextRule =
    TextRule::pattern(r"^[a-z]([-a-z0-9]*[a-z0-9])?$").length(1, 63).reported_in_bytes();

const INTERVALS: &[&str] = &[
    "INTERVAL_5_SEC",
    "INTERVAL_30_SEC",
    "INTERVAL_1_MIN",
    "INTERVAL_5_MIN",
    "INTERVAL_10_MIN",
    "INTERVAL_15_MIN",
];
const METADATA: &[&str] = &["CUSTOM_METADATA", "EXCLUDE_ALL_METADATA", "INCLUDE_ALL_METADATA"];

/// Judges the network of a Shoot.
pub fn validate(config: &InfrastructureConfig<'_>, networking: &Networking<'_>, report: &mut Report<'_>) {
    let networks = &config.networks;
    ranges(networks, networking, report);
    if let Some(vpc) = &networks.vpc {
        self::vpc(vpc, &NETWORKS.key("vpc"), report);
    }
    if let Some(logs) = &networks.flow_logs {
        flow_logs(logs, &NETWORKS.key("flowLogs"), report);
    }
    if let Some(nat) = &networks.cloud_nat {
        cloud_nat::validate(nat, &NETWORKS.key("cloudNAT"), report);
    }
    if let Some(mtu) = networks.mtu {
        let path = NETWORKS.key("mtu");
        if networks.vpc.is_some_and(|vpc| !vpc.name.is_empty()) {
            let detail = "mtu cannot be configured when using an existing VPC";
            report.error(&rules::INF_030, &path, ErrorType::Forbidden, detail).fix_removal();
        }
        if !(1300..=8896).contains(&mtu) {
            let detail = "mtu must be between 1300 and 8896";
            report.error(&rules::INF_031, &path, ErrorType::Invalid, detail);
        }
    }
}

fn ranges(networks: &Networks<'_>, networking: &Networking<'_>, report: &mut Report<'_>) {
    let workers = networks.range().map(|(key, text)| PlacedRange::new(NETWORKS.key(key), text));
    if workers.is_none() {
        let detail = "must specify the network range for the worker network";
        report.error(&rules::INF_001, &NETWORKS.key("workers"), ErrorType::Required, detail);
    }
    for &(key, text, parses, is_canonical) in &[
        ("worker", Some(networks.worker).filter(|text| !text.is_empty()), &rules::INF_002, &rules::INF_003),
        ("workers", Some(networks.workers).filter(|text| !text.is_empty()), &rules::INF_004, &rules::INF_005),
        ("internal", networks.internal, &rules::INF_006, &rules::INF_007),
    ] {
        if let Some(text) = text {
            let range = PlacedRange::new(NETWORKS.key(key), text);
            range.parses(parses, report);
            range.is_canonical(is_canonical, report);
        }
    }
    let nodes = of_cluster("nodes", networking.nodes);
    if let Some(internal) = networks.internal {
        let internal = PlacedRange::new(NETWORKS.key("internal"), internal);
        for &(rule, other) in &[
            (&rules::INF_008, of_cluster("pods", networking.pods)),
            (&rules::INF_009, of_cluster("services", networking.services)),
            (&rules::INF_010, nodes),
            (&rules::INF_011, workers),
        ] {
            if let Some(other) = other {
                internal.is_apart_from(&other, rule, report);
            }
        }
    }
    if let (Some(workers), Some(nodes)) = (workers, nodes)
        && let Some(entry) = workers.is_subset_of(&nodes, &rules::INF_012, report)
    {
        entry.remedy(format!("Choose a range within `{}`.", nodes.text()));
    }
}

/// A range of the cluster.
fn of_cluster<'p>(key: &'static str, text: Option<&'p str>) -> Option<PlacedRange<'p>> {
    text.map(|text| PlacedRange::new(NETWORKING.key(key), text))
}

fn vpc(vpc: &Vpc<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (name, router) = (path.key("name"), path.key("cloudRouter"));
    if vpc.name.is_empty() {
        let detail = "vpc name must not be empty when vpc key is provided";
        report.error(&rules::INF_013, &name, ErrorType::Invalid, detail);
        if vpc.cloud_router.is_some() {
            let detail = "cloud router can not be configured when the VPC name is not specified";
            report.error(&rules::INF_014, &router, ErrorType::Invalid, detail);
        }
        return;
    }
    report.text(&rules::INF_015, &name, vpc.name, &RESOURCE_NAME);
    match vpc.cloud_router {
        None => {
            let detail = "cloud router must be defined when reusing a VPC";
            report.error(&rules::INF_016, &router, ErrorType::Invalid, detail);
        }
        Some(cloud_router) if cloud_router.name.is_empty() => {
            let detail = "cloud router name must be specified when reusing a VPC";
            report.error(&rules::INF_017, &router.key("name"), ErrorType::Invalid, detail);
        }
        Some(cloud_router) => report.text(&rules::INF_018, &router.key("name"), cloud_router.name, &RESOURCE_NAME),
    }
}

fn flow_logs(logs: &FlowLogs<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if *logs == FlowLogs::default() {
        let detail = "at least one VPC flow log parameter must be specified when VPC flow log section is provided";
        report.error(&rules::INF_019, path, ErrorType::Required, detail);
    }
    if let Some(interval) = logs.aggregation_interval {
        check_one_of(&rules::INF_020, interval, INTERVALS, &path.key("aggregationInterval"), report);
    }
    if let Some(metadata) = logs.metadata {
        check_one_of(&rules::INF_021, metadata, METADATA, &path.key("metadata"), report);
    }
    if logs.flow_sampling.is_some_and(|sampling| !sampling.is_share()) {
        let path = path.key("flowSampling");
        report.error(&rules::INF_022, &path, ErrorType::Invalid, "must be between 0 and 1");
    }
}
