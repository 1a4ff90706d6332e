//! The network of a Shoot (ALI-INF).

use crate::cidr::Cidr;
use crate::document::{Path, Value};
use crate::gardener::shoot::ShootSpec;
use crate::provider::alicloud::api::{InfrastructureConfig, Zone};
use crate::provider::alicloud::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::quote;

/// Where the network layout is; the existing extension prints its places relative to the configuration.
pub const NETWORKS: Path<'_> = Path::root("networks", "/spec/provider/infrastructureConfig/networks");
/// Where dual-stack is switched on.
pub const DUAL_STACK: Path<'_> = Path::root("dualStack", "/spec/provider/infrastructureConfig/dualStack");
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

/// The range of a zone, with its place.
struct ZoneCidr<'a> {
    zone: usize,
    key: &'static str,
    text: &'a str,
    cidr: Option<Cidr>,
}

impl<'a> ZoneCidr<'a> {
    /// The ranges of a zone that are written, `worker` before `workers`.
    fn of(index: usize, zone: &Zone<'a>) -> impl Iterator<Item = Self> + use<'a> {
        [("worker", zone.worker), ("workers", zone.workers)]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(move |(key, text)| Self { zone: index, key, text, cidr: Cidr::parse(text) })
    }

    fn error(
        &self,
        rule: &'static Rule,
        detail: impl Into<String>,
        report: &mut Report<'_>,
        remedy: Option<String>,
    ) {
        let zones = NETWORKS.key("zones");
        let entry = report.error(rule, &zones.index(self.zone).key(self.key), ErrorType::Invalid, detail);
        if let Some(remedy) = remedy {
            entry.remedy(remedy);
        }
    }
}

/// Judges the network of a Shoot.
pub fn validate(config: &InfrastructureConfig<'_>, spec: &ShootSpec<'_>, report: &mut Report<'_>) {
    let networking = spec.networking.unwrap_or_default();
    let zones = NETWORKS.key("zones");
    if config.networks.zones.is_empty() {
        let detail = "must specify at least the network for one zone";
        report.error(&rules::INF_001, &zones, ErrorType::Required, detail);
    }
    let mut cidrs = Vec::new();
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let path = zones.index(index);
        for cidr in ZoneCidr::of(index, zone) {
            let rule = if cidr.key == "worker" { &rules::INF_002 } else { &rules::INF_003 };
            canonical(rule, &path.key(cidr.key), cidr.cidr, report);
            cidrs.push(cidr);
        }
        elastic_ip(zone, &path, report);
    }
    for cidr in cidrs.iter().filter(|cidr| cidr.cidr.is_none()) {
        cidr.error(&rules::INF_006, format!("invalid CIDR address: {}", cidr.text), report, None);
    }
    if let Some((nodes, text)) = parsed(networking.nodes) {
        subset(&rules::INF_007, "networking.nodes", text, &nodes, &cidrs, report);
    }
    vpc(config, &networking, &cidrs, report);
    disjoint(&cidrs, report);
    for (rule, name, range) in [
        (&rules::INF_019, "networking.pods", networking.pods),
        (&rules::INF_020, "networking.services", networking.services),
    ] {
        let Some((range, text)) = parsed(range) else { continue };
        for cidr in cidrs.iter().filter(|cidr| cidr.cidr.is_some_and(|cidr| cidr.overlaps(&range))) {
            cidr.error(rule, not_overlap(name, text), report, None);
        }
    }
    if config.is_dual_stack() {
        dual_stack(config, spec.region, report);
    }
}

fn parsed(text: Option<&str>) -> Option<(Cidr, &str)> {
    text.and_then(|text| Some((Cidr::parse(text)?, text)))
}

fn not_overlap(name: &str, text: &str) -> String {
    format!("must not overlap with {} ({})", quote(name), quote(text))
}

fn canonical(rule: &'static Rule, path: &Path<'_>, cidr: Option<Cidr>, report: &mut Report<'_>) {
    if let Some(cidr) = cidr.filter(|cidr| !cidr.is_canonical()) {
        let network = cidr.network().to_string();
        report
            .error(rule, path, ErrorType::Invalid, "must be valid canonical CIDR")
            .remedy(format!("Write the first address of the range: `{network}`."))
            .fix_value(&Value::string(network));
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

fn subset(
    rule: &'static Rule,
    name: &str,
    text: &str,
    range: &Cidr,
    cidrs: &[ZoneCidr<'_>],
    report: &mut Report<'_>,
) {
    for cidr in cidrs.iter().filter(|cidr| cidr.cidr.is_some_and(|cidr| !range.contains(&cidr))) {
        cidr.error(
            rule,
            format!("must be a subset of {} ({})", quote(name), quote(text)),
            report,
            Some(format!("Choose a range within `{text}`.")),
        );
    }
}

fn vpc(
    config: &InfrastructureConfig<'_>,
    networking: &crate::gardener::shoot::Networking<'_>,
    cidrs: &[ZoneCidr<'_>],
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
            let cidr_path = path.key("cidr");
            let cidr = Cidr::parse(text);
            canonical(&rules::INF_012, &cidr_path, cidr, report);
            let Some(cidr) = cidr else {
                let detail = format!("invalid CIDR address: {text}");
                report.error(&rules::INF_013, &cidr_path, ErrorType::Invalid, detail);
                return custom_route_table(config, report);
            };
            if let Some((nodes, _)) = parsed(networking.nodes)
                && !cidr.contains(&nodes)
            {
                let detail = format!("must be a subset of {} ({})", quote("networks.vpc.cidr"), quote(text));
                report.error(&rules::INF_014, &NETWORKING.key("nodes"), ErrorType::Invalid, detail);
            }
            subset(&rules::INF_015, "networks.vpc.cidr", text, &cidr, cidrs, report);
            for (key, range) in [("pods", networking.pods), ("services", networking.services)] {
                if parsed(range).is_some_and(|(range, _)| range.overlaps(&cidr)) {
                    let detail = not_overlap("networks.vpc.cidr", text);
                    report.error(&rules::INF_016, &NETWORKING.key(key), ErrorType::Invalid, detail);
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

/// No two ranges share an address. A sweep over the ranges by first address would find one collision each;
/// people want all, so every pair is looked at, until the report is full.
fn disjoint(cidrs: &[ZoneCidr<'_>], report: &mut Report<'_>) {
    let zones = NETWORKS.key("zones");
    for (index, a) in cidrs.iter().enumerate() {
        let Some(range) = a.cidr else { continue };
        if report.is_full(Severity::Error) {
            return;
        }
        for b in cidrs.iter().skip(index + 1).filter(|b| b.cidr.is_some_and(|b| b.overlaps(&range))) {
            let name = zones.index(a.zone).key(a.key).field();
            b.error(&rules::INF_018, not_overlap(&name, a.text), report, None);
        }
    }
}

fn dual_stack(config: &InfrastructureConfig<'_>, region: &str, report: &mut Report<'_>) {
    if NLB_REGIONS.binary_search(&region).is_err() {
        let detail = format!(
            "region {region} does not support NLB which is required for dualStack; supported regions: {}",
            NLB_REGIONS.join(", ")
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
