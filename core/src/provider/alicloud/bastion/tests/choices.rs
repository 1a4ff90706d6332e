use serde_json::{Value, json};

use super::cloud::{Cloud, findings, request};

/// The machine type that a cloud and a CloudProfile lead to, or what is said instead.
fn chosen(cloud: &Cloud, profile: Option<Value>) -> String {
    let mut request = request("reconcile", &json!({}));
    if let Some(profile) = profile {
        request["request"]["cluster"]["cloudProfile"] = json!({ "spec": profile });
    }
    let (answer, _) = cloud.plan(&request);
    if let Some(rule) = findings(&answer).first() {
        assert_eq!(*rule, "ALI-BAST-013");
        return answer["findings"][0]["detail"].as_str().unwrap().to_owned();
    }
    answer["plan"]["steps"][3]["call"]["parameters"]["InstanceType"].as_str().unwrap().to_owned()
}

#[test]
fn the_machine_type_is_a_small_one_on_which_the_image_runs() {
    let mut cloud = Cloud::new();
    for (architecture, offers, expected) in [
        ("x86_64", [vec!["ecs.small"], vec!["ecs.large"]], "ecs.small"),
        ("x86_64", [vec![], vec!["ecs.large"]], "ecs.large"),
        ("arm64", [vec!["ecs.small", "ecs.arm"], vec![]], "ecs.arm"),
        ("arm64", [vec!["ecs.small"], vec!["ecs.large"]], "ecs.profile.arm"),
        ("x86_64", [vec!["ecs.arm"], vec![]], "ecs.profile.x86"),
        ("x86_64", [vec![], vec![]], "ecs.profile.x86"),
    ] {
        (cloud.architecture, cloud.offers) = (architecture, offers);
        assert_eq!(chosen(&cloud, None), expected, "{architecture}");
    }
}

#[test]
fn the_cloud_profile_may_name_the_machine_type() {
    let mut cloud = Cloud::new();
    let named = |name: &str| Some(json!({ "bastion": { "machineType": { "name": name } } }));
    assert_eq!(chosen(&cloud, named("ecs.named")), "ecs.named");
    assert_eq!(
        chosen(&cloud, named("ecs.unknown")),
        "machine type ecs.unknown of spec.bastion.machineType does not exist in the region"
    );
    cloud.architecture = "arm64";
    assert_eq!(
        chosen(&cloud, named("ecs.named")),
        "machine type ecs.named of spec.bastion.machineType is for X86, and image m-1 for ARM"
    );
}

#[test]
fn no_machine_type_at_all_is_said_with_the_architecture() {
    let mut cloud = Cloud::new();
    (cloud.architecture, cloud.offers) = ("arm64", [vec!["ecs.small"], vec![]]);
    assert_eq!(
        chosen(&cloud, Some(json!({ "machineTypes": [{ "name": "ecs.profile" }] }))),
        "no machine type with one or two cores that zone cn-shanghai-b offers runs image m-1, which is for ARM, and \
         the CloudProfile has none for it"
    );
}
