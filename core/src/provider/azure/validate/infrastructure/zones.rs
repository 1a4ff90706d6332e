//! A subnet a zone (AZ-INF-090…106).

use super::{ClusterRanges, NETWORKS, ZONES, lies_in, nat_gateway};
use crate::document::Path;
use crate::gardener::checks::cidr::{PlacedRange, are_apart};
use crate::provider::azure::api::InfrastructureConfig;
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::validate::names::SERVICE_ENDPOINT;
use crate::report::{ErrorType, Report, Severity};

/// Judges the zones and their subnets.
pub fn validate(config: &InfrastructureConfig<'_>, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let networks = &config.networks;
    if !config.zoned {
        let detail = "cannot specify zones in an non-zonal cluster";
        report.error(&rules::INF_090, &ZONES, ErrorType::Forbidden, detail);
    }
    for &(rule, key, is_set) in &[
        (&rules::INF_091, "natGateway", networks.nat_gateway.is_some()),
        (&rules::INF_092, "serviceEndpoints", !networks.service_endpoints.is_empty()),
    ] {
        if is_set {
            // The existing extension prints the place of the field that is missing.
            let path = NETWORKS.renamed(key, "workers");
            let detail = format!("{key} cannot be specified when workers field is missing");
            report.error(rule, &path, ErrorType::Forbidden, detail);
        }
    }
    for (index, zone) in networks.zones.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = ZONES.index(index);
        if networks.zones.iter().take(index).any(|earlier| earlier.name == zone.name) {
            let detail = "the same zone cannot be specified multiple times";
            report.error(&rules::INF_093, &path, ErrorType::Invalid, detail);
        }
        PlacedRange::new(path.key("cidr"), zone.cidr).is_canonical(&rules::INF_094, report);
        let endpoints = path.key("serviceEndpoints").pointer();
        // The existing extension leaves out the index of the zone.
        let endpoints =
            Path::root("spec.provider.infrastructureConfig.networks.zones.serviceEndpoints", &endpoints);
        for (index, endpoint) in zone.service_endpoints.iter().enumerate() {
            report.text(&rules::INF_095, &endpoints.index(index), endpoint, &SERVICE_ENDPOINT);
        }
        if let Some(gateway) = &zone.nat_gateway {
            nat_gateway::of_zone(gateway, &path.key("natGateway"), report);
        }
    }
    ranges(config, cluster, report);
}

fn ranges(config: &InfrastructureConfig<'_>, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let zones = &config.networks.zones;
    let places: Vec<Path<'_>> = (0..zones.len()).map(|index| ZONES.index(index)).collect();
    let range = |(place, text)| PlacedRange::new(Path::key(place, "cidr"), text);
    let ranges: Vec<PlacedRange<'_>> = places.iter().zip(zones.iter().map(|zone| zone.cidr)).map(range).collect();
    for range in &ranges {
        range.parses(&rules::INF_102, report);
    }
    for range in &ranges {
        lies_in(range, cluster.nodes.as_ref(), &rules::INF_103, report);
    }
    are_apart(&ranges, &rules::INF_104, report);
    for &(rule, other) in &[(&rules::INF_105, &cluster.pods), (&rules::INF_106, &cluster.services)] {
        for range in &ranges {
            if let Some(other) = other {
                range.is_apart_from(other, rule, report);
            }
        }
    }
}
