//! The network of a Shoot (AWS-INF).

mod ignore_tags;
mod ranges;
mod subnets;

use crate::document::{Path, Value};
use crate::gardener::checks::cidr::PlacedRange;
use crate::gardener::shoot::{Families, IN_INFRASTRUCTURE};
use crate::gardener::types::shoot::Networking;
use crate::kube::names::subdomain_faults;
use crate::provider::aws::api::{InfrastructureConfig, Ipv6IpamPool, Networks};
use crate::provider::aws::rules::infrastructure as rules;
use crate::report::{ErrorType, Report};
use crate::text::TextRule;

/// The place of the network layout, which the existing extension prints relative to the configuration.
pub const NETWORKS: Path<'_> = IN_INFRASTRUCTURE.key("networks");
/// The place of the VPC.
pub const VPC: Path<'_> = NETWORKS.key("vpc");
/// The place of the zones.
pub const ZONES: Path<'_> = NETWORKS.key("zones");

/// Length of the prefix of the IPv6 range of a VPC.
const IPV6_PREFIX: u8 = 56;

const VPC_ID: TextRule = TextRule::pattern(r"^vpc-[a-z0-9]+$").required("cannot be empty").length(0, 255);
const SECURITY_GROUP_ID: TextRule =
    TextRule::pattern(r"^sg-[a-z0-9]+$").required("cannot be empty").length(0, 255);

/// Judges the network of a Shoot.
pub fn validate(
    config: &InfrastructureConfig<'_>,
    networking: &Networking<'_>,
    families: Families,
    report: &mut Report<'_>,
) {
    let networks = &config.networks;
    if networks.zones.is_empty() {
        let detail = "must specify at least the networks for one zone";
        report.error(&rules::INF_001, &ZONES, ErrorType::Required, detail);
    }
    gateway_endpoints(networks, report);
    security_group(networks, report);
    subnets::approach(config, report);
    let places: Vec<Path<'_>> = (0..networks.zones.len()).map(|index| ZONES.index(index)).collect();
    let ranges = subnets::zones(networks, &places, families, report);
    ranges::zones(&ranges, networking, report);
    vpc(networks, &ranges.all, networking, families, report);
    ranges::conflicts(&ranges.all, networking, report);
    if let Some(pool) = &networks.vpc.ipv6_ipam_pool {
        ipam_pool(pool, families, report);
    }
    if let Some(tags) = &config.ignore_tags {
        ignore_tags::validate(tags, report);
    }
}

fn gateway_endpoints(networks: &Networks<'_>, report: &mut Report<'_>) {
    let path = VPC.key("gatewayEndpoints");
    let endpoints = &networks.vpc.gateway_endpoints;
    for (index, endpoint) in endpoints.iter().enumerate() {
        if !subdomain_faults(endpoint).is_empty() {
            let detail = "must be a valid DNS subdomain";
            let entry = report.error(&rules::INF_002, &path.index(index), ErrorType::Invalid, detail);
            let lower = endpoint.to_ascii_lowercase();
            if subdomain_faults(&lower).is_empty() {
                entry.fix_value(&Value::string(lower));
            }
        }
    }
    if !endpoints.is_empty() && networks.has_existing_subnets() {
        let detail = "gatewayEndpoints are not supported in BYO mode (workersSubnetID); VPC gateway endpoints require \
                      route table associations that Gardener cannot manage in BYO mode; create and manage VPC endpoints \
                      independently";
        report.error(&rules::INF_003, &path, ErrorType::Forbidden, detail).fix_removal();
    }
}

fn security_group(networks: &Networks<'_>, report: &mut Report<'_>) {
    let Some(id) = networks.nodes_security_group_id else { return };
    let path = NETWORKS.key("nodesSecurityGroupID");
    report.text(&rules::INF_004, &path, id, &SECURITY_GROUP_ID);
    if networks.vpc.id.is_none() {
        let detail = "nodesSecurityGroupID requires VPC.ID to be set (existing VPC)";
        report.error(&rules::INF_005, &path, ErrorType::Forbidden, detail);
    }
}

fn vpc(
    networks: &Networks<'_>,
    ranges: &[PlacedRange<'_>],
    networking: &Networking<'_>,
    families: Families,
    report: &mut Report<'_>,
) {
    match (networks.vpc.id, networks.vpc.cidr) {
        (None, None) => {
            let detail = "must specify either a vpc id or a cidr";
            report.error(&rules::INF_030, &VPC, ErrorType::Invalid, detail);
        }
        (Some(_), Some(_)) => {
            let detail = "cannot specify both vpc id and cidr";
            report.error(&rules::INF_031, &VPC, ErrorType::Invalid, detail);
        }
        // The existing extension checks no range of a VPC with IPv6.
        (None, Some(_)) if families.has_ipv6 => {}
        (None, Some(cidr)) => ranges::vpc(cidr, ranges, networking, report),
        (Some(id), None) => report.text(&rules::INF_033, &VPC.key("id"), id, &VPC_ID),
    }
}

fn ipam_pool(pool: &Ipv6IpamPool<'_>, families: Families, report: &mut Report<'_>) {
    let Some(block) = pool.cidr_block else { return };
    let path = VPC.key("ipv6IpamPool");
    let path = path.key("cidrBlock");
    let range = PlacedRange::new(path, block);
    range.parses(&rules::INF_037, report);
    range.is_canonical(&rules::INF_037, report);
    if !families.has_ipv6 {
        let detail = "cidrBlock requires an IPv6 IP family";
        report.error(&rules::INF_038, &path, ErrorType::Invalid, detail);
    }
    if pool.id.is_none() {
        let detail = "cidrBlock requires ipv6IpamPool.id to be set";
        report.error(&rules::INF_039, &path, ErrorType::Invalid, detail);
    }
    if range.cidr().is_some_and(|cidr| cidr.prefix_length() != IPV6_PREFIX) {
        report.error(&rules::INF_040, &path, ErrorType::Invalid, "cidrBlock must be a /56");
    }
}
