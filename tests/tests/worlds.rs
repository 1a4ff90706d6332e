//! Networks that the existing extension built are left as they are, and ours are like them.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

use serde_json::{Value, json};
use trellis_tests::cloud::{Cloud, Oddity};
use trellis_tests::session::Session;
use trellis_tests::vectors;

const ZONES: &[&str] = &["eu-central-1a", "eu-central-1b", "eu-central-1c"];

/// Scenarios of every recording, each with the provider of the recording.
fn scenarios() -> Vec<(String, Value)> {
    let of = |worlds: &Value| -> Vec<(String, Value)> {
        let provider = worlds["provider"].as_str().unwrap();
        let scenarios = worlds["scenarios"].as_array().unwrap();
        scenarios.iter().map(|scenario| (provider.to_owned(), scenario.clone())).collect()
    };
    vectors::worlds().iter().flat_map(of).collect()
}

fn request(provider: &str, operation: &str, config: &Value, state: &Value) -> Value {
    json!({
        "operation": operation,
        "infrastructure": {
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "Infrastructure",
            "metadata": { "name": "ali", "namespace": "shoot--dev--ali", "uid": "1" },
            "spec": { "type": provider, "region": "eu-central-1", "providerConfig": config },
            "status": { "state": state, "lastOperation": { "type": "Reconcile" } },
        },
        "cluster": {
            "shoot": {
                "apiVersion": "core.gardener.cloud/v1beta1",
                "kind": "Shoot",
                "metadata": { "name": "ali", "namespace": "garden-dev" },
                "spec": { "region": "eu-central-1", "networking": { "pods": "100.96.0.0/11" } },
            },
        },
    })
}

#[test]
fn a_network_that_the_existing_extension_built_is_left_as_it_is() {
    for (provider, scenario) in scenarios() {
        for phase in scenario["phases"].as_array().unwrap().iter().filter(|phase| phase["operation"] != "delete") {
            let mut session = Session {
                request: request(&provider, "reconcile", &scenario["providerConfig"], &phase["state"]),
                state: Value::Null,
                cloud: Cloud::new(&phase["resources"], ZONES),
            };
            let phase_name = phase["phase"].as_str().unwrap();
            if phase_name.contains("DescribeNatGateways without tags") {
                session.cloud.oddities.push(Oddity::HidesGatewayTags);
            }
            if phase_name.contains("TagKey/TagValue") {
                session.cloud.oddities.push(Oddity::SpellsTagsLong);
            }
            let answer = session.plan();
            let plan = &answer["plan"];
            assert!(plan.is_object(), "{}: {answer:#}", scenario["name"]);
            assert_eq!(plan["changes"], json!([]), "{}, {}", scenario["name"], phase["phase"]);
            assert_eq!(plan["steps"], json!([]), "{}, {}", scenario["name"], phase["phase"]);
            assert_eq!(plan.get("notes"), None, "{}, {}", scenario["name"], phase["phase"]);
        }
    }
}

/// What was there before the Shoot: everything without its tag or name.
fn before(resources: &Value) -> Value {
    let ours = |resource: &Value| {
        let text = resource.to_string();
        text.contains("shoot--dev--ali")
    };
    let kinds = resources.as_object().unwrap().iter();
    let kept = kinds.map(|(kind, list)| {
        let list: Vec<&Value> = list.as_array().unwrap().iter().filter(|resource| !ours(resource)).collect();
        (kind.clone(), json!(list))
    });
    Value::Object(kept.collect())
}

/// Resources without what only the cloud decides, ids replaced by what they are ids of.
fn shape(cloud: &Cloud) -> Vec<String> {
    let mut names: Vec<(String, String)> = Vec::new();
    for (kind, key, name) in [
        ("VPC", "VpcId", "VpcName"),
        ("VSWITCH", "VSwitchId", "VSwitchName"),
        ("NATGATEWAY", "NatGatewayId", "Name"),
        ("EIP", "AllocationId", "Name"),
        ("EIP", "IpAddress", "Name"),
        ("IPV6GATEWAY", "Ipv6GatewayId", "Name"),
        ("securitygroup", "SecurityGroupId", "SecurityGroupName"),
    ] {
        for resource in cloud.all(kind) {
            names.push((
                resource[key].as_str().unwrap().to_owned(),
                format!("({kind} {})", resource[name].as_str().unwrap()),
            ));
        }
    }
    for gateway in cloud.all("NATGATEWAY") {
        names.push((gateway["SnatTableIds"]["SnatTableId"][0].as_str().unwrap().to_owned(), "(table)".to_owned()));
    }
    names.sort_by_key(|(id, _)| std::cmp::Reverse(id.len()));
    let mut shapes = Vec::new();
    for (kind, list) in &cloud.resources {
        for resource in list {
            let mut resource = resource.clone();
            let members = resource.as_object_mut().unwrap();
            members.remove("SnatEntryId");
            for rule in members.get_mut("rules").and_then(Value::as_array_mut).into_iter().flatten() {
                rule.as_object_mut().unwrap().remove("SecurityGroupRuleId");
                rule.sort_all_objects();
            }
            resource.sort_all_objects();
            let mut text = format!("{kind} {resource}");
            for (id, name) in &names {
                text = text.replace(&format!("{id}\""), &format!("{name}\""));
            }
            shapes.push(text);
        }
    }
    shapes.sort();
    shapes
}

/// The calls, but for the question whose the credentials are, which a process asks once.
fn counted(session: &Session) -> usize {
    session.cloud.calls.iter().filter(|call| *call != "sts:GetCallerIdentity").count()
}

#[test]
fn a_network_that_is_made_is_like_that_of_the_existing_extension_and_goes_without_a_trace() {
    for (provider, scenario) in scenarios() {
        let name = &scenario["name"];
        let phases = scenario["phases"].as_array().unwrap();
        let created = phases.iter().find(|phase| phase["operation"] == "create").unwrap();
        let mut session = Session {
            request: request(&provider, "reconcile", &scenario["providerConfig"], &Value::Null),
            state: Value::Null,
            cloud: Cloud::new(&before(&created["resources"]), ZONES),
        };
        let empty = session.cloud.resources.clone();
        session.apply();
        let calls = counted(&session);
        assert!(
            calls * 2 <= usize::try_from(created["wireTotal"].as_u64().unwrap()).unwrap(),
            "{name}: {calls}: {:#?}",
            session.cloud.calls
        );
        let expected = Cloud::new(&created["resources"], ZONES);
        assert_eq!(shape(&session.cloud), shape(&expected), "{name}");
        assert_eq!(session.plan()["plan"]["changes"], json!([]), "{name}");

        session.request["operation"] = "delete".into();
        session.cloud.calls.clear();
        session.apply();
        let calls = counted(&session);
        let deleted = phases.iter().find(|phase| phase["operation"] == "delete").unwrap();
        assert!(
            calls * 2 <= usize::try_from(deleted["wireTotal"].as_u64().unwrap()).unwrap() + 1,
            "{name}: {calls}: {:#?}",
            session.cloud.calls
        );
        session.cloud.resources.retain(|_, list| !list.is_empty());
        assert_eq!(
            session.cloud.resources,
            empty.into_iter().filter(|(_, list)| !list.is_empty()).collect(),
            "{name}"
        );
        // The plan that finds nothing left forgets the account, too.
        let mut left = session.plan()["plan"]["state"].clone();
        left.as_object_mut().unwrap().retain(|key, _| !key.starts_with("Last/"));
        assert_eq!(left, deleted["state"]["data"], "{name}");
        assert_eq!(session.plan()["plan"]["changes"], json!([]), "{name}");
    }
}
