//! The network that a control plane gets to know.

use std::borrow::Cow;

use crate::document::Value;
use crate::document::decode::{Mode, Typed};
use crate::gardener::extension_objects::Preview;
use crate::gardener::rendering::ControlPlaneDraft;
use crate::provider::alicloud::api::{API_VERSION, Config as _, InfrastructureStatus};
use crate::provider::alicloud::rules::rendering as rules;

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

impl Network {
    /// Whether a value of the network is this one.
    pub fn has(&self, value: &str) -> bool {
        [&self.vpc, &self.vswitch, &self.zone, &self.route_table].into_iter().any(|known| known == value)
    }
}

/// The network of a control plane. None where an error says what is wrong.
pub fn network(draft: &mut ControlPlaneDraft<'_>) -> Option<Network> {
    let read = |value| InfrastructureStatus::read_typed(value, Mode::Strict, Typed::ByVersion);
    let status = draft.infrastructure_status(&rules::RND_004, read)?;
    let Some(vswitch) = status.vpc.vswitches.iter().find(|vswitch| vswitch.purpose == NODES) else {
        let name = draft.control_plane.full_name();
        let detail = format!(
            "could not build cloud controller config file content for controlplane '{name}': could not determine vswitch from \
             infrastructureProviderStatus of controlplane '{name}': no vswitch with purpose \"{NODES}\" found"
        );
        draft.refuse_status(&rules::RND_002, "/vpc/vswitches", detail);
        return None;
    };
    Some(Network {
        vpc: status.vpc.id.to_owned(),
        vswitch: vswitch.id.to_owned(),
        zone: vswitch.zone.to_owned(),
        route_table: status.vpc.route_table_id.to_owned(),
    })
}

/// The status that the infrastructure of a Shoot would have: what exists already has its id, and the rest has
/// placeholders.
pub fn preview<'s>(shoot: &'s Value<'s>, preview: &mut Preview) -> Value<'s> {
    let networks = shoot.at(&["spec", "provider", "infrastructureConfig", "networks"]);
    let at = |keys: &[&str]| networks.and_then(|networks| networks.at(keys));
    let known = at(&["vpc", "id"]).and_then(Value::as_str).filter(|id| !id.is_empty());
    let id = known.map_or_else(|| preview.placeholder("vpc id"), str::to_owned);
    let zones = at(&["zones"]).map(Value::items).unwrap_or_default();
    let vswitch =
        |id, zone: Cow<'s, str>| purposed(vec![("id", Value::string(id)), ("zone", Value::String(zone))]);
    let named = zones.iter().filter_map(|zone| zone.get("name")?.as_str());
    let mut vswitches: Vec<Value<'s>> =
        named.map(|zone| vswitch(preview.placeholder(&format!("vswitch id of {zone}")), zone.into())).collect();
    if vswitches.is_empty() {
        vswitches.push(vswitch(preview.placeholder("vswitch id"), preview.placeholder("zone").into()));
    }
    let group = purposed(vec![("id", Value::string(preview.placeholder("security group id")))]);
    let mut vpc = vec![
        ("id".into(), Value::string(id)),
        ("vswitches".into(), Value::Array(vswitches)),
        ("securityGroups".into(), Value::Array(vec![group])),
    ];
    if matches!(at(&["vpc", "useCustomRouteTable"]), Some(Value::Bool(true))) {
        vpc.push(("routeTableID".into(), Value::string(preview.placeholder("route table id"))));
    }
    Value::object([
        ("apiVersion", Value::string(API_VERSION)),
        ("kind", Value::string("InfrastructureStatus")),
        ("vpc", Value::Object(vpc)),
    ])
}

/// A part of the network for nodes.
fn purposed<'v>(members: Vec<(&'static str, Value<'v>)>) -> Value<'v> {
    let all = [("purpose", Value::string(NODES))].into_iter().chain(members);
    Value::Object(all.map(|(key, value)| (Cow::Borrowed(key), value)).collect())
}
