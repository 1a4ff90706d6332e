//! A person edits zones, ranges and IP families.

use serde_json::json;
use trellis_tests::networks::{allow_removal, built, config, configure, dual_stack, one_zone, two_zones, zone};
use trellis_tests::session::Session;

use super::{disruptions, leads_to};

#[test]
fn a_zone_is_added() {
    let mut session = built(&one_zone());
    configure(&mut session, two_zones());
    leads_to(
        &mut session,
        &[
            "create zones/cn-shanghai-b/vswitch: create",
            "create zones/cn-shanghai-b/eip: create",
            "associate zones/cn-shanghai-b/eip/association: associate",
            "create zones/cn-shanghai-b/snat: create",
        ],
    );
    assert_eq!(session.state["Zones/cn-shanghai-b/Suffix"], "z1");
}

#[test]
fn a_zone_is_removed_only_when_that_is_allowed() {
    let mut session = built(&two_zones());
    configure(&mut session, config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("b", "10.250.32.0/19")]));
    let answer = session.plan();
    assert_eq!(answer.get("plan"), None);
    assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
    let finding = &answer["findings"][0];
    assert_eq!(finding["rule"], "ALI-PLAN-002");
    let detail = finding["detail"].as_str().unwrap();
    assert!(
        detail.starts_with(
            "protected: attempt to DeleteZoneByVSwitches during reconcile. Details: zone: cn-shanghai-a"
        ),
        "{detail}"
    );
    allow_removal(&mut session);
    // The NAT gateway stood in the zone that goes.
    let answer = leads_to(
        &mut session,
        &[
            "replace natgateway: delete create",
            "replace zones/cn-shanghai-b/eip/association: associate",
            "replace zones/cn-shanghai-b/snat: create",
            "delete zones/cn-shanghai-a/snat: ",
            "delete zones/cn-shanghai-a/eip/association: ",
            "delete zones/cn-shanghai-a/vswitch: delete",
            "delete zones/cn-shanghai-a/eip: release",
        ],
    );
    assert!(disruptions(&answer).contains("No node reaches the internet meanwhile"), "{answer:#}");
    let state = session.state.as_object().unwrap();
    assert!(state.keys().all(|key| !key.starts_with("Zones/cn-shanghai-a/")), "{state:#?}");
}

#[test]
fn a_range_changes_only_when_that_is_allowed_and_the_address_stays() {
    let mut session = built(&two_zones());
    let mut changed = two_zones();
    changed["networks"]["zones"][1]["workers"] = "10.250.64.0/19".into();
    configure(&mut session, changed);
    assert_eq!(session.plan()["findings"][0]["pointer"], "/spec/providerConfig/networks/zones/1");
    allow_removal(&mut session);
    let addresses = session.cloud.all("EIP").len();
    leads_to(
        &mut session,
        &["replace zones/cn-shanghai-b/vswitch: delete create", "replace zones/cn-shanghai-b/snat: delete create"],
    );
    assert_eq!(session.cloud.all("EIP").len(), addresses);
}

#[test]
fn the_range_of_the_zone_with_the_nat_gateway_changes() {
    let mut session = built(&two_zones());
    let mut changed = two_zones();
    changed["networks"]["zones"][0]["workers"] = "10.250.64.0/19".into();
    configure(&mut session, changed);
    allow_removal(&mut session);
    leads_to(
        &mut session,
        &[
            "replace zones/cn-shanghai-a/vswitch: delete create",
            "replace natgateway: delete create",
            "replace zones/cn-shanghai-a/eip/association: associate",
            "replace zones/cn-shanghai-a/snat: create",
            "replace zones/cn-shanghai-b/eip/association: associate",
            "replace zones/cn-shanghai-b/snat: create",
        ],
    );
}

/// Edits the range of the pods.
fn set_pods(session: &mut Session, pods: &str) {
    session.request["cluster"]["shoot"]["spec"]["networking"]["pods"] = pods.into();
}

#[test]
fn who_is_cut_off_by_a_rule_that_goes_is_reported() {
    let mut session = built(&one_zone());
    set_pods(&mut session, "100.64.0.0/12");
    let older = session.request.clone();
    let edit = |pods: &str| {
        let mut session = session.clone();
        set_pods(&mut session, pods);
        disruptions(&session.plan())
    };
    assert_eq!(edit("100.128.0.0/11"), "Pods with addresses of 100.96.0.0/11 no longer reach the nodes.");
    assert_eq!(edit("100.112.0.0/12"), "Pods with addresses of 100.96.0.0/11 no longer reach the nodes.");
    assert_eq!(edit("100.64.0.0/10"), "", "a wider range lets the pods in, too");

    // The same before anything is known of the cloud.
    let mut newer = older.clone();
    newer["cluster"]["shoot"]["spec"]["networking"]["pods"] = "100.128.0.0/11".into();
    let preview = json!({ "request": newer, "baseline": older });
    let answer = trellis_core::call("alicloud", "plan", &preview.to_string());
    let reported = disruptions(&serde_json::from_str(&answer).unwrap());
    assert_eq!(reported, "Pods with addresses of 100.64.0.0/12 no longer reach the nodes.");

    // Rules for a range that the VPC had; what somebody added by hand is nobody's that the plan knows.
    let rules = session.cloud.all_mut("securitygroup")[1]["rules"].as_array_mut().unwrap();
    for (index, (protocol, ports, source, priority)) in [
        ("tcp", "24/513", "172.16.0.0/16", "1"),
        ("UDP", "1/22", "172.16.0.0/16", "1"),
        ("TCP", "1/22", "10.250.64.0/19", "1"),
        ("TCP", "443/443", "172.17.0.0/16", "1"),
        ("ALL", "-1/-1", "172.18.0.0/16", "2"),
        ("ALL", "-1/-1", "sg-theirs", "1"),
    ]
    .into_iter()
    .enumerate()
    {
        rules.push(json!({
            "SecurityGroupRuleId": format!("sgr-x{index}"), "Direction": "ingress", "Policy": "Accept",
            "Priority": priority, "IpProtocol": protocol, "PortRange": ports, "SourceCidrIp": source,
        }));
    }
    set_pods(&mut session, "100.96.0.0/11");
    let reported = disruptions(&session.plan());
    assert_eq!(reported, "Nodes with addresses of 172.16.0.0/16 no longer reach the others.");
}

#[test]
fn ipv6_is_switched_on() {
    let mut session = built(&one_zone());
    configure(&mut session, dual_stack(one_zone()));
    leads_to(
        &mut session,
        &[
            "update vpc (ipv6): enable-ipv6",
            "create ipv6gateway: create",
            "update zones/cn-shanghai-a/vswitch (ipv6): assign-ipv6",
        ],
    );
}

#[test]
fn an_ipv6_gateway_stays_known_when_ipv6_is_no_longer_asked_for() {
    let mut session = built(&dual_stack(one_zone()));
    let gateway = session.state["IPV6Gateway"].clone();
    configure(&mut session, one_zone());
    session.apply();
    assert_eq!(session.state["IPV6Gateway"], gateway);
    session.request["operation"] = "delete".into();
    session.apply();
    assert!(session.cloud.all("IPV6GATEWAY").is_empty());
}
