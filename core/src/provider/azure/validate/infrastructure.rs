//! The network of a Shoot (AZ-INF).

mod nat_gateway;
mod subnet;
mod vnet;
mod zones;

use crate::document::Path;
use crate::gardener::checks::cidr::PlacedRange;
use crate::gardener::shoot::INFRASTRUCTURE;
use crate::gardener::types::shoot::Networking;
use crate::provider::azure::api::InfrastructureConfig;
use crate::provider::azure::rules::infrastructure as rules;
use crate::report::{ErrorType, Report, Rule};

use super::names::{RESOURCE, RESOURCE_GROUP};

pub use nat_gateway::{STANDARD, sku};

/// The place of the network layout.
pub const NETWORKS: Path<'_> = INFRASTRUCTURE.key("networks");
/// The place of the virtual network.
pub const VNET: Path<'_> = NETWORKS.key("vnet");
/// The place of the one subnet of all workers.
pub const WORKERS: Path<'_> = NETWORKS.key("workers");
/// The place of the zones with subnets.
pub const ZONES: Path<'_> = NETWORKS.key("zones");
/// Ranges of the cluster, as the existing extension prints their places.
const NETWORKING: Path<'_> = Path::root("networking", "/spec/networking");

/// The ranges that Gardener's core API describes.
struct ClusterRanges<'p> {
    nodes: Option<PlacedRange<'p>>,
    pods: Option<PlacedRange<'p>>,
    services: Option<PlacedRange<'p>>,
}

impl<'p> ClusterRanges<'p> {
    fn of(networking: &Networking<'p>) -> Self {
        let range = |key, text: Option<&'p str>| text.map(|text| PlacedRange::new(NETWORKING.key(key), text));
        Self {
            nodes: range("nodes", networking.nodes),
            pods: range("pods", networking.pods),
            services: range("services", networking.services),
        }
    }

    /// The ranges that no subnet may touch.
    fn inner(&self) -> impl Iterator<Item = &PlacedRange<'p>> {
        self.pods.iter().chain(&self.services)
    }
}

/// Judges the network of a Shoot.
pub fn validate(config: &InfrastructureConfig<'_>, networking: &Networking<'_>, report: &mut Report<'_>) {
    if let Some(group) = config.resource_group {
        let path = INFRASTRUCTURE.key("resourceGroup");
        report.text(&rules::INF_011, &path.key("name"), group.name, &RESOURCE_GROUP);
        let detail = "specifying an existing resource group is not supported yet";
        report.error(&rules::INF_012, &path, ErrorType::Invalid, detail).fix_removal();
    }
    let networks = &config.networks;
    match (networks.workers, networks.has_single_subnet()) {
        (None, true) => {
            let detail = "either workers or zones must be specified";
            report.error(&rules::INF_020, &WORKERS, ErrorType::Forbidden, detail);
        }
        (Some(_), false) => {
            let detail = "workers and zones cannot be specified in parallel";
            report.error(&rules::INF_021, &WORKERS, ErrorType::Forbidden, detail);
        }
        (workers, _) => {
            let cluster = ClusterRanges::of(networking);
            vnet::validate(config, &cluster, report);
            match workers {
                Some(workers) => subnet::validate(networks, workers, &cluster, report),
                None => zones::validate(config, &cluster, report),
            }
        }
    }
    if let Some(identity) = config.identity {
        let path = INFRASTRUCTURE.key("identity");
        report.text(&rules::INF_110, &path.key("resourceGroup"), identity.resource_group, &RESOURCE_GROUP);
        report.text(&rules::INF_111, &path.key("name"), identity.name, &RESOURCE);
    }
}

/// A range that has to lie within another one.
fn lies_in(
    inner: &PlacedRange<'_>,
    outer: Option<&PlacedRange<'_>>,
    rule: &'static Rule,
    report: &mut Report<'_>,
) {
    if let Some(outer) = outer
        && let Some(entry) = inner.is_subset_of(outer, rule, report)
    {
        entry.remedy(format!("Choose a range within `{}`.", outer.text()));
    }
}
