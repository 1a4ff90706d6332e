//! Networks that tests make: configurations, requests, and what is there of others.

use serde_json::{Value, json};

use crate::cloud::Cloud;
use crate::session::Session;

/// Zones that offer NAT gateways.
pub const ZONES: &[&str] = &["cn-shanghai-a", "cn-shanghai-b", "cn-shanghai-c"];

/// A zone of the configuration.
pub fn zone(name: &str, workers: &str) -> Value {
    json!({ "name": format!("cn-shanghai-{name}"), "workers": workers })
}

/// A configuration.
pub fn config(vpc: &Value, zones: &[Value]) -> Value {
    json!({
        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "InfrastructureConfig",
        "networks": { "vpc": vpc, "zones": zones },
    })
}

/// A managed VPC with one zone.
pub fn one_zone() -> Value {
    config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("a", "10.250.0.0/19")])
}

/// A managed VPC with two zones.
pub fn two_zones() -> Value {
    config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("a", "10.250.0.0/19"), zone("b", "10.250.32.0/19")])
}

/// The same with IPv6.
pub fn dual_stack(mut config: Value) -> Value {
    config["dualStack"] = json!({ "enabled": true });
    config
}

/// The same with a route table of its own.
pub fn custom_table(mut config: Value) -> Value {
    config["networks"]["vpc"]["useCustomRouteTable"] = true.into();
    config
}

/// The same with an elastic IP that the person brings to a zone.
pub fn own_eip(mut config: Value, index: usize, eip: &str) -> Value {
    config["networks"]["zones"][index]["natGateway"] = json!({ "eipAllocationID": eip });
    config
}

/// What somebody else has: a VPC with a NAT gateway that serves their own VSwitch, and two elastic IPs.
pub fn others() -> Value {
    json!({
        "VPC": [{ "VpcId": "vpc-user", "VpcName": "theirs", "CidrBlock": "10.250.0.0/16", "Status": "Available" }],
        "VSWITCH": [
            { "VSwitchId": "vsw-user", "VSwitchName": "shoot--dev--ali2-cn-shanghai-a-vsw", "VpcId": "vpc-user",
              "ZoneId": "cn-shanghai-a", "CidrBlock": "10.250.224.0/24", "Status": "Available",
              "tags": { "kubernetes.io/cluster/shoot--dev--ali2": "1" } },
        ],
        "NATGATEWAY": [
            { "NatGatewayId": "ngw-user", "Name": "theirs", "VpcId": "vpc-user", "Status": "Available",
              "NatGatewayPrivateInfo": { "VswitchId": "vsw-user" },
              "SnatTableIds": { "SnatTableId": ["stb-user"] } },
        ],
        "EIP": [
            { "AllocationId": "eip-user-1", "Name": "theirs", "IpAddress": "198.51.100.1", "Bandwidth": "5",
              "InternetChargeType": "PayByBandwidth", "Status": "Available" },
            { "AllocationId": "eip-user-2", "Name": "", "IpAddress": "198.51.100.2", "Bandwidth": "5",
              "InternetChargeType": "PayByTraffic", "Status": "Available" },
            { "AllocationId": "eip-user-3", "Name": "", "IpAddress": "198.51.100.3", "Bandwidth": "5",
              "InternetChargeType": "PayByTraffic", "Status": "InUse", "InstanceId": "ngw-user", "InstanceType": "Nat" },
        ],
        "SNAT": [
            { "SnatEntryId": "snat-user", "SnatTableId": "stb-user", "NatGatewayId": "ngw-user", "SnatIp": "198.51.100.3",
              "SourceVSwitchId": "vsw-user", "Status": "Available", "SnatEntryName": "theirs" },
        ],
        "securitygroup": [
            { "SecurityGroupId": "sg-user", "SecurityGroupName": "shoot--dev--ali-sg2", "VpcId": "vpc-user", "rules": [] },
        ],
    })
}

/// A request to make a network.
pub fn request(config: &Value) -> Value {
    json!({
        "operation": "reconcile",
        "infrastructure": {
            "metadata": { "name": "ali", "namespace": "shoot--dev--ali", "uid": "1" },
            "spec": { "type": "alicloud", "region": "cn-shanghai", "providerConfig": config },
        },
        "cluster": { "shoot": {
            "kind": "Shoot", "metadata": { "name": "ali" },
            "spec": { "region": "cn-shanghai", "networking": { "pods": "100.96.0.0/11" } },
        } },
    })
}

/// A network that was made, next to what others have.
pub fn built(config: &Value) -> Session {
    let mut session = Session { request: request(config), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    session.apply();
    session.look();
    session.cloud.calls.clear();
    session
}

/// Edits the configuration.
pub fn configure(session: &mut Session, config: Value) {
    session.request["infrastructure"]["spec"]["providerConfig"] = config;
}

/// Lets a reconcile remove VSwitches.
pub fn allow_removal(session: &mut Session) {
    let key = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";
    session.request["infrastructure"]["metadata"]["annotations"] = json!({ key: "true" });
}

/// Changes in a line each: what is done to what, attributes that are fixed, and the steps.
///
/// # Panics
///
/// If there is no plan.
pub fn changes(answer: &Value) -> Vec<String> {
    assert!(answer["plan"].is_object(), "there is no plan: {answer:#}");
    let line = |change: &Value| {
        let text = |key: &str| change[key].as_str().unwrap_or_default().to_owned();
        let is_fixed = matches!(change["action"].as_str(), Some("update" | "adopt"));
        let after = change["after"].as_object().filter(|_| is_fixed);
        let names = after.map(|after| after.keys().cloned().collect::<Vec<_>>().join(", "));
        let names = names.map(|names| format!(" ({names})")).unwrap_or_default();
        let steps = change["steps"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let verbs: Vec<&str> = steps.map(|step| step.rsplit('/').next().unwrap_or_default()).collect();
        format!("{} {}{names}: {}", text("action"), text("id"), verbs.join(" "))
    };
    answer["plan"]["changes"].as_array().into_iter().flatten().map(line).collect()
}

/// Gives the Shoot a worker pool with an encrypted volume, and a CloudProfile that knows its image, `m-1`.
pub fn encrypt(session: &mut Session) {
    session.request["cluster"]["shoot"]["spec"]["provider"] = json!({
        "workers": [
            { "name": "a", "volume": { "encrypted": true },
              "machine": { "image": { "name": "gardenlinux", "version": "1592.1.0" } } },
        ],
    });
    session.request["cluster"]["cloudProfile"] = json!({
        "kind": "CloudProfile",
        "spec": { "providerConfig": {
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "CloudProfileConfig",
            "machineImages": [{ "name": "gardenlinux", "versions": [
                { "version": "1592.1.0", "regions": [{ "name": "cn-shanghai", "id": "m-1" }] },
            ] }],
        } },
    });
    session.request["configuration"] = json!({ "toBeSharedImageIDs": ["m-1"] });
}
