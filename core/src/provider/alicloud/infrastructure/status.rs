//! The status of an Infrastructure (`alicloud-policy` 1.3 and 5.5).

use super::images;
use super::names::{ROUTE_TABLE, SECURITY_GROUP, VPC};
use super::state::{self, of_zones, valid};
use crate::json::{JsonText, Value};
use crate::policy::{InfrastructureStatus, PlanOperation, Refusal, State, StatusRequest};
use crate::provider::alicloud::api::API_VERSION;

/// What nodes need is recorded for that purpose; there are no others.
const NODES: &str = "nodes";

/// Tells the status from the recorded state. What goes keeps the status of before.
pub fn status(request: &StatusRequest<'_>) -> Result<InfrastructureStatus, Refusal> {
    let StatusRequest { request, state } = request;
    let state = state::read(request, state.as_ref())?;
    let mut status =
        InfrastructureStatus { provider_status: None, state: state::write(&state), egress_cidrs: None };
    if request.operation == PlanOperation::Delete || state.is_empty() {
        return Ok(status);
    }
    let zones = request
        .config()
        .and_then(|config| config.pointer("/networks/zones"))
        .map(Value::items)
        .unwrap_or_default();
    let zones: Vec<&str> = zones.iter().filter_map(|zone| zone.get("name")?.as_str()).collect();
    let images = images::status(request, &state)?;
    status.provider_status = Some(provider_status(&state, &zones, images));
    let egress: Vec<_> = in_order(&state, "NATGatewayElasticIPAddress", &zones);
    if !egress.is_empty() {
        status.egress_cidrs = Some(egress.into_iter().map(|(_, address)| format!("{address}/32")).collect());
    }
    Ok(status)
}

/// What is recorded of zones: of those that are configured in their order, then of others.
fn in_order<'s>(state: &'s State, what: &str, zones: &[&str]) -> Vec<(&'s str, &'s str)> {
    let place = |zone: &str| zones.iter().position(|known| *known == zone).unwrap_or(zones.len());
    let mut found: Vec<_> = of_zones(state, what).map(|(zone, value)| (place(zone), zone, value)).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, zone, value)| (zone, value)).collect()
}

fn provider_status(state: &State, zones: &[&str], images: Vec<Value<'_>>) -> JsonText {
    // As the existing extension writes a list that is empty.
    let list = |items: Vec<Value<'static>>| if items.is_empty() { Value::Null } else { Value::Array(items) };
    let text = |text: &str| Value::string(text.to_owned());
    let vpc = valid(state, VPC);
    let mut vswitches = Vec::new();
    let mut security_groups = Vec::new();
    let mut route_table = None;
    if vpc.is_some() {
        for (zone, id) in in_order(state, "VSwitch", zones) {
            vswitches.push(Value::object([("purpose", text(NODES)), ("id", text(id)), ("zone", text(zone))]));
        }
        if let Some(id) = valid(state, SECURITY_GROUP) {
            security_groups.push(Value::object([("purpose", text(NODES)), ("id", text(id))]));
        }
        route_table = valid(state, ROUTE_TABLE);
    }
    let mut network = vec![
        ("id".into(), text(vpc.unwrap_or_default())),
        ("vswitches".into(), list(vswitches)),
        ("securityGroups".into(), list(security_groups)),
    ];
    if let Some(id) = route_table {
        network.push(("routeTableID".into(), text(id)));
    }
    let mut members = vec![
        ("kind".into(), text("InfrastructureStatus")),
        ("apiVersion".into(), text(API_VERSION)),
        ("vpc".into(), Value::Object(network)),
        ("keyPairName".into(), text("")),
    ];
    if !images.is_empty() {
        members.push(("machineImages".into(), Value::Array(images)));
    }
    JsonText::from(&Value::Object(members))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    /// The status for an operation, `networks` and a state, as `providerStatus` and `egressCIDRs`.
    fn of(operation: &str, networks: &str, state: &str) -> (Option<String>, Option<Vec<String>>) {
        let request = format!(
            r#"{{"request":{{"operation":"{operation}","infrastructure":{{"spec":{{"providerConfig":{{"networks":{networks}}}}}}}}},"state":{state}}}"#
        );
        let document = parse(&request).unwrap();
        let status = status(&StatusRequest::read(&document).unwrap()).unwrap();
        (status.provider_status.map(|text| text.as_str().to_owned()), status.egress_cidrs)
    }

    /// A `providerStatus` with that network.
    fn with(vpc: &str) -> Option<String> {
        Some(format!(
            r#"{{"kind":"InfrastructureStatus","apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","vpc":{vpc},"keyPairName":""}}"#
        ))
    }

    #[test]
    fn zones_come_as_they_are_configured_and_others_after_them_by_name() {
        let zone = |zone: &str| {
            format!(r#""Zones/{zone}/VSwitch":"vsw-{zone}","Zones/{zone}/NATGatewayElasticIPAddress":"{zone}.ip""#)
        };
        let state = format!(r#"{{"VPC":"vpc-1",{}}}"#, ["a", "b", "c", "d"].map(zone).join(","));
        let (status, egress) =
            of("reconcile", r#"{"zones":[{"name":"c"},{"name":"x"},{"name":"b"},{"name":"c"}]}"#, &state);
        let zones = ["c", "b", "a", "d"];
        let vswitch = |zone| format!(r#"{{"purpose":"nodes","id":"vsw-{zone}","zone":"{zone}"}}"#);
        let vswitches = zones.map(vswitch).join(",");
        assert_eq!(status, with(&format!(r#"{{"id":"vpc-1","vswitches":[{vswitches}],"securityGroups":null}}"#)));
        assert_eq!(egress.unwrap(), zones.map(|zone| format!("{zone}.ip/32")));
    }

    #[test]
    fn what_was_deleted_is_not_told() {
        let state = r#"{"VPC":"vpc-1","NodesSecurityGroup":"<deleted>","RouteTable":"<deleted>","Zones/a/VSwitch":"<deleted>","Zones/a/NATGatewayElasticIPAddress":"<deleted>"}"#;
        let (status, egress) = of("reconcile", "{}", state);
        assert_eq!(status, with(r#"{"id":"vpc-1","vswitches":null,"securityGroups":null}"#));
        assert_eq!(egress, None);
    }

    #[test]
    fn a_custom_route_table_and_a_configured_vpc_are_told() {
        let (status, _) =
            of("restore", r#"{"vpc":{"id":"vpc-mine"}}"#, r#"{"NodesSecurityGroup":"sg-1","RouteTable":"vtb-1"}"#);
        let groups = r#"[{"purpose":"nodes","id":"sg-1"}]"#;
        assert_eq!(
            status,
            with(&format!(
                r#"{{"id":"vpc-mine","vswitches":null,"securityGroups":{groups},"routeTableID":"vtb-1"}}"#
            ))
        );
    }

    #[test]
    fn nothing_is_told_of_what_stands_in_no_vpc() {
        let (status, _) =
            of("reconcile", "{}", r#"{"VPC":"<deleted>","NodesSecurityGroup":"sg-1","Zones/a/VSwitch":"vsw-1"}"#);
        assert_eq!(status, with(r#"{"id":"","vswitches":null,"securityGroups":null}"#));
    }

    #[test]
    fn without_a_state_and_while_it_goes_the_status_of_before_stays() {
        assert_eq!(of("reconcile", "{}", "{}"), (None, None));
        assert_eq!(
            of("delete", "{}", r#"{"VPC":"vpc-1","Zones/a/NATGatewayElasticIPAddress":"ip"}"#),
            (None, None)
        );
    }
}
