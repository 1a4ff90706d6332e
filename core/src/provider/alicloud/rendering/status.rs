//! The network that a control plane is told of.

use crate::document::decode::Mode;
use crate::document::decode::Typed;
use crate::document::{Path, Value};
use crate::gardener::rendering::{ControlPlane, Preview};
use crate::provider::alicloud::api::{Config as _, InfrastructureStatus};
use crate::provider::alicloud::rules::rendering as rules;
use crate::report::{ErrorType, Report};

const STATUS: &str = "/spec/infrastructureProviderStatus";
/// The purpose of VSwitches that nodes stand in.
const NODES: &str = "nodes";

/// The part of the network that load balancers stand in.
#[derive(Debug)]
pub struct Network {
    /// The VPC's id.
    pub vpc: String,
    /// The id of the first VSwitch for nodes.
    pub vswitch: String,
    /// The zone of that VSwitch.
    pub zone: String,
    /// The id of the Shoot's own route table; empty where it has none.
    pub route_table: String,
}

/// The network of a control plane. None where an error says what is wrong.
pub fn network(
    control_plane: &ControlPlane<'_>,
    shoot: &Value<'_>,
    preview: &mut Preview,
    report: &mut Report<'_>,
) -> Option<Network> {
    if control_plane.is_preview {
        return Some(of_shoot(shoot, preview));
    }
    let name = control_plane.full_name();
    let could_not = format!("could not decode infrastructureProviderStatus of controlplane '{name}'");
    let Some(value) = control_plane.infrastructure_status else {
        report.deny(&rules::RND_004, STATUS, format!("{could_not}: it is absent"));
        return None;
    };
    let status = match InfrastructureStatus::read_typed(value, Mode::Strict, Typed::ByVersion) {
        Ok(status) => status,
        Err(error) => {
            let pointer = format!("{STATUS}{}", error.pointer());
            let detail = format!("{could_not}: {error}");
            report.error(&rules::RND_004, &Path::root("", &pointer), ErrorType::Denied, detail);
            return None;
        }
    };
    let Some(vswitch) = status.vpc.vswitches.iter().find(|vswitch| vswitch.purpose == NODES) else {
        let detail = format!(
            "could not build cloud controller config file content for controlplane '{name}': could not determine vswitch from \
             infrastructureProviderStatus of controlplane '{name}': no vswitch with purpose \"{NODES}\" found"
        );
        report.deny(&rules::RND_002, &format!("{STATUS}/vpc/vswitches"), detail);
        return None;
    };
    Some(Network {
        vpc: status.vpc.id.to_owned(),
        vswitch: vswitch.id.to_owned(),
        zone: vswitch.zone.to_owned(),
        route_table: status.vpc.route_table_id.to_owned(),
    })
}

/// The network that the Shoot asks for: what exists already has its id, and the rest has placeholders.
fn of_shoot(shoot: &Value<'_>, preview: &mut Preview) -> Network {
    let networks = shoot.at(&["spec", "provider", "infrastructureConfig", "networks"]);
    let at = |keys: &[&str]| networks.and_then(|networks| networks.at(keys));
    let zones = at(&["zones"]).map(Value::items).unwrap_or_default();
    let zone = zones.first().and_then(|zone| zone.get("name")).and_then(Value::as_str);
    let has_own_table = matches!(at(&["vpc", "useCustomRouteTable"]), Some(Value::Bool(true)));
    let vpc = at(&["vpc", "id"]).and_then(Value::as_str).filter(|id| !id.is_empty());
    Network {
        vpc: vpc.map_or_else(|| preview.placeholder("vpc id"), str::to_owned),
        vswitch: match zone {
            Some(zone) => preview.placeholder(&format!("vswitch id of {zone}")),
            None => preview.placeholder("vswitch id"),
        },
        zone: zone.map_or_else(|| preview.placeholder("zone"), str::to_owned),
        route_table: if has_own_table { preview.placeholder("route table id") } else { String::new() },
    }
}
