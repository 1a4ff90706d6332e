//! Whole networks are made, and taken down with what the cluster left in them.

use serde_json::json;
use trellis_tests::cloud::{Cloud, Oddity};
use trellis_tests::networks::{
    ZONES, built, changes, config, custom_table, dual_stack, one_zone, others, own_eip, request, two_zones, zone,
};
use trellis_tests::session::Session;

use super::leads_to;

#[test]
fn a_first_plan_makes_everything_in_order() {
    let mut session =
        Session { request: request(&one_zone()), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    leads_to(
        &mut session,
        &[
            "create vpc: create",
            "create securitygroup: create authorize",
            "create zones/cn-shanghai-a/vswitch: create",
            "create natgateway: create",
            "create zones/cn-shanghai-a/eip: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "create zones/cn-shanghai-a/snat: create",
        ],
    );
}

#[test]
fn all_variants_are_made_and_taken_down() {
    let user_vpc = json!({ "id": "vpc-user" });
    let managed_gateway =
        json!({ "id": "vpc-user", "gardenerManagedNATGateway": true, "useCustomRouteTable": true });
    let zones = [zone("a", "10.250.0.0/19"), zone("b", "10.250.32.0/19")];
    for config in [
        one_zone(),
        two_zones(),
        dual_stack(two_zones()),
        custom_table(two_zones()),
        custom_table(dual_stack(two_zones())),
        own_eip(two_zones(), 1, "eip-user-1"),
        own_eip(own_eip(two_zones(), 1, "eip-user-1"), 0, "eip-user-2"),
        config(&user_vpc, &zones),
        own_eip(config(&user_vpc, &zones), 1, "eip-user-1"),
        config(&managed_gateway, &zones),
    ] {
        let mut session = built(&config);
        assert_eq!(changes(&session.plan()), [""; 0], "{config}");
        session.request["operation"] = "delete".into();
        session.apply();
        assert_eq!(changes(&session.plan()), [""; 0], "{config}");
        session.cloud.resources.retain(|_, list| !list.is_empty());
        let before: Cloud = Cloud::new(&others(), ZONES);
        assert_eq!(session.cloud.resources, before.resources, "{config}");
    }
}

#[test]
fn load_balancers_and_further_security_groups_go_with_the_network() {
    let mut session = built(&one_zone());
    let vpc = session.state["VPC"].clone();
    session.cloud.all_mut("SLB").push(json!({
        "LoadBalancerId": "lb-1", "LoadBalancerName": "a", "VpcId": vpc, "DeleteProtection": "on",
        "groups": [{ "VServerGroupName": "k8s/80/shoot--dev--ali" }],
    }));
    session.cloud.all_mut("SLB").push(json!({
        "LoadBalancerId": "lb-2", "LoadBalancerName": "b", "groups": [{ "VServerGroupName": "k8s/80/shoot--dev--ali2" }],
    }));
    session.cloud.all_mut("NLB").push(json!({
        "LoadBalancerId": "nlb-1", "LoadBalancerName": "c", "VpcId": vpc, "LoadBalancerStatus": "Active",
        "DeletionProtectionConfig": { "Enabled": true }, "tags": { "ack.aliyun.com": "shoot--dev--ali" },
    }));
    session.cloud.all_mut("securitygroup").push(json!({
        "SecurityGroupId": "sg-more", "SecurityGroupName": "x", "VpcId": vpc, "rules": [],
        "tags": { "kubernetes.io/cluster/shoot--dev--ali": "1" },
    }));
    session.request["operation"] = "delete".into();
    let answer = session.plan();
    let steps: Vec<String> = answer["plan"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["id"].as_str().unwrap().to_owned())
        .collect();
    for step in [
        "loadbalancers/lb-1/unprotect",
        "loadbalancers/lb-1/delete",
        "loadbalancers/nlb-1/unprotect",
        "securitygroups/sg-more/delete",
    ] {
        assert!(steps.iter().any(|known| known == step), "{steps:#?}");
    }
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.all("SLB").len(), 1);
    assert_eq!(session.cloud.all("NLB").len(), 0);
    assert_eq!(session.cloud.all("VPC").len(), 1);
}

#[test]
fn the_role_of_nat_gateways_is_made_once() {
    let mut session =
        Session { request: request(&one_zone()), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    session.cloud.oddities.push(Oddity::NoRole);
    let answer = session.plan();
    assert_eq!(changes(&answer)[0], "create role: create");
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.oddities, []);
    assert_eq!(changes(&session.plan()), [""; 0]);
}
