//! What forbids to make machines: each rule fires where it should, and nothing is made then.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::cases::{live, made_cases, request, workers};

const POOL: &str = "/worker/spec/pools/0";
const STATUS: &str = "/worker/spec/infrastructureProviderStatus";

/// Sets a value, or removes it where the value is `null`.
fn set(request: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = request.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(key)),
        (Value::Array(items), value) => items[key.parse::<usize>().unwrap()] = value,
        (parent, value) => parent[key] = value,
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_rule_says_what_is_wrong_and_where() {
    let base = made_cases().find(|case| case["in"]["worker"]["spec"]["pools"][0]["zones"][1].is_string()).unwrap();
    let pool = &base["in"]["worker"]["spec"]["pools"][0];
    let (name, zone) = (pool["name"].as_str().unwrap(), pool["zones"][0].as_str().unwrap());
    let rows: [(&str, Value, &str, &str, &str); 15] = [
        (STATUS, Value::Null, "ALI-MCH-001", "/spec/infrastructureProviderStatus", "it is absent"),
        (
            &format!("{STATUS}/vpcs"),
            json!(1),
            "ALI-MCH-001",
            "/spec/infrastructureProviderStatus/vpcs",
            "unknown field \"vpcs\"",
        ),
        (
            &format!("{STATUS}/vpc/securityGroups"),
            json!([]),
            "ALI-MCH-002",
            "/spec/infrastructureProviderStatus/vpc/securityGroups",
            "cannot find security group with purpose \"nodes\"",
        ),
        (
            &format!("{STATUS}/vpc/vswitches"),
            json!([]),
            "ALI-MCH-003",
            "/spec/pools/0/zones/0",
            &format!("no vswitch with purpose \"nodes\" in zone \"{zone}\" found"),
        ),
        (
            &format!("{POOL}/machineImage"),
            json!({ "name": "x", "version": "1" }),
            "ALI-MCH-004",
            "/spec/pools/0/machineImage",
            "could not find machine image for x/1/",
        ),
        (&format!("{POOL}/volume"), Value::Null, "ALI-MCH-005", "/spec/pools/0", "the pool has no volume"),
        (
            &format!("{POOL}/volume"),
            json!({ "size": "big" }),
            "ALI-MCH-005",
            "/spec/pools/0/volume/size",
            "the disk size \"big\" does not begin with a number",
        ),
        (
            &format!("{POOL}/dataVolumes"),
            json!([{ "name": "a", "size": "" }]),
            "ALI-MCH-005",
            "/spec/pools/0/dataVolumes/0/size",
            "does not begin with a number",
        ),
        (
            &format!("{POOL}/maxSurge"),
            json!("abc%"),
            "ALI-MCH-006",
            "/spec/pools/0",
            "given value \"abc%\" is not a percent value",
        ),
        (
            &format!("{POOL}/maxUnavailable"),
            json!("5"),
            "ALI-MCH-006",
            "/spec/pools/0",
            "given value \"5\" is not a percent value",
        ),
        (
            &format!("{POOL}/userDataSecretRef"),
            json!({ "name": "no", "key": "k" }),
            "ALI-MCH-008",
            "/spec/pools/0/userDataSecretRef",
            &format!("failed fetching user data secret no referenced in worker pool {name}: not found"),
        ),
        (
            &format!("{POOL}/userDataSecretRef/key"),
            json!("no"),
            "ALI-MCH-008",
            "/spec/pools/0/userDataSecretRef",
            "has no no field or it's empty",
        ),
        ("/cluster/cloudProfile/spec/providerConfig/x", json!(1), "ALI-MCH-009", "", "unknown field \"x\""),
        (&format!("{POOL}/zones/1"), json!(zone), "ALI-MCH-010", "/spec", &format!("-{name}-{zone}")),
        (
            "/cluster/shoot/status/credentials",
            json!({ "rotation": { "certificateAuthorities": { "lastInitiationTime": "x" } } }),
            "",
            "",
            "",
        ),
    ];
    let mut fired = BTreeSet::new();
    for (pointer, value, rule, place, words) in rows {
        let mut request = request(base);
        set(&mut request, pointer, value);
        let answer = workers(&request, &live(base));
        let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
        if rule.is_empty() {
            continue;
        }
        let is_it = |finding: &&Value| finding["rule"] == rule;
        let finding = findings.iter().find(is_it).unwrap_or_else(|| panic!("{pointer}: {findings:?}"));
        assert_eq!((&finding["pointer"], &finding["severity"]), (&json!(place), &json!("error")), "{pointer}");
        assert!(finding["detail"].as_str().unwrap().contains(words), "{finding}");
        for member in ["machineDeployments", "pools", "objects", "providerStatus"] {
            assert!(answer[member].is_null(), "{pointer}: {member}");
        }
        fired.insert(rule);
    }
    let mut in_place = request(base);
    set(&mut in_place, &format!("{POOL}/updateStrategy"), json!("AutoInPlaceUpdate"));
    set(&mut in_place, &format!("{POOL}/kubernetesVersion"), Value::Null);
    let answer = workers(&in_place, &live(base));
    assert_eq!(answer["findings"][0]["rule"], "ALI-MCH-007", "{}", answer["findings"]);
    fired.insert("ALI-MCH-007");
    let rules: Value = serde_json::from_str(&trellis_core::call("alicloud", "rules", "{}")).unwrap();
    for rule in rules["rules"].as_array().unwrap() {
        let id = rule["id"].as_str().unwrap();
        if id.starts_with("ALI-MCH") && rule["severity"] == "error" {
            assert!(fired.contains(id), "no case breaks {id}");
        }
    }
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let base = made_cases().next().unwrap();
    let mut request = request(base);
    set(&mut request, &format!("{STATUS}/vpc/securityGroups"), json!([]));
    set(&mut request, &format!("{POOL}/volume"), json!({ "size": "big" }));
    set(&mut request, &format!("{POOL}/maxSurge"), json!("x"));
    let answer = workers(&request, &live(base));
    let findings = answer["findings"].as_array().unwrap();
    let rules: Vec<&str> = findings.iter().filter_map(|finding| finding["rule"].as_str()).collect();
    assert_eq!(rules, ["ALI-MCH-002", "ALI-MCH-005", "ALI-MCH-006"]);
}

#[test]
fn user_data_that_nobody_has_looked_up_is_asked_for() {
    let base = made_cases().next().unwrap();
    let answer: Value =
        serde_json::from_str(&trellis_core::call("alicloud", "workers", &request(base).to_string())).unwrap();
    let pools = base["in"]["worker"]["spec"]["pools"].as_array().unwrap();
    let undecided = answer["undecided"].as_array().unwrap();
    assert_eq!(undecided.len(), pools.len());
    for (pool, undecided) in pools.iter().zip(undecided) {
        let parameters = &undecided["query"]["call"]["parameters"];
        assert_eq!(undecided["rule"], "ALI-MCH-008");
        assert_eq!(parameters["name"], pool["userDataSecretRef"]["name"]);
        assert_eq!(parameters["namespace"], base["in"]["worker"]["metadata"]["namespace"]);
    }
    assert!(answer["objects"].is_null() && answer["findings"] == json!([]), "{answer}");
}

#[test]
fn malformed_requests_are_errors() {
    let base = made_cases().next().unwrap();
    let rows = [
        ("/worker", json!([]), "`worker` must be an object"),
        ("/worker", json!({}), "`worker` must be a Worker, and has no `kind`"),
        ("/worker/kind", json!("Shoot"), "`worker` must be a Worker, not a `Shoot`"),
        ("/cluster", json!({}), "the request has no `cluster.shoot`"),
        ("/wrker", json!({}), "unknown member `wrker`"),
        ("/worker/spec/pools/0/minimum", json!("1"), "spec: pools[0].minimum: expected an integer"),
        ("/worker/spec/type", json!("aws"), "the Worker"),
        ("/cluster/shoot/spec/provider/type", json!("gcp"), "the Shoot"),
        ("/configuration", json!(1), "`configuration` must be an object"),
    ];
    for (pointer, value, words) in rows {
        let mut request = request(base);
        set(&mut request, pointer, value);
        let answer: Value =
            serde_json::from_str(&trellis_core::call("alicloud", "workers", &request.to_string())).unwrap();
        assert!(
            answer["error"]["message"].as_str().is_some_and(|text| text.contains(words)),
            "{pointer}: {answer}"
        );
    }
}

/// Zones repeat what a pool says: a small request must not make a huge answer.
#[test]
fn what_zones_repeat_is_limited() {
    let base = made_cases().next().unwrap();
    let zones: Vec<String> = (0..3_000).map(|zone| format!("z{zone}")).collect();
    let mut request = request(base);
    set(&mut request, &format!("{POOL}/zones"), json!(zones));
    let pool = request["worker"]["spec"]["pools"][0].clone();
    request["worker"]["spec"]["pools"] = json!([pool, pool]);
    let answer = workers(&request, &live(base));
    assert_eq!(answer["error"]["code"], "TooLarge", "{answer}");
    let label = "x".repeat(100_000);
    set(&mut request, &format!("{POOL}/zones"), json!(zones[..1_000]));
    set(&mut request, &format!("{POOL}/labels"), json!({ "a": label }));
    let answer = workers(&request, &live(base));
    assert_eq!(answer["error"]["code"], "TooLarge", "{answer}");
}
