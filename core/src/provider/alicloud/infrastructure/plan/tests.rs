//! What forbids to touch a network that may be somebody else's, or somewhere else.

use serde_json::{Value, json};

use crate::policy::PlanAnswer;
use crate::provider::alicloud::infrastructure::testing::{Cloud, converse, managed, planned, recorded, request};

/// The account of [`Cloud`].
const ACCOUNT: &str = "1000000000000001";

/// Plans with all that the cloud shows.
fn plan(cloud: &Cloud, document: &Value) -> PlanAnswer {
    planned(&converse(cloud, document.clone()).document)
}

/// The rules that forbid a plan, or to carry it out.
fn rules(planning: &PlanAnswer) -> Vec<&str> {
    planning.findings.iter().map(|finding| finding.rule).collect()
}

fn ask(operation: &str, state: &Value) -> Value {
    request(operation, &managed(), &["a"], state)
}

/// A Shoot alone, of which no seed knows anything.
fn of_shoot(operation: &str, state: &Value) -> Value {
    let mut document = ask(operation, state);
    let infrastructure = document["request"].as_object_mut().unwrap().remove("infrastructure").unwrap();
    document["request"]["cluster"]["shoot"] = json!({
        "metadata": { "name": "ali", "namespace": "garden-dev" },
        "spec": {
            "region": "cn-shanghai",
            "networking": { "pods": "100.96.0.0/11" },
            "provider": { "infrastructureConfig": infrastructure["spec"]["providerConfig"] },
        },
    });
    document
}

fn consenting(mut document: Value, to: &str) -> Value {
    document["consent"] = json!([to]);
    document
}

fn with_account(mut state: Value, account: &str) -> Value {
    state["Account"] = json!(account);
    state
}

#[test]
fn credentials_of_another_account_plan_nothing_and_ask_nothing_more() {
    let state = with_account(recorded(&["a"]), "2000000000000002");
    for operation in ["reconcile", "delete", "restore"] {
        let seen = converse(&Cloud::new(), ask(operation, &state));
        assert_eq!(seen.rounds.len(), 1);
        let planning = planned(&seen.document);
        assert_eq!((rules(&planning), planning.plan.is_none()), (vec!["ALI-PLAN-010"], true));
        let detail = &planning.findings[0].detail;
        assert!(detail.contains("2000000000000002") && detail.contains(ACCOUNT), "{detail}");
    }
}

#[test]
fn a_state_without_an_account_is_bound_where_a_recorded_id_is_found() {
    let bound = plan(&Cloud::made(&["a"]), &ask("reconcile", &recorded(&["a"]))).plan.unwrap();
    assert!(bound.changes.iter().all(|change| change.id == "securitygroup"), "{bound:?}");
    assert_eq!(bound.state.get("Account").map(String::as_str), Some(ACCOUNT));
    let unbound = plan(&Cloud::new(), &ask("reconcile", &recorded(&["a"])));
    assert_eq!(rules(&unbound), ["ALI-PLAN-014"]);
    let agreed = plan(&Cloud::new(), &consenting(ask("reconcile", &recorded(&["a"])), "adopt")).plan.unwrap();
    assert!(!agreed.changes.is_empty());
    let gone: Vec<&str> = agreed.gone.iter().map(|gone| gone.resource_id.as_str()).collect();
    assert_eq!(gone, ["vpc-1", "sg-1", "vsw-a", "ngw-1", "eip-a"]);
}

#[test]
fn where_the_account_is_not_known_the_plan_is_shown_and_not_carried_out() {
    let silent = |cloud: Cloud| cloud.failing("GetCallerIdentity", "NoPermission");
    let state = with_account(recorded(&["a"]), ACCOUNT);
    let idle = plan(&silent(Cloud::new()), &of_shoot("delete", &json!({})));
    assert_eq!((rules(&idle), idle.codes.len()), (vec!["ALI-PLAN-011"], 0));
    assert_eq!(idle.findings[0].severity, crate::report::Severity::Warning);
    assert!(idle.plan.unwrap().changes.is_empty());
    let changing = plan(&silent(Cloud::made(&["a"])), &ask("delete", &state));
    assert_eq!(
        (rules(&changing), changing.codes.as_slice()),
        (vec!["ALI-PLAN-011"], &["ERR_INFRA_UNAUTHORIZED"][..])
    );
    assert_eq!(changing.findings[0].severity, crate::report::Severity::Error);
    assert!(!changing.plan.unwrap().changes.is_empty());
}

#[test]
fn what_carries_the_shoots_tags_is_taken_over_or_deleted_only_where_somebody_says_so() {
    let cloud = Cloud::made(&["a"]);
    for operation in ["reconcile", "delete"] {
        let asked = of_shoot(operation, &json!({}));
        let planning = plan(&cloud, &asked);
        assert_eq!((rules(&planning), planning.plan.is_none()), (vec!["ALI-PLAN-012"], true), "{operation}");
        assert!(planning.findings[0].detail.contains("VPC vpc-1"), "{:?}", planning.findings);
        assert!(plan(&cloud, &consenting(asked, "adopt")).plan.is_some());
    }
}

#[test]
fn a_seed_that_has_reconciled_a_network_knows_it() {
    let cloud = Cloud::made(&["a"]);
    let of = |operation: &str, metadata: Value, status: Value| {
        let mut document = ask(operation, &json!({}));
        let infrastructure = &mut document["request"]["infrastructure"];
        infrastructure["metadata"]["annotations"] = metadata;
        infrastructure["status"] = status;
        plan(&cloud, &document).plan.is_some()
    };
    let last = |operation: &str, state: &str| json!({ "lastOperation": { "type": operation, "state": state } });
    assert!(!of("reconcile", json!({}), json!({})));
    assert!(!of("reconcile", json!({}), last("Create", "Error")));
    assert!(of("reconcile", json!({}), last("Create", "Succeeded")));
    assert!(of("reconcile", json!({}), last("Reconcile", "Processing")));
    assert!(!of("delete", json!({}), last("Delete", "Processing")), "it may never have been made");
    let mut made = last("Delete", "Processing");
    made["providerStatus"] = json!({ "vpc": { "id": "vpc-1" } });
    assert!(of("delete", json!({}), made));
    assert!(of("restore", json!({}), json!({})));
    let annotated = |value: &str| json!({ "infrastructure.trellis.gardener.cloud/adopt": value });
    assert!(of("reconcile", annotated("true"), json!({})));
    assert!(!of("reconcile", annotated("false"), json!({})));
}

#[test]
fn a_network_of_which_nothing_is_found_is_not_given_up_silently() {
    let state = with_account(recorded(&["a"]), ACCOUNT);
    let planning = plan(&Cloud::new(), &of_shoot("delete", &state));
    assert_eq!((rules(&planning), planning.plan.is_none()), (vec!["ALI-PLAN-013"], true));
    assert!(planning.findings[0].detail.contains("NAT gateway ngw-1"), "{:?}", planning.findings);
    let forgotten = plan(&Cloud::new(), &consenting(of_shoot("delete", &state), "forget"));
    assert_eq!(rules(&forgotten), ["ALI-PLAN-013"]);
    assert_eq!(forgotten.findings[0].severity, crate::report::Severity::Warning);
    let plan_of = forgotten.plan.unwrap();
    assert_eq!(plan_of.state.get("VPC").map(String::as_str), Some("<deleted>"));
    assert_eq!(plan_of.state.get("Account"), None);
}

#[test]
fn a_deletion_names_the_security_groups_that_keep_the_vpc() {
    let group = |id: &str, name: &str| {
        (
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": id, "SecurityGroupName": name, "VpcId": "vpc-1", "Tags": {} }),
        )
    };
    let state = with_account(recorded(&["a"]), ACCOUNT);
    let none = plan(&Cloud::made(&["a"]), &ask("delete", &state));
    assert_eq!(none.plan.unwrap().steps.iter().filter(|step| step.remedy.is_some()).count(), 0);
    assert!(none.findings.is_empty(), "{:?}", none.findings);
    let cloud = Cloud::made(&["a"]).with_others(&[group("sg-8", "one"), group("sg-9", "two")]);
    let some = plan(&cloud, &ask("delete", &state));
    assert_eq!(rules(&some), ["ALI-PLAN-021"]);
    let finding = &some.findings[0];
    assert_eq!(finding.severity, crate::report::Severity::Warning);
    assert!(finding.detail.contains("not the Shoot's: sg-8 (`one`), sg-9 (`two`). "), "{}", finding.detail);
    let steps = some.plan.unwrap().steps;
    let remedies: Vec<_> =
        steps.iter().filter_map(|step| Some((step.id.as_str(), step.remedy.as_ref()?))).collect();
    assert_eq!(remedies, [("vpc/delete", &finding.detail)]);
    assert!(steps.iter().all(|step| step.call.parameters.iter().all(|(_, value)| *value != "sg-8".into())));
    let kept = plan(&cloud, &ask("reconcile", &state));
    assert!(kept.findings.is_empty() && kept.plan.unwrap().steps.iter().all(|step| step.remedy.is_none()));
}

#[test]
fn a_seed_gives_a_network_up_with_a_warning_where_the_account_is_the_recorded_one() {
    let own = plan(&Cloud::new(), &ask("delete", &with_account(recorded(&["a"]), ACCOUNT)));
    assert!(own.plan.is_some());
    assert_eq!(own.findings[0].severity, crate::report::Severity::Warning);
    let unknown = plan(&Cloud::new(), &ask("delete", &recorded(&["a"])));
    assert_eq!((rules(&unknown), unknown.plan.is_none()), (vec!["ALI-PLAN-013"], true));
}

#[test]
fn a_preview_asks_nobody_and_needs_no_consent() {
    let mut document = of_shoot("reconcile", &json!({}));
    document["baseline"] = json!("empty");
    assert!(rules(&planned(&document)).is_empty());
    document["baseline"] = document["request"].clone();
    assert!(planned(&document).plan.unwrap().changes.is_empty());
}
