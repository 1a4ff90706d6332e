//! Elastic IPs and the addresses of SNAT entries: they change hands, and those that serve somebody else stay.

use serde_json::{Value, json};
use trellis_tests::networks::{allow_removal, built, config, configure, one_zone, own_eip, two_zones, zone};
use trellis_tests::session::Session;

use super::{disruptions, leads_to};

#[test]
fn elastic_ips_change_hands() {
    for vpc in [json!({ "cidr": "10.250.0.0/16" }), json!({ "id": "vpc-user" })] {
        let managed = config(&vpc, &[zone("a", "10.250.0.0/19")]);
        let mut session = built(&managed);
        configure(&mut session, own_eip(managed.clone(), 0, "eip-user-1"));
        let answer = leads_to(
            &mut session,
            &[
                "associate zones/cn-shanghai-a/own-eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/eip/association: unassociate",
                "delete zones/cn-shanghai-a/eip: release",
            ],
        );
        let reported = disruptions(&answer);
        assert!(reported.contains("its egress address changes from 203.0.113."), "{reported}");
        assert!(reported.contains("to 198.51.100.1."), "{reported}");
        assert_eq!(session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"], "<deleted>");
        assert_eq!(session.state["Zones/cn-shanghai-a/NATGatewayElasticIPAddress"], "198.51.100.1");

        configure(&mut session, own_eip(managed.clone(), 0, "eip-user-2"));
        leads_to(
            &mut session,
            &[
                "associate zones/cn-shanghai-a/own-eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/former-eip/association: unassociate",
            ],
        );
        configure(&mut session, managed.clone());
        leads_to(
            &mut session,
            &[
                "create zones/cn-shanghai-a/eip: create",
                "associate zones/cn-shanghai-a/eip/association: associate",
                "update zones/cn-shanghai-a/snat (address): change-address",
                "delete zones/cn-shanghai-a/former-eip/association: unassociate",
            ],
        );
        assert_eq!(session.state.get("Zones/cn-shanghai-a/FormerElasticIP"), None);
        let free = session.cloud.all("EIP").iter().filter(|eip| eip["Status"] == "Available").count();
        assert_eq!(free, 2);
    }
}

#[test]
fn an_elastic_ip_that_was_left_behind_by_a_crash_is_remembered() {
    let mut session = built(&own_eip(one_zone(), 0, "eip-user-1"));
    configure(&mut session, own_eip(one_zone(), 0, "eip-user-2"));
    let mut plan = session.plan()["plan"].clone();
    // Nobody comes to the last step.
    plan["steps"].as_array_mut().unwrap().pop();
    session.run(&plan);
    assert_eq!(session.state["Zones/cn-shanghai-a/FormerElasticIP"], "eip-user-1");
    leads_to(&mut session, &["delete zones/cn-shanghai-a/former-eip/association: unassociate"]);
    assert_eq!(session.state.get("Zones/cn-shanghai-a/FormerElasticIP"), None);
}

#[test]
fn an_elastic_ip_in_use_elsewhere_is_not_taken_away() {
    let mut session = built(&one_zone());
    configure(&mut session, own_eip(one_zone(), 0, "eip-user-3"));
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-004", "{answer:#}");
    assert_eq!(answer["findings"][0]["badValue"], "eip-user-3");
    assert_eq!(answer["findings"][0]["detail"], "elastic IP eip-user-3 is in use by ngw-user");
}

/// Binds the managed elastic IP of the first zone to an instance of somebody's; its id.
fn bind_elsewhere(session: &mut Session) -> String {
    let id = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    let eip = session.cloud.get_mut("EIP", &id).unwrap();
    eip["InstanceId"] = "i-theirs".into();
    eip["InstanceType"] = "EcsInstance".into();
    id
}

#[test]
fn a_managed_elastic_ip_that_serves_somebody_is_not_released_and_nothing_else_goes() {
    let made = built(&two_zones());
    let mut going = made.clone();
    going.request["operation"] = "delete".into();
    let mut without_zone = made.clone();
    configure(&mut without_zone, config(&json!({ "cidr": "10.250.0.0/16" }), &[zone("b", "10.250.32.0/19")]));
    allow_removal(&mut without_zone);
    let mut exchanged = made;
    configure(&mut exchanged, own_eip(two_zones(), 0, "eip-user-1"));
    for mut session in [going, without_zone, exchanged] {
        let id = bind_elsewhere(&mut session);
        let answer = session.plan();
        assert_eq!(answer.get("plan"), None, "{answer:#}");
        let finding = &answer["findings"][0];
        assert_eq!(finding["rule"], "ALI-PLAN-020", "{answer:#}");
        let detail = format!("elastic IP {id} would be released, and is in use by i-theirs (EcsInstance)");
        assert_eq!(finding["detail"], detail);
        assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
    }
}

#[test]
fn an_elastic_ip_that_is_reported_as_bound_to_the_gateway_that_went_last_is_released() {
    let mut session = built(&one_zone());
    session.request["operation"] = "delete".into();
    let mut plan = session.plan()["plan"].clone();
    let steps = plan["steps"].as_array_mut().unwrap();
    let gone = steps.iter().position(|step| step["id"] == "natgateway/delete").unwrap();
    steps.truncate(gone + 1);
    let eip = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    let bound = session.cloud.get_mut("EIP", &eip).unwrap().clone();
    session.run(&plan);
    *session.cloud.get_mut("EIP", &eip).unwrap() = bound;
    let steps = session.plan()["plan"]["steps"].to_string();
    assert!(steps.contains("zones/cn-shanghai-a/eip/release"), "{steps}");
}

/// Somebody associates an elastic IP of theirs with the NAT gateway, and adds its address to the SNAT entry of a
/// zone.
fn add_address(session: &mut Session, gateway: &Value) {
    let eip = session.cloud.get_mut("EIP", "eip-user-2").unwrap();
    eip["Status"] = "InUse".into();
    eip["InstanceId"] = gateway.clone();
    let entry = session.state["Zones/cn-shanghai-a/SnatEntry"].as_str().unwrap().to_owned();
    let entry = session.cloud.get_mut("SNAT", &entry).unwrap();
    entry["SnatIp"] = format!("198.51.100.2, {}", entry["SnatIp"].as_str().unwrap()).into();
}

#[test]
fn an_address_that_somebody_added_to_a_snat_entry_goes_from_it_and_stays_associated() {
    for vpc in [json!({ "cidr": "10.250.0.0/16" }), json!({ "id": "vpc-user" })] {
        let managed = config(&vpc, &[zone("a", "10.250.0.0/19")]);
        let mut session = built(&managed);
        let gateway = session.state["NatGateway"].clone();
        add_address(&mut session, &gateway);
        let answer = leads_to(&mut session, &["update zones/cn-shanghai-a/snat (address): change-address"]);
        let reported = disruptions(&answer);
        assert!(reported.contains("changes from 198.51.100.2, 203.0.113."), "{reported}");
        assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
    }
}

#[test]
fn of_several_addresses_the_recorded_one_is_the_former() {
    let mut session = built(&own_eip(one_zone(), 0, "eip-user-1"));
    let gateway = session.state["NatGateway"].clone();
    add_address(&mut session, &gateway);
    configure(&mut session, one_zone());
    leads_to(
        &mut session,
        &[
            "create zones/cn-shanghai-a/eip: create",
            "associate zones/cn-shanghai-a/eip/association: associate",
            "update zones/cn-shanghai-a/snat (address): change-address",
            "delete zones/cn-shanghai-a/former-eip/association: unassociate",
        ],
    );
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-1").unwrap()["Status"], "Available");
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
}

#[test]
fn a_snat_entry_with_several_addresses_goes_before_each_of_their_associations() {
    let mut session = built(&config(&json!({ "id": "vpc-user" }), &[zone("a", "10.250.0.0/19")]));
    let gateway = session.state["NatGateway"].clone();
    add_address(&mut session, &gateway);
    session.request["operation"] = "delete".into();
    let answer = session.plan();
    let steps = answer["plan"]["steps"].as_array().unwrap();
    let place = |id: &str| steps.iter().position(|step| step["id"] == id).unwrap();
    let (entry, association) =
        (place("zones/cn-shanghai-a/snat/delete"), place("zones/cn-shanghai-a/eip/association/unassociate"));
    assert!(entry < association, "{steps:#?}");
    session.run(&answer["plan"]);
    assert_eq!(session.cloud.get_mut("EIP", "eip-user-2").unwrap()["InstanceId"], gateway);
}
