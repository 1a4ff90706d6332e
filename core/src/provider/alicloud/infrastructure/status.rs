//! The status of an Infrastructure (`alicloud-policy` 1.3 and 5.5).

use std::borrow::Cow;

use super::names::{ROUTE_TABLE, SECURITY_GROUP, VPC};
use super::pool_images;
use super::state;
use crate::document::{JsonText, Value};
use crate::gardener::planning::state_form::of_zones;
use crate::plan::recorded_value;
use crate::policy::{PlanOperation, RequestError, State, StatusRequest, SubjectStatus};
use crate::provider::alicloud::api::API_VERSION;

/// The only purpose of what the status lists.
const NODES: &str = "nodes";

/// Reports the status from the recorded state. While the network is being deleted, the present status stays.
pub fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let StatusRequest { request, state } = request;
    let state = state::read(request, state.as_ref())?;
    let mut status = SubjectStatus::of(state::KIND.write(&state));
    if request.operation == PlanOperation::Delete || state.is_empty() {
        return Ok(status);
    }
    let zones = request
        .config()
        .and_then(|config| config.pointer("/networks/zones"))
        .map(Value::items)
        .unwrap_or_default();
    let zones: Vec<&str> = zones.iter().filter_map(|zone| zone.get("name")?.as_str()).collect();
    let images = pool_images::status(request, &state)?;
    status.provider_status = Some(provider_status(&state, &zones, images));
    let egress: Vec<_> = in_order(&state, "NATGatewayElasticIPAddress", &zones);
    if !egress.is_empty() {
        status.egress_cidrs = Some(egress.into_iter().map(|(_, address)| format!("{address}/32")).collect());
    }
    Ok(status)
}

/// What the state records of zones: first of the configured ones, in their order, then of others.
fn in_order<'s>(state: &'s State, what: &str, zones: &[&str]) -> Vec<(&'s str, &'s str)> {
    let mut left: Vec<_> = of_zones(state, what).collect();
    let mut found = Vec::new();
    for zone in zones {
        if let Some(place) = left.iter().position(|(known, _)| known == zone) {
            found.push(left.remove(place));
        }
    }
    found.append(&mut left);
    found
}

fn provider_status(state: &State, zones: &[&str], images: Vec<Value<'_>>) -> JsonText {
    let vpc = recorded_value(state, VPC);
    let (mut vswitches, mut groups, mut route_table) = (Vec::new(), Vec::new(), None);
    if vpc.is_some() {
        let vswitch = |(zone, id)| Value::Object(vec![text("purpose", NODES), text("id", id), text("zone", zone)]);
        vswitches = in_order(state, "VSwitch", zones).into_iter().map(vswitch).collect();
        let group = |id| Value::Object(vec![text("purpose", NODES), text("id", id)]);
        groups.extend(recorded_value(state, SECURITY_GROUP).map(group));
        route_table = recorded_value(state, ROUTE_TABLE);
    }
    let mut network =
        vec![text("id", vpc.unwrap_or_default()), list("vswitches", vswitches), list("securityGroups", groups)];
    network.extend(route_table.map(|id| text("routeTableID", id)));
    let mut members = vec![
        text("kind", "InfrastructureStatus"),
        text("apiVersion", API_VERSION),
        ("vpc".into(), Value::Object(network)),
        text("keyPairName", ""),
    ];
    if !images.is_empty() {
        members.push(list("machineImages", images));
    }
    JsonText::from(&Value::Object(members))
}

/// A member of a document.
type Member<'t> = (Cow<'t, str>, Value<'t>);

fn text<'t>(key: &'static str, text: &'t str) -> Member<'t> {
    (key.into(), Value::string(text))
}

/// A list as the existing extension writes it, also where it is empty.
fn list<'t>(key: &'static str, items: Vec<Value<'t>>) -> Member<'t> {
    (key.into(), if items.is_empty() { Value::Null } else { Value::Array(items) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

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
    fn with(vpc: &str) -> String {
        format!(
            r#"{{"kind":"InfrastructureStatus","apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","vpc":{vpc},"keyPairName":""}}"#
        )
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
        assert_eq!(
            status.unwrap(),
            with(&format!(r#"{{"id":"vpc-1","vswitches":[{vswitches}],"securityGroups":null}}"#))
        );
        assert_eq!(egress.unwrap(), zones.map(|zone| format!("{zone}.ip/32")));
    }

    #[test]
    fn what_was_deleted_is_not_reported() {
        let state = r#"{"VPC":"vpc-1","NodesSecurityGroup":"<deleted>","RouteTable":"<deleted>","Zones/a/VSwitch":"<deleted>","Zones/a/NATGatewayElasticIPAddress":"<deleted>"}"#;
        let (status, egress) = of("reconcile", "{}", state);
        assert_eq!(status.unwrap(), with(r#"{"id":"vpc-1","vswitches":null,"securityGroups":null}"#));
        assert_eq!(egress, None);
    }

    #[test]
    fn a_custom_route_table_and_a_configured_vpc_are_reported() {
        let (status, _) =
            of("restore", r#"{"vpc":{"id":"vpc-mine"}}"#, r#"{"NodesSecurityGroup":"sg-1","RouteTable":"vtb-1"}"#);
        let groups = r#"[{"purpose":"nodes","id":"sg-1"}]"#;
        assert_eq!(
            status.unwrap(),
            with(&format!(
                r#"{{"id":"vpc-mine","vswitches":null,"securityGroups":{groups},"routeTableID":"vtb-1"}}"#
            ))
        );
    }

    #[test]
    fn nothing_is_reported_of_what_stands_in_no_vpc() {
        let (status, _) =
            of("reconcile", "{}", r#"{"VPC":"<deleted>","NodesSecurityGroup":"sg-1","Zones/a/VSwitch":"vsw-1"}"#);
        assert_eq!(status.unwrap(), with(r#"{"id":"","vswitches":null,"securityGroups":null}"#));
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
