use serde_json::json;

use super::cloud::{Cloud, actions, findings, request, state_of};
use super::{GROUP, INSTANCE};

/// A cloud with a bastion of the existing extension, which sets no tags.
fn untagged() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    for one in cloud.groups.iter_mut().chain(&mut cloud.instances) {
        one["Tags"] = json!({ "Tag": [] });
    }
    cloud
}

#[test]
fn an_empty_list_for_want_of_permission_makes_and_forgets_nothing() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    cloud.may_list = false;
    for operation in ["reconcile", "delete"] {
        for status in [json!({}), json!({ "state": state_of(GROUP, INSTANCE) })] {
            let (answer, asked) = cloud.plan(&request(operation, &status));
            assert_eq!(findings(&answer), ["ALI-BAST-008"], "{operation} {asked:?}");
            assert_eq!(answer.get("plan"), None);
            assert_eq!(answer["codes"], json!(["ERR_INFRA_UNAUTHORIZED"]));
        }
    }
}

#[test]
fn what_has_the_uid_in_its_tag_is_taken_over() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    let (answer, _) = cloud.plan(&request("reconcile", &json!({})));
    assert_eq!((actions(&answer), findings(&answer)), (vec![], vec![]));
    assert_eq!(answer["plan"]["state"]["Instance"], INSTANCE);
    let (answer, _) = cloud.plan(&request("delete", &json!({})));
    assert_eq!(actions(&answer), ["DeleteInstance", "DeleteSecurityGroup"]);
}

#[test]
fn what_has_only_the_name_is_taken_over_where_the_seed_or_a_person_knows_it() {
    let cloud = untagged();
    let strange = cloud.plan(&request("reconcile", &json!({}))).0;
    assert_eq!(findings(&strange), ["ALI-BAST-011"]);
    assert_eq!(
        strange["findings"][0]["detail"],
        "nothing shows that these are the bastion's, which have its name, shoot--dev--foo-tunnel-bastion-3fe4b: security \
         group sg-bastion, instance i-bastion"
    );
    let operation = json!({ "lastOperation": { "type": "Reconcile", "state": "Error" } });
    let mut annotated = request("reconcile", &json!({}));
    annotated["request"]["bastion"]["metadata"]["annotations"] =
        json!({ "bastion.trellis.gardener.cloud/adopt": "true" });
    let mut consented = request("reconcile", &json!({}));
    consented["consent"] = json!(["adopt"]);
    for request in [request("reconcile", &operation), annotated, consented] {
        let (answer, _) = cloud.plan(&request);
        assert_eq!(
            (actions(&answer), findings(&answer)),
            (vec!["TagResources".to_owned(); 2], vec![]),
            "{request}"
        );
        assert_eq!(answer["plan"]["changes"][0]["action"], "adopt");
    }
    // A seed writes that the deletion goes on before it asks.
    let begun = json!({ "lastOperation": { "type": "Delete", "state": "Processing" } });
    let mut reached = begun.clone();
    reached["ingress"] = json!({ "ip": "198.51.100.1" });
    for known in [operation, reached] {
        let (deleted, _) = cloud.plan(&request("delete", &known));
        assert_eq!(actions(&deleted), ["DeleteInstance", "DeleteSecurityGroup"], "{known}");
    }
    assert_eq!(findings(&cloud.plan(&request("delete", &begun)).0), ["ALI-BAST-011"]);
}

#[test]
fn what_is_of_another_bastion_of_the_name_is_named_before_a_second_one_is_made_and_left_by_a_deletion() {
    let mut cloud = untagged();
    for one in cloud.groups.iter_mut().chain(&mut cloud.instances) {
        one["Tags"] = json!({ "Tag": [{ "TagKey": "bastion.trellis.gardener.cloud/uid", "TagValue": "u-0" }] });
    }
    let (answer, _) = cloud.plan(&request("reconcile", &json!({})));
    assert_eq!(findings(&answer), ["ALI-BAST-011"]);
    let (answer, _) = cloud.plan(&request("delete", &json!({})));
    assert_eq!(actions(&answer), Vec::<String>::new());
    let mut consented = request("reconcile", &json!({}));
    consented["consent"] = json!(["adopt"]);
    let (answer, _) = cloud.plan(&consented);
    assert_eq!(actions(&answer), ["TagResources", "TagResources"]);
    let uid = "bastion.trellis.gardener.cloud/uid=";
    let before = &answer["plan"]["changes"][0]["before"]["tag"];
    assert_eq!(before, &json!(format!("{uid}u-0")));
}

#[test]
fn a_manifest_without_a_uid_goes_on_with_what_is_recorded_and_tagged() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    let mut request = request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) }));
    request["request"]["bastion"]["metadata"].as_object_mut().unwrap().remove("uid");
    let (answer, _) = cloud.plan(&request);
    assert_eq!((actions(&answer), findings(&answer)), (vec![], vec![]));
    // Without a record nothing shows that the tag is this one's, and a deletion does not pass it over in silence.
    request["request"]["bastion"]["status"] = json!({});
    for operation in ["reconcile", "delete"] {
        request["request"]["operation"] = json!(operation);
        assert_eq!(findings(&cloud.plan(&request).0), ["ALI-BAST-011"], "{operation}");
    }
}

#[test]
fn an_instance_in_another_group_is_no_bastion_because_other_rules_count_for_it() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    cloud.instances[0]["SecurityGroupIds"] = json!({ "SecurityGroupId": ["sg-nodes"] });
    let recorded = json!({ "state": state_of(GROUP, INSTANCE) });
    let (answer, _) = cloud.plan(&request("reconcile", &recorded));
    assert_eq!(findings(&answer), ["ALI-BAST-016"]);
    assert_eq!(
        answer["findings"][0]["detail"],
        "instance i-bastion is in security group sg-nodes, and not in the bastion's, whose rules do not count for it"
    );
    cloud.groups.clear();
    let (answer, _) = cloud.plan(&request("reconcile", &json!({})));
    assert_eq!(findings(&answer), ["ALI-BAST-016"], "a group that is still to be made does not hold it either");
    let (answer, _) = cloud.plan(&request("delete", &recorded));
    assert_eq!(actions(&answer)[0], "DeleteInstance");
}

#[test]
fn what_was_renamed_is_found_by_its_recorded_id() {
    let mut cloud = Cloud::new();
    cloud.make(GROUP, INSTANCE);
    cloud.groups[0]["SecurityGroupName"] = json!("other");
    cloud.instances[0]["InstanceName"] = json!("other");
    let (answer, _) = cloud.plan(&request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) })));
    assert_eq!(actions(&answer), Vec::<String>::new());
    assert_eq!(answer["plan"]["notes"].as_array().unwrap().len(), 2, "{answer}");
}

#[test]
fn a_second_instance_and_a_second_group_go() {
    let mut cloud = Cloud::new();
    cloud.make("sg-other", "i-other");
    cloud.make(GROUP, INSTANCE);
    let (answer, _) = cloud.plan(&request("reconcile", &json!({ "state": state_of(GROUP, INSTANCE) })));
    assert_eq!(actions(&answer), ["DeleteInstance", "DeleteSecurityGroup"]);
    assert_eq!(answer["plan"]["steps"][0]["call"]["parameters"]["InstanceId"], "i-other");
    assert_eq!(
        answer["plan"]["steps"][1]["after"],
        json!(["instance/i-other/delete"]),
        "{}",
        answer["plan"]["steps"]
    );
}

#[test]
fn a_run_that_ended_without_an_answer_sends_the_same_again() {
    let first = Cloud::new().plan(&request("reconcile", &json!({}))).0;
    let run = &first["plan"]["steps"][3];
    let mut state = state_of(GROUP, "");
    for (key, value) in run["remember"].as_object().unwrap() {
        state["data"][key] = value.clone();
    }
    let again = |offers: [Vec<&'static str>; 2]| {
        let mut cloud = Cloud::new();
        cloud.make(GROUP, INSTANCE);
        cloud.instances.clear();
        cloud.offers = offers;
        let answer = cloud.plan(&request("reconcile", &json!({ "state": state }))).0;
        answer["plan"]["steps"][0]["call"].clone()
    };
    assert_eq!(again([vec!["ecs.new", "ecs.arm"], vec!["ecs.large", "ecs.small"]]), run["call"]);
    assert_eq!(
        again([vec!["ecs.new"], vec![]])["parameters"]["InstanceType"],
        "ecs.new",
        "it is no longer offered"
    );
}

#[test]
fn a_deletion_that_finds_nothing_of_what_is_recorded_says_so() {
    let mut recorded = request("delete", &json!({ "state": state_of(GROUP, INSTANCE) }));
    let (answer, _) = Cloud::new().plan(&recorded);
    assert_eq!((findings(&answer), actions(&answer)), (vec!["ALI-BAST-012"], vec![]), "a warning in a seed");
    recorded["request"]["bastion"]["status"]["state"]["data"]["Account"] = json!("1000000000000002");
    let (answer, _) = Cloud::new().plan(&recorded);
    assert_eq!(findings(&answer), ["ALI-BAST-010"]);
}
