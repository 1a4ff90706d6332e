//! Machines that failed and are kept for people who look into them.

use serde_json::{Value, json};

use super::cases::{live, made_cases, request, workers};

/// The machine deployments of a pool in three zones with these settings.
fn deployments(settings: &Value) -> Vec<Value> {
    let case = made_cases().next().unwrap();
    let mut request = request(case);
    let vswitches = case["in"]["worker"]["spec"]["infrastructureProviderStatus"]["vpc"]["vswitches"].as_array();
    let zones: Vec<&Value> = vswitches.unwrap().iter().take(3).map(|vswitch| &vswitch["zone"]).collect();
    let mut pool = case["in"]["worker"]["spec"]["pools"][0].clone();
    (pool["zones"], pool["machineControllerManager"]) = (json!(zones), settings.clone());
    request["worker"]["spec"]["pools"] = json!([pool]);
    let answer = workers(&request, &live(case));
    answer["machineDeployments"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[test]
fn zones_share_how_many_are_kept_and_each_keeps_them_as_long() {
    let both = json!({ "autoPreserveFailedMachineMax": 4, "machinePreserveTimeout": "72h" });
    let made = deployments(&both);
    let kept: Vec<&Value> = made.iter().map(|one| &one["autoPreserveFailedMachineMax"]).collect();
    assert_eq!(json!(kept), json!([2, 1, 1]));
    for one in &made {
        assert_eq!(one["machineConfiguration"], json!({ "machinePreserveTimeout": "72h0m0s" }));
    }
    let none = deployments(&json!({ "autoPreserveFailedMachineMax": 0 }));
    assert!(none.iter().all(|one| one["autoPreserveFailedMachineMax"] == 0), "{none:?}");
}

/// Gardener before 1.147 and its machine-controller-manager have neither.
#[test]
fn a_pool_that_says_nothing_of_that_has_neither() {
    for one in deployments(&json!({ "machineHealthTimeout": "10m" })) {
        assert_eq!(one.get("autoPreserveFailedMachineMax"), None);
        assert_eq!(one["machineConfiguration"], json!({ "healthTimeout": "10m0s" }));
    }
}
