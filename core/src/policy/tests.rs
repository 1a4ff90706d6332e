use serde_json::{Value, json};

fn ask(request: &Value) -> Value {
    serde_json::from_str(&crate::call("alicloud", "validate", &request.to_string())).unwrap()
}

/// A Shoot with so many pools, each of which lacks a volume: an error a pool, and another one in the last `named`
/// pools.
fn shoot(pools: usize, named: usize) -> Value {
    let pool = |number: usize| {
        let volumes = if number < pools - named {
            json!([])
        } else {
            json!([{ "name": "-", "type": "cloud_essd", "size": "50Gi" }])
        };
        json!({ "name": format!("pool-{number}"), "zones": ["a"], "dataVolumes": volumes })
    };
    let infrastructure = json!({
        "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "InfrastructureConfig",
        "networks": { "vpc": { "cidr": "10.250.0.0/16" }, "zones": [{ "name": "a", "workers": "10.250.0.0/19" }] },
    });
    json!({
        "kind": "Shoot",
        "spec": {
            "networking": { "nodes": "10.250.0.0/16", "pods": "172.16.0.0/16", "services": "172.17.0.0/20" },
            "provider": {
                "infrastructureConfig": infrastructure,
                "workers": (0..pools).map(pool).collect::<Vec<_>>(),
            },
        },
    })
}

fn errors(answer: &Value) -> Vec<(&str, &str)> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    errors.map(|finding| (finding["rule"].as_str().unwrap(), finding["pointer"].as_str().unwrap())).collect()
}

#[test]
fn a_ratchet_shows_and_refuses_what_is_new_however_much_was_wrong_before() {
    for pools in [1, 499, 500, 999, 1_000, 1_001, 1_500, 3_000] {
        let (old, new) = (shoot(pools, 0), shoot(pools, 1));
        let answer = ask(&json!({ "object": new, "oldObject": old, "ratchet": true }));
        assert_eq!(answer["verdict"], "reject", "{pools}");
        let found = errors(&answer);
        // Nobody knows of more than the first thousand whether they are old: they are listed like new ones.
        let known = pools.min(1_000);
        let listed = if pools > known { known + (pools - known + 1).min(1_000) } else { 1 };
        assert_eq!(found.len(), listed, "{pools}");
        assert_eq!(answer["truncated"], if pools < 2_000 { Value::Null } else { json!(["error"]) }, "{pools}");
        let name = format!("/spec/provider/workers/{}/dataVolumes/0/name", pools - 1);
        let is_shown = found.contains(&("ALI-WRK-005", name.as_str()));
        assert!(is_shown || pools >= 2_000, "{pools}: {found:?}");
    }
}

#[test]
fn a_ratchet_admits_what_was_wrong_before_as_long_as_all_of_it_is_known() {
    for (pools, verdict) in [(1, "accept"), (1_000, "accept"), (1_001, "reject")] {
        let answer = ask(&json!({ "object": shoot(pools, 0), "oldObject": shoot(pools, 0), "ratchet": true }));
        assert_eq!(answer["verdict"], verdict, "{pools}");
        assert_eq!(answer["findings"].as_array().map(Vec::len), Some(pools));
    }
}

#[test]
fn a_ratchet_admits_nothing_when_the_old_object_has_more_errors_than_are_known() {
    let answer = ask(&json!({ "object": shoot(10, 0), "oldObject": shoot(1_001, 0), "ratchet": true }));
    assert_eq!(answer["verdict"], "reject");
    assert_eq!(errors(&answer).len(), 10);
    let fixed = json!({ "kind": "Shoot", "spec": {} });
    let answer = ask(&json!({ "object": fixed, "oldObject": shoot(1_001, 0), "ratchet": true }));
    assert_eq!(answer["verdict"], "accept");
}

#[test]
fn an_answer_that_lacks_findings_says_so() {
    let answer = ask(&json!({ "object": shoot(1_000, 0) }));
    assert_eq!((errors(&answer).len(), &answer["truncated"]), (1_000, &Value::Null));
    let answer = ask(&json!({ "object": shoot(1_001, 0) }));
    assert_eq!((errors(&answer).len(), &answer["truncated"]), (1_000, &json!(["error"])));
}

#[test]
fn an_answer_does_not_grow_with_what_its_findings_quote() {
    let mut object = shoot(20, 0);
    let zone =
        |number: usize| json!({ "name": format!("zone-with-a-long-name-{number}"), "workers": "10.250.0.0/19" });
    let provider = &mut object["spec"]["provider"];
    provider["infrastructureConfig"]["networks"]["zones"] = (0..500).map(zone).collect();
    for pool in provider["workers"].as_array_mut().unwrap() {
        pool["zones"] = (0..50).map(|number| format!("other-{number}")).collect();
    }
    let request = json!({ "object": object, "oldObject": object }).to_string();
    let answer = crate::call("alicloud", "validate", &request);
    assert!(answer.len() < 5 << 20, "{} bytes for {}", answer.len(), request.len());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["truncated"], json!(["error"]));
    for finding in answer["findings"].as_array().unwrap() {
        assert!(!finding["badValue"].is_object() && !finding["badValue"].is_array(), "{finding}");
        assert!(finding["detail"].as_str().unwrap().len() < 5_000);
    }
}

#[test]
fn a_time_is_in_the_form_of_rfc_3339() {
    let profile = json!({ "metadata": { "name": "one" }, "spec": {} });
    let object = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "spec": { "cloudProfile": { "kind": "CloudProfile", "name": "one" } },
    });
    let ask = |now: Value| -> Value {
        let request = json!({ "object": object, "context": { "cloudProfile": profile }, "now": now });
        serde_json::from_str(&crate::call("gardener", "validate", &request.to_string())).unwrap()
    };
    for now in [json!("2026-06-01T00:00:00Z"), json!("2026-06-01T02:00:00.5+02:00"), Value::Null] {
        assert!(ask(now.clone())["error"].is_null(), "{now}");
    }
    for now in [json!("yesterday"), json!(1_780_272_000), json!("2026-06-01")] {
        let error = &ask(now)["error"];
        assert_eq!(error["code"], "Malformed");
        assert_eq!(error["message"], "`now` must be a time such as \"2026-06-01T00:00:00Z\"");
    }
}
