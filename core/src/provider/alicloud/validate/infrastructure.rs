//! The network of a Shoot (ALI-INF).

use crate::document::{Path, Value};
use crate::gardener::checks::cidr::{PlacedRange, are_apart};
use crate::gardener::shoot::IN_INFRASTRUCTURE;
use crate::gardener::types::shoot::{Networking, ShootSpec};
use crate::provider::alicloud::api::{InfrastructureConfig, Zone};
use crate::provider::alicloud::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

/// The place of the network layout, which the existing extension prints relative to the configuration.
pub const NETWORKS: Path<'_> = IN_INFRASTRUCTURE.key("networks");
/// The place of the switch for dual-stack.
pub const DUAL_STACK: Path<'_> = IN_INFRASTRUCTURE.key("dualStack");
const NETWORKING: Path<'_> = Path::root("networking", "/spec/networking");
const REGION: Path<'_> = Path::root("region", "/spec/region");

/// Regions that offer network load balancers, sorted. Source: the existing extension.
const NLB_REGIONS: [&str; 23] = [
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-southeast-1",
    "ap-southeast-3",
    "ap-southeast-5",
    "ap-southeast-6",
    "ap-southeast-7",
    "cn-beijing",
    "cn-chengdu",
    "cn-guangzhou",
    "cn-hangzhou",
    "cn-heyuan",
    "cn-hongkong",
    "cn-qingdao",
    "cn-shanghai",
    "cn-shenzhen",
    "cn-wulanchabu",
    "cn-zhangjiakou",
    "eu-central-1",
    "eu-west-1",
    "na-south-1",
    "us-east-1",
    "us-west-1",
];

/// Judges the network of a Shoot.
pub fn validate(config: &InfrastructureConfig<'_>, spec: &ShootSpec<'_>, report: &mut Report<'_>) {
    let networking = spec.networking.unwrap_or_default();
    let zones = NETWORKS.key("zones");
    if config.networks.zones.is_empty() {
        let detail = "must specify at least the network for one zone";
        report.error(&rules::INF_001, &zones, ErrorType::Required, detail);
    }
    let places: Vec<Path<'_>> = (0..config.networks.zones.len()).map(|index| zones.index(index)).collect();
    let mut ranges = Vec::new();
    for (zone, place) in config.networks.zones.iter().zip(&places) {
        for (rule, key, text) in
            [(&rules::INF_002, "worker", zone.worker), (&rules::INF_003, "workers", zone.workers)]
        {
            if !text.is_empty() {
                let range = PlacedRange::new(place.key(key), text);
                range.is_canonical(rule, report);
                ranges.push(range);
            }
        }
        elastic_ip(zone, place, report);
    }
    for range in &ranges {
        range.parses(&rules::INF_006, report);
    }
    if let Some(nodes) = networking.nodes {
        subsets(&ranges, &PlacedRange::new(NETWORKING.key("nodes"), nodes), &rules::INF_007, report);
    }
    vpc(config, &networking, &ranges, report);
    are_apart(&ranges, &rules::INF_018, report);
    for (rule, key, text) in
        [(&rules::INF_019, "pods", networking.pods), (&rules::INF_020, "services", networking.services)]
    {
        let Some(other) = text.map(|text| PlacedRange::new(NETWORKING.key(key), text)) else { continue };
        for range in &ranges {
            range.is_apart_from(&other, rule, report);
        }
    }
    if config.is_dual_stack() {
        dual_stack(config, spec.region, report);
    }
}

fn subsets(ranges: &[PlacedRange<'_>], outer: &PlacedRange<'_>, rule: &'static Rule, report: &mut Report<'_>) {
    for range in ranges {
        if let Some(entry) = range.is_subset_of(outer, rule, report) {
            entry.remedy(format!("Choose a range within `{}`.", outer.text()));
        }
    }
}

fn elastic_ip(zone: &Zone<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(nat_gateway) = zone.nat_gateway else { return };
    let path = path.key("natGateway");
    let (rule, detail) = match nat_gateway.eip_allocation_id {
        None => (&rules::INF_004, "eip id is not specified"),
        Some("") => (&rules::INF_005, "eip id cannot be empty string"),
        Some(_) => return,
    };
    report.error(rule, &path, ErrorType::Invalid, detail);
}

fn vpc(
    config: &InfrastructureConfig<'_>,
    networking: &Networking<'_>,
    ranges: &[PlacedRange<'_>],
    report: &mut Report<'_>,
) {
    let vpc = &config.networks.vpc;
    let path = NETWORKS.key("vpc");
    match (vpc.id, vpc.cidr) {
        (None, None) | (Some(_), Some(_)) => {
            let detail = "must specify either a vpc id or a cidr";
            report.error(&rules::INF_011, &path, ErrorType::Invalid, detail);
        }
        (Some(_), None) => {}
        (None, Some(text)) => {
            let vpc = PlacedRange::new(path.key("cidr"), text);
            vpc.is_canonical(&rules::INF_012, report);
            vpc.parses(&rules::INF_013, report);
            if let Some(nodes) = networking.nodes {
                PlacedRange::new(NETWORKING.key("nodes"), nodes).is_subset_of(&vpc, &rules::INF_014, report);
            }
            subsets(ranges, &vpc, &rules::INF_015, report);
            for &(key, text) in &[("pods", networking.pods), ("services", networking.services)] {
                if let Some(text) = text {
                    PlacedRange::new(NETWORKING.key(key), text).is_apart_from(&vpc, &rules::INF_016, report);
                }
            }
        }
    }
    custom_route_table(config, report);
}

fn custom_route_table(config: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let vpc = &config.networks.vpc;
    if vpc.id.is_some()
        && vpc.use_custom_route_table == Some(true)
        && vpc.gardener_managed_nat_gateway != Some(true)
    {
        let detail =
            "gardenerManagedNATGateway must be true when useCustomRouteTable is enabled with a user-provided VPC";
        let path = NETWORKS.key("vpc");
        report
            .error(&rules::INF_017, &path.key("gardenerManagedNATGateway"), ErrorType::Required, detail)
            .fix_value(&Value::Bool(true));
    }
}

fn dual_stack(config: &InfrastructureConfig<'_>, region: &str, report: &mut Report<'_>) {
    if NLB_REGIONS.binary_search(&region).is_err() {
        let detail = format!(
            "region {region} does not support NLB which is required for dualStack; supported regions: {}",
            join(&NLB_REGIONS, ", ")
        );
        report.error(&rules::INF_021, &REGION, ErrorType::Invalid, detail);
    }
    let zones = NETWORKS.key("zones");
    let mut taken = [false; 256];
    let mut take = |block: usize| taken.get_mut(block).is_none_or(|taken| !std::mem::replace(taken, true));
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let zone_path = zones.index(index);
        let path = zone_path.key("ipv6CidrBlock");
        match zone.ipv6_cidr_block {
            None if config.networks.vpc.id.is_some() => {
                let detail =
                    "ipv6CidrBlock is required when dualStack.enabled is true and using a user-provided VPC";
                report.error(&rules::INF_022, &path, ErrorType::Required, detail);
            }
            Some(block) if !(0..=255).contains(&block) => {
                report.error(&rules::INF_023, &path, ErrorType::Invalid, "ipv6CidrBlock must be in range 0-255");
            }
            None => {
                if !take(index) {
                    let detail = format!(
                        "default ipv6CidrBlock (zone index {index}) conflicts with another zone; \
                         set ipv6CidrBlock explicitly to resolve"
                    );
                    report.error(&rules::INF_024, &path, ErrorType::Invalid, detail);
                }
            }
            Some(block) => {
                if !usize::try_from(block).is_ok_and(&mut take) {
                    let detail = "ipv6CidrBlock must be unique across zones";
                    report.error(&rules::INF_025, &path, ErrorType::Invalid, detail);
                }
            }
        }
    }
}
