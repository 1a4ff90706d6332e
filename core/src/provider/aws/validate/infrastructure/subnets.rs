//! The subnets of zones: existing ones by their ids, or new ones by their ranges (AWS-INF-006…027).

use super::ZONES;
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::cidr::PlacedRange;
use crate::gardener::shoot::{Families, IN_INFRASTRUCTURE};
use crate::provider::aws::api::{InfrastructureConfig, Networks, Zone};
use crate::provider::aws::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::TextRule;

const ZONE_NAME: TextRule = TextRule::pattern(r"^[a-z0-9-]+$").length(0, 255);
const SUBNET_ID: TextRule = TextRule::pattern(r"^subnet-[a-z0-9]+$").required("cannot be empty").length(0, 255);
const ALLOCATION_ID: TextRule = TextRule::pattern(r"^eipalloc-[a-z0-9]+$").length(0, 255);

/// The ranges of the subnets to create.
#[derive(Default)]
pub struct Ranges<'p> {
    /// Those of all subnets, by zone.
    pub all: Vec<PlacedRange<'p>>,
    /// Those of the nodes.
    pub workers: Vec<PlacedRange<'p>>,
}

/// Zones either have existing subnets, or get new ones.
pub fn approach(config: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let zones = &config.networks.zones;
    let is_existing = config.networks.has_existing_subnets();
    let has_ranges = zones.iter().any(|zone| zone.workers.is_some());
    if is_existing && has_ranges {
        let detail = "all zones must use the same approach: either all workersSubnetID (BYO) or all workers CIDR \
                      (Gardener-managed); mixing is not allowed";
        report.error(&rules::INF_006, &ZONES, ErrorType::Forbidden, detail);
    }
    if !zones.is_empty() && !is_existing && !has_ranges {
        let detail = "each zone must specify either workers (CIDR) or workersSubnetID";
        report.error(&rules::INF_007, &ZONES, ErrorType::Required, detail);
    }
    if !is_existing {
        return;
    }
    if config.elastic_file_system.is_some_and(|system| system.enabled && system.id.is_none()) {
        let detail = "elasticFileSystem.id is required in BYO mode (workersSubnetID); Gardener does not create EFS file \
                      systems or mount targets in BYO mode";
        let path = IN_INFRASTRUCTURE.key("elasticFileSystem");
        report.error(&rules::INF_008, &path.key("id"), ErrorType::Required, detail);
    }
    all_or_none(zones, &rules::INF_009, "publicSubnetID", |zone| zone.public_subnet_id.is_some(), report);
    all_or_none(zones, &rules::INF_010, "internalSubnetID", |zone| zone.internal_subnet_id.is_some(), report);
}

/// Where one of the zones has a subnet of a purpose, all with existing subnets have one.
fn all_or_none(
    zones: &[Zone<'_>],
    rule: &'static Rule,
    key: &str,
    has: fn(&Zone<'_>) -> bool,
    report: &mut Report<'_>,
) {
    if zones.len() < 2 || !zones.iter().any(has) {
        return;
    }
    for (index, zone) in zones.iter().enumerate() {
        if zone.workers_subnet_id.is_some() && !has(zone) {
            let detail = format!("all BYO zones must specify {key} when any zone has it");
            report.error(rule, &ZONES.index(index).key(key), ErrorType::Required, detail);
        }
    }
}

/// What zones before the one that is judged have.
#[derive(Default)]
struct Seen<'v> {
    worker_subnets: NameSet<'v>,
    load_balancer_subnets: NameSet<'v>,
    elastic_ips: NameSet<'v>,
}

/// Judges each zone, which is at one of `places`, and gives the ranges of the subnets to create.
pub fn zones<'p>(
    networks: &Networks<'p>,
    places: &'p [Path<'p>],
    families: Families,
    report: &mut Report<'_>,
) -> Ranges<'p> {
    let (mut seen, mut ranges) = (Seen::default(), Ranges::default());
    for (zone, place) in networks.zones.iter().zip(places) {
        if report.is_full(Severity::Error) {
            break;
        }
        report.text(&rules::INF_011, &place.key("name"), zone.name, &ZONE_NAME);
        nodes(zone, place, report);
        existing(networks, zone, place, &mut seen, report);
        let workers = zone.workers.filter(|_| families.has_ipv4);
        for &(key, text) in &[("public", zone.public), ("internal", zone.internal), ("workers", workers)] {
            let Some(text) = text else { continue };
            let range = PlacedRange::new(place.key(key), text);
            range.is_canonical(&rules::INF_024, report);
            ranges.all.push(range);
            if key == "workers" {
                ranges.workers.push(range);
            }
        }
        elastic_ip(zone, &place.key("elasticIPAllocationID"), &mut seen, report);
    }
    ranges
}

/// The subnet of the nodes is either an existing one or a new one.
fn nodes(zone: &Zone<'_>, place: &Path<'_>, report: &mut Report<'_>) {
    match (zone.workers, zone.workers_subnet_id) {
        (None, None) => {
            let detail = "must specify either workers (CIDR) or workersSubnetID";
            report.error(&rules::INF_012, place, ErrorType::Required, detail);
        }
        (Some(_), Some(_)) => {
            let detail = "cannot specify both workers (CIDR) and workersSubnetID";
            report.error(&rules::INF_013, &place.key("workers"), ErrorType::Invalid, detail);
        }
        _ => {}
    }
}

/// Existing subnets.
fn existing<'v>(
    networks: &Networks<'v>,
    zone: &Zone<'v>,
    place: &Path<'_>,
    seen: &mut Seen<'v>,
    report: &mut Report<'_>,
) {
    let Some(workers) = zone.workers_subnet_id else {
        for &(rule, key, id) in &[
            (&rules::INF_022, "publicSubnetID", zone.public_subnet_id),
            (&rules::INF_023, "internalSubnetID", zone.internal_subnet_id),
        ] {
            if id.is_some() {
                let detail = format!("{key} is only allowed when workersSubnetID is set (BYO mode)");
                report.error(rule, &place.key(key), ErrorType::Forbidden, detail);
            }
        }
        return;
    };
    let has_vpc = networks.vpc.id.is_some();
    let rules = [&rules::INF_014, &rules::INF_015, &rules::INF_016];
    subnet(rules, has_vpc, &place.key("workersSubnetID"), workers, &mut seen.worker_subnets, report);
    for (rule, key, range) in
        [(&rules::INF_017, "internal", zone.internal), (&rules::INF_018, "public", zone.public)]
    {
        if range.is_some() {
            let detail = format!(
                "{key} CIDR is forbidden when workersSubnetID is set; in BYO mode all subnets must be user-managed and LB \
                 subnets are discovered via tags"
            );
            report.error(rule, &place.key(key), ErrorType::Forbidden, detail);
        }
    }
    for &(rule, key, id) in &[
        (&rules::INF_019, "publicSubnetID", zone.public_subnet_id),
        (&rules::INF_020, "internalSubnetID", zone.internal_subnet_id),
    ] {
        if let Some(id) = id {
            subnet([rule; 3], has_vpc, &place.key(key), id, &mut seen.load_balancer_subnets, report);
        }
    }
    if zone.internal_subnet_id.is_some() && zone.internal_subnet_id == zone.public_subnet_id {
        let detail = "internalSubnetID must differ from publicSubnetID in the same zone (public subnet must be \
                      IGW-routed, internal must be NAT-routed)";
        report.error(&rules::INF_021, &place.key("internalSubnetID"), ErrorType::Invalid, detail);
    }
}

/// An existing subnet: its id has the right form, its VPC exists too, and no zone before has it for such a
/// purpose.
fn subnet<'v>(
    [form, vpc, once]: [&'static Rule; 3],
    has_vpc: bool,
    path: &Path<'_>,
    id: &'v str,
    seen: &mut NameSet<'v>,
    report: &mut Report<'_>,
) {
    report.text(form, path, id, &SUBNET_ID);
    if !has_vpc {
        let detail = "subnet ID references require VPC.ID to be set (existing VPC)";
        report.error(vpc, path, ErrorType::Forbidden, detail);
    }
    if !seen.insert(id) {
        report.error(once, path, ErrorType::Duplicate, "");
    }
}

/// An existing Elastic IP is for the NAT gateway of a zone with new subnets.
fn elastic_ip<'v>(zone: &Zone<'v>, path: &Path<'_>, seen: &mut Seen<'v>, report: &mut Report<'_>) {
    let Some(id) = zone.elastic_ip_allocation_id else { return };
    if zone.workers.is_none() || zone.public.is_none() {
        let detail = "elasticIPAllocationID is only valid when workers and public CIDRs are provided \
                      (Gardener-managed subnets)";
        report.error(&rules::INF_025, path, ErrorType::Forbidden, detail);
    }
    if !seen.elastic_ips.insert(id) {
        report.error(&rules::INF_026, path, ErrorType::Duplicate, "");
    }
    report.text(&rules::INF_027, path, id, &ALLOCATION_ID);
}
