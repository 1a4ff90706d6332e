//! What is ours, what is somebody else's, and how a network becomes ours.

use serde_json::{Value, json};
use trellis_tests::networks::{
    built, changes, config, configure, custom_table, one_zone, own_eip, two_zones, zone,
};

use super::leads_to;

#[test]
fn a_lost_state_is_found_again_by_tags() {
    let mut session = built(&custom_table(two_zones()));
    let state = session.state.clone();
    session.state = json!({});
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-012", "nobody says that it is ours");
    let last = json!({ "type": "Reconcile", "state": "Succeeded" });
    session.request["infrastructure"]["status"] = json!({ "lastOperation": last });
    let answer = session.plan();
    let steps = answer["plan"]["steps"].as_array().unwrap();
    assert!(steps.is_empty(), "{steps:#?}");
    session.run(&answer["plan"]);
    assert_eq!(session.state, state);
}

#[test]
fn a_network_without_tags_gets_them_and_nothing_else() {
    let mut session = built(&two_zones());
    let state = session.state.as_object_mut().unwrap();
    state.retain(|key, _| !key.contains("Snat") && !key.ends_with("Address"));
    for kind in ["VPC", "VSWITCH", "NATGATEWAY", "EIP", "securitygroup"] {
        for resource in session.cloud.all_mut(kind).iter_mut() {
            if resource["tags"]["kubernetes.io/cluster/shoot--dev--ali"] == "1" {
                resource.as_object_mut().unwrap().remove("tags");
            }
        }
    }
    leads_to(
        &mut session,
        &[
            "adopt vpc (tags): tag",
            "adopt securitygroup (tags): tag",
            "adopt zones/cn-shanghai-a/vswitch (tags): tag",
            "adopt zones/cn-shanghai-b/vswitch (tags): tag",
            "adopt natgateway (tags): tag",
            "adopt zones/cn-shanghai-a/eip (tags): tag",
            "adopt zones/cn-shanghai-b/eip (tags): tag",
        ],
    );
}

#[test]
fn a_nat_gateway_in_a_foreign_vswitch_is_refused() {
    let mut session = built(&one_zone());
    session.cloud.all_mut("NATGATEWAY")[1]["NatGatewayPrivateInfo"]["VswitchId"] = "vsw-x".into();
    let answer = session.plan();
    assert_eq!(answer["findings"][0]["rule"], "ALI-PLAN-003", "{answer:#}");
}

fn user_vpc(is_nat_managed: bool) -> Value {
    let mut vpc = json!({ "id": "vpc-user" });
    if is_nat_managed {
        vpc["gardenerManagedNATGateway"] = true.into();
    }
    config(&vpc, &[zone("a", "10.250.0.0/19")])
}

#[test]
fn what_was_named_as_somebody_elses_never_becomes_ours_by_an_edit() {
    let mut session = built(&user_vpc(false));
    let before = session.cloud.resources.clone();
    for edit in [one_zone(), user_vpc(true)] {
        let mut session = session.clone();
        configure(&mut session, edit);
        let refused = session.plan().to_string();
        assert!(refused.contains("ALI-PLAN-003"), "{refused}");
        session.request["operation"] = "delete".into();
        session.apply();
        for kind in ["VPC", "NATGATEWAY"] {
            assert_eq!(session.cloud.all(kind), before[kind].as_slice(), "{kind}");
        }
    }
    session.request["operation"] = "delete".into();
    session.apply();
}

#[test]
fn a_managed_elastic_ip_that_a_person_names_as_their_own_is_kept() {
    let mut session = built(&one_zone());
    let eip = session.state["Zones/cn-shanghai-a/NATGatewayElasticIP"].as_str().unwrap().to_owned();
    configure(&mut session, own_eip(one_zone(), 0, &eip));
    let answer = session.plan();
    assert!(!answer.to_string().contains("ReleaseEipAddress"), "{answer:#}");
    session.run(&answer["plan"]);
    assert_eq!(changes(&session.plan()), [""; 0]);
    session.request["operation"] = "delete".into();
    session.apply();
    assert!(session.cloud.all("EIP").iter().any(|known| known["AllocationId"] == eip.as_str()));
}

#[test]
fn a_vswitch_of_our_name_that_another_shoot_has_tagged_is_not_ours() {
    let mut session = built(&one_zone());
    let vswitch = session.state["Zones/cn-shanghai-a/VSwitch"].as_str().unwrap().to_owned();
    session.state.as_object_mut().unwrap().retain(|key, _| !key.starts_with("Zones/"));
    session.cloud.get_mut("VSWITCH", &vswitch).unwrap()["tags"] = json!({ "kubernetes.io/cluster/another": "1" });
    let plan = session.plan().to_string();
    assert!(!plan.contains(&format!("\"ResourceId\":[\"{vswitch}\"]")), "{plan}");
}
