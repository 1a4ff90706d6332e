//! One subnet for all workers (AZ-INF-070…073).

use super::{ClusterRanges, NETWORKS, WORKERS, lies_in, nat_gateway};
use crate::gardener::checks::cidr::PlacedRange;
use crate::provider::azure::api::Networks;
use crate::provider::azure::rules::infrastructure as rules;
use crate::provider::azure::validate::names::SERVICE_ENDPOINT;
use crate::report::Report;

/// Judges the subnet, which has the range `workers`.
pub fn validate(networks: &Networks<'_>, workers: &str, cluster: &ClusterRanges<'_>, report: &mut Report<'_>) {
    let workers = PlacedRange::new(WORKERS, workers);
    workers.parses(&rules::INF_070, report);
    workers.is_canonical(&rules::INF_071, report);
    lies_in(&workers, cluster.nodes.as_ref(), &rules::INF_072, report);
    if let Some(gateway) = &networks.nat_gateway {
        nat_gateway::of_subnet(gateway, &NETWORKS.key("natGateway"), report);
    }
    let path = NETWORKS.key("serviceEndpoints");
    for (index, endpoint) in networks.service_endpoints.iter().enumerate() {
        report.text(&rules::INF_073, &path.index(index), endpoint, &SERVICE_ENDPOINT);
    }
}
