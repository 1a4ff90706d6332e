//! Reads that lag behind writes, and client tokens.

use std::time::Duration;

use super::{Operation, Reset};
use crate::settings::Settings;
use crate::testing::{REGION, TestCloud, operation};

fn settings(text: &str) -> Settings {
    serde_json::from_str(text).unwrap()
}

/// The networks that are reported, with their states.
fn reported(test: &TestCloud) -> Vec<String> {
    let answer = test.call("vpc", "DescribeVpcs", &[]);
    let vpcs = answer["Vpcs"]["Vpc"].as_array().unwrap().iter();
    vpcs.map(|vpc| format!("{} {}", vpc["VpcName"].as_str().unwrap(), vpc["Status"].as_str().unwrap())).collect()
}

fn lagging() -> TestCloud {
    TestCloud::with(settings(r#"{ "lag": { "vpc:*": 2, "vpc:DescribeVpcAttribute": 0 } }"#))
}

#[test]
fn reads_are_behind_writes_and_transitions() {
    let test = lagging();
    let id = test.text("vpc", "CreateVpc", &[("VpcName", "one")], "VpcId");
    for (second, seen) in [(0, None), (1, None), (2, Some("one Pending")), (4, Some("one Pending"))] {
        assert_eq!(reported(&test), seen.into_iter().collect::<Vec<_>>(), "{second} s");
        let now = test.call("vpc", "DescribeVpcAttribute", &[("VpcId", &id)])["Status"].clone();
        assert_eq!(now, if second < 3 { "Pending" } else { "Available" }, "{second} s");
        test.step(if second == 2 { 2 } else { 1 });
    }
    assert_eq!(reported(&test), ["one Available"]);
    // Writes see the world as it is.
    test.call("vpc", "DeleteVpc", &[("VpcId", &id)]);
    assert_eq!(test.refused("vpc", "DeleteVpc", &[("VpcId", &id)]), "IncorrectVpcStatus");
    assert_eq!(test.refused("vpc", "CreateVpc", &[("DryRun", "true")]), "DryRunOperation");
    assert_eq!(reported(&test), ["one Available"]);
    test.step(60);
    assert_eq!(reported(&test), Vec::<String>::new());
}

#[test]
fn refusals_leave_reads_as_they_were() {
    let test = lagging();
    test.call("vpc", "CreateVpc", &[("VpcName", "one")]);
    for _ in 0..5000 {
        test.refused("vpc", "DeleteVpc", &[("VpcId", "vpc-none")]);
        test.cloud.step(Duration::from_micros(200)).unwrap();
    }
    assert!(reported(&test).is_empty());
    test.step(1);
    assert_eq!(reported(&test), ["one Pending"]);
}

#[test]
fn another_world_is_seen_at_once() {
    let test = lagging();
    test.call("vpc", "CreateVpc", &[("VpcName", "one")]);
    test.step(10);
    test.cloud.put_snapshot("one").unwrap();
    test.call("vpc", "CreateVpc", &[("VpcName", "two")]);
    assert_eq!(reported(&test), ["one Available"]);
    test.cloud.reset(Reset::default()).unwrap();
    assert!(reported(&test).is_empty());
    test.cloud.restore_snapshot("one").unwrap();
    assert_eq!(reported(&test), ["one Available"]);
}

#[test]
fn reads_are_no_longer_behind_when_the_settings_say_so() {
    let test = lagging();
    test.call("vpc", "CreateVpc", &[("VpcName", "one")]);
    assert!(reported(&test).is_empty());
    test.cloud.set_settings(Settings::default()).unwrap();
    assert_eq!(reported(&test), ["one Pending"]);
}

/// Creates a network with a token, as a call says otherwise.
fn create(test: &TestCloud, change: impl FnOnce(&mut Operation)) -> Result<String, String> {
    let mut create = operation("vpc", "CreateVpc", &[("RegionId", REGION), ("ClientToken", "t")]);
    change(&mut create);
    let answer = test.cloud.execute(&create).map_err(|refused| refused.code().to_owned())?;
    Ok(answer.fields["VpcId"].as_str().unwrap().to_owned())
}

fn add(name: &str, value: &str) -> impl FnOnce(&mut Operation) {
    move |call| call.parameters.push((name.to_owned(), value.to_owned()))
}

#[test]
fn a_token_stands_for_one_call() {
    let test = TestCloud::new();
    let first = create(&test, |_| {}).unwrap();
    assert_eq!(create(&test, |_| {}), Ok(first.clone()));
    assert_eq!(create(&test, |call| call.parameters.reverse()), Ok(first.clone()));
    assert_eq!(create(&test, add("VpcName", "other")), Err("IdempotentParameterMismatch".to_owned()));
    // The answer is the same when what it names is gone.
    test.step(3);
    test.call("vpc", "DeleteVpc", &[("VpcId", &first), ("ClientToken", "t")]);
    test.step(3);
    assert_eq!(create(&test, |_| {}), Ok(first));
    assert_eq!(test.call("vpc", "DescribeVpcs", &[])["TotalCount"], 0);
}

#[test]
fn tokens_of_accounts_and_regions_are_their_own() {
    let test = TestCloud::new();
    let mut ids = vec![create(&test, |_| {}).unwrap()];
    ids.push(create(&test, |call| "2".clone_into(&mut call.caller.account)).unwrap());
    ids.push(create(&test, |call| "cn-beijing".clone_into(&mut call.region)).unwrap());
    ids.push(create(&test, |call| call.parameters[1].1 = "u".to_owned()).unwrap());
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[test]
fn a_call_without_effect_does_not_use_its_token() {
    let test = TestCloud::with(settings(r#"{ "quotas": { "vpcs": 0 } }"#));
    assert_eq!(create(&test, |_| {}), Err("QuotaExceeded.Vpc".to_owned()));
    test.cloud.set_settings(Settings::default()).unwrap();
    assert_eq!(create(&test, add("DryRun", "true")), Err("DryRunOperation".to_owned()));
    assert_eq!(create(&test, add("CidrBlock", "x")), Err("InvalidCidrBlock.Malformed".to_owned()));
    let id = create(&test, add("VpcName", "one")).unwrap();
    assert_eq!(create(&test, add("VpcName", "one")), Ok(id));
}

#[test]
fn a_token_is_as_it_was_in_a_world_that_returns() {
    let test = TestCloud::new();
    test.cloud.put_snapshot("empty").unwrap();
    let id = create(&test, |_| {}).unwrap();
    test.cloud.restore_snapshot("empty").unwrap();
    assert_eq!(create(&test, |_| {}), Ok(id), "the same calls get the same identifiers");
    assert_eq!(test.call("vpc", "DescribeVpcs", &[])["TotalCount"], 1);
}
