//! The calls that plans make are those that the policy names, so that a RAM policy of them suffices and has no
//! more than it needs.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use trellis_core::policy::{SubjectKind, SubjectPlans};
use trellis_tests::cloud::{Cloud, Oddity};
use trellis_tests::corpus;
use trellis_tests::networks::{
    ZONES, built, config, configure, custom_table, dual_stack, encrypt, one_zone, others, own_eip, request,
    two_zones, zone,
};
use trellis_tests::session::Session;

/// Calls as service and action; those of another account than the Shoot's with its role in front.
type Calls = BTreeSet<String>;

fn note(calls: &mut Calls, call: &Value) {
    let role = call.get("account").map(|role| format!("{} ", role.as_str().unwrap())).unwrap_or_default();
    calls.insert(format!("{role}{}:{}", call["service"].as_str().unwrap(), call["action"].as_str().unwrap()));
}

/// Plans, and notes all calls of the queries and the plan.
fn plan(session: &mut Session, calls: &mut Calls) -> Value {
    session.cloud.calls.clear();
    let answer = session.plan();
    calls.extend(session.cloud.calls.drain(..));
    assert!(answer["plan"].is_object(), "{answer:#}");
    for step in answer["plan"]["steps"].as_array().unwrap() {
        note(calls, &step["call"]);
        for probe in ["until", "lookAgain"].iter().filter_map(|member| step.get(*member)) {
            note(calls, &probe["call"]);
        }
    }
    answer
}

/// Makes a network, and takes it down.
fn round(config: &Value, calls: &mut Calls) {
    let mut session = Session { request: request(config), state: json!({}), cloud: Cloud::new(&others(), ZONES) };
    let answer = plan(&mut session, calls);
    session.run(&answer["plan"]);
    session.request["operation"] = "delete".into();
    plan(&mut session, calls);
}

/// The calls of the queries and plans of all cases about a kind.
fn of_cases(kind: SubjectKind) -> Calls {
    let mut calls = Calls::new();
    let is_about = |request: &str| {
        serde_json::from_str::<Value>(request).is_ok_and(|request| request["request"].get(kind.member()).is_some())
    };
    for case in corpus::cases().iter().filter(|case| case.function == "plan" && is_about(&case.request)) {
        let answer: Value = serde_json::from_str(&trellis_core::call("alicloud", "plan", &case.request)).unwrap();
        let of = |list: &Value| list.as_array().cloned().unwrap_or_default();
        for call in of(&answer["queries"]).iter().chain(&of(&answer["plan"]["steps"])) {
            note(&mut calls, &call["call"]);
        }
    }
    calls
}

#[test]
fn the_policy_names_exactly_the_calls_that_the_plans_of_each_kind_make() {
    let mut calls = Calls::new();
    round(&dual_stack(custom_table(two_zones())), &mut calls);
    round(&config(&json!({ "id": "vpc-user" }), &[zone("a", "10.250.0.0/19")]), &mut calls);

    let mut session = built(&one_zone());
    session.cloud.all_mut("EIP")[3]["Bandwidth"] = "5".into();
    session.cloud.oddities.push(Oddity::HidesGatewayTags);
    plan(&mut session, &mut calls);

    let mut session = built(&one_zone());
    let vpc = session.state["VPC"].clone();
    session.cloud.all_mut("VPC")[1]["tags"]["mine"] = "1".into();
    session.cloud.all_mut("VSWITCH")[1]["tags"] = json!({});
    let group = &mut session.cloud.all_mut("securitygroup")[1];
    group["tags"] = json!({ "mine": "1" });
    for direction in ["ingress", "egress"] {
        let rule = json!({ "SecurityGroupRuleId": "sgr-x", "Direction": direction, "Policy": "Accept" });
        group["rules"].as_array_mut().unwrap().push(rule);
    }
    configure(&mut session, own_eip(dual_stack(one_zone()), 0, "eip-user-1"));
    session.cloud.key_pair_instances.push("i-1".to_owned());
    session.request["infrastructure"]["status"] = json!({ "providerStatus": { "keyPairName": "ali-ssh" } });
    plan(&mut session, &mut calls);
    session.cloud.oddities.push(Oddity::NoRole);
    session.cloud.all_mut("NATGATEWAY").truncate(1);
    session.cloud.all_mut("SNAT").truncate(1);
    plan(&mut session, &mut calls);

    let balancer = json!({ "LoadBalancerId": "lb-1", "VpcId": vpc, "DeleteProtection": "on",
        "groups": [{ "VServerGroupName": "k8s/80/shoot--dev--ali" }] });
    session.cloud.all_mut("SLB").push(balancer);
    let balancer = json!({ "LoadBalancerId": "nlb-1", "VpcId": vpc, "LoadBalancerStatus": "Active",
        "DeletionProtectionConfig": { "Enabled": true }, "tags": { "ack.aliyun.com": "shoot--dev--ali" } });
    session.cloud.all_mut("NLB").push(balancer);
    session.request["operation"] = "delete".into();
    plan(&mut session, &mut calls);

    let mut session = built(&one_zone());
    encrypt(&mut session);
    plan(&mut session, &mut calls);

    let planning = trellis_core::POLICIES.get("alicloud").unwrap().planning.unwrap();
    let others = planning.calls_of_others.iter();
    let of_others: Calls =
        others.flat_map(|(role, calls)| calls.iter().map(move |call| format!("{role} {call}"))).collect();
    assert!(of_others.is_subset(&calls), "{of_others:?}");
    calls.retain(|call| !of_others.contains(call));
    let mut wrong = Vec::new();
    for SubjectPlans { kind, calls: named, .. } in planning.subjects {
        let made = if *kind == SubjectKind::Infrastructure { calls.clone() } else { of_cases(*kind) };
        if !made.iter().eq(*named) {
            wrong.push(format!("{kind:?} makes {made:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
