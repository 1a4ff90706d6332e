//! What holds for all Workers: shares sum up, no name is there twice, and no value of a Secret shows.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases::{cases, live, made_cases, request, workers};

/// Random bounds of a pool in random zones of the first case.
fn pools() -> impl Strategy<Value = Vec<(i32, i32, i32, usize)>> {
    proptest::collection::vec((0..50_i32, 0..50_i32, 0..9_i32, 1..5_usize), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn shares_sum_up_and_no_name_is_there_twice(bounds in pools()) {
        let case = made_cases().next().unwrap();
        let mut request = request(case);
        let zones: Vec<&str> = case["in"]["worker"]["spec"]["infrastructureProviderStatus"]["vpc"]["vswitches"]
            .as_array().unwrap().iter().filter_map(|vswitch| vswitch["zone"].as_str()).collect();
        let pool = case["in"]["worker"]["spec"]["pools"][0].clone();
        let made: Vec<Value> = bounds.iter().enumerate().map(|(index, (minimum, more, surge, of))| {
            let mut pool = pool.clone();
            pool["name"] = format!("p{index}").into();
            (pool["minimum"], pool["maximum"]) = (json!(minimum), json!(minimum + more));
            (pool["maxSurge"], pool["maxUnavailable"]) = (json!(surge), json!(1));
            pool["zones"] = json!(zones[..*of]);
            pool
        }).collect();
        request["worker"]["spec"]["pools"] = json!(made);
        let answer = workers(&request, &live(case));
        let deployments = answer["machineDeployments"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let names: BTreeSet<&str> = deployments.iter().filter_map(|one| one["name"].as_str()).collect();
        let classes: BTreeSet<&str> = deployments.iter().filter_map(|one| one["className"].as_str()).collect();
        let zones: usize = bounds.iter().map(|(_, _, _, of)| of).sum();
        prop_assert_eq!((names.len(), classes.len(), deployments.len()), (zones, zones, zones));
        prop_assert_eq!(answer["objects"].as_array().unwrap().len(), 2 * zones);
        for (index, (minimum, more, surge, _)) in bounds.iter().enumerate() {
            let of_pool = |path: &str| -> i64 {
                let is_in = |one: &&Value| one["poolName"] == format!("p{index}");
                deployments.iter().filter(is_in).filter_map(|one| one.pointer(path)?.as_i64()).sum()
            };
            prop_assert_eq!(of_pool("/minimum"), i64::from(*minimum));
            prop_assert_eq!(of_pool("/maximum"), i64::from(minimum + more));
            let strategy = ["/strategy/rollingUpdate/maxSurge", "/strategy/inPlaceUpdate/maxSurge"];
            prop_assert_eq!(strategy.iter().map(|path| of_pool(path)).sum::<i64>(), i64::from(*surge));
        }
    }
}

/// User data holds credentials of a node: it stands in the Secrets of classes alone.
#[test]
fn no_user_data_shows_outside_of_the_secrets_of_classes() {
    const CANARY: &str = "canary-in-a-cage";
    let encoded = trellis_core::text::base64::encode(CANARY.as_bytes());
    let mut found = 0;
    for case in cases() {
        let held = |parameters: &Value| {
            let secret = live(case)(parameters)?;
            let keys = secret["data"].as_object()?.keys().cloned().collect::<Vec<_>>();
            let data: serde_json::Map<String, Value> = keys.into_iter().map(|key| (key, json!(encoded))).collect();
            Some(json!({ "apiVersion": "v1", "kind": "Secret", "data": data }))
        };
        let mut answer = workers(&request(case), &held);
        for object in answer["objects"].as_array_mut().into_iter().flatten() {
            if object["kind"] == "Secret" {
                assert_eq!(object["data"], json!({ "userData": encoded }));
                object["data"] = Value::Null;
                found += 1;
            }
        }
        let text = answer.to_string();
        assert!(!text.contains(CANARY) && !text.contains(&encoded), "{}", case["id"]);
    }
    assert!(found > 1_000, "{found}");
}

/// A host asks again at each reconciliation.
#[test]
fn the_same_request_gets_the_same_bytes() {
    for case in made_cases().take(20) {
        let ask = || trellis_tests::asking::asked("workers", &request(case), &live(case)).pop().unwrap().0;
        let request = ask();
        assert_eq!(request, ask());
        let answer = trellis_core::call("alicloud", "workers", &request);
        assert_eq!(answer, trellis_core::call("alicloud", "workers", &request));
    }
}
