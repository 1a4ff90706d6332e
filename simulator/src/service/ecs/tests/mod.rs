//! Tests of this service, by kind of resource.

mod images;
mod instances;
mod machines;
mod rules;
mod security_groups;
mod tags;

use jiff::Timestamp;
use serde_json::Value;

use crate::action::{Caller, Principal};
use crate::cloud::{Accounts, Clock, Cloud, Operation, seed};
use crate::settings::Settings;
use crate::testing::{REGION, TestCloud};
use crate::world::World;

/// Another account than the one of [`TestCloud`].
const OTHER: &str = "2000000000000002";

/// A cloud with two accounts: the one of tests has the image `m-own`, the other one `m-other` and `m-elsewhere`,
/// and `m-arm` for ARM.
fn cloud(settings: Settings) -> TestCloud {
    let accounts: Accounts = serde_json::from_value(serde_json::json!({ "accounts": [
        { "id": crate::testing::ACCOUNT, "accessKeys": [], "images": [
            { "id": "m-own", "name": "own", "region": REGION },
            { "id": "m-arm", "name": "arm", "region": REGION, "architecture": "arm64" },
        ] },
        { "id": OTHER, "accessKeys": [], "images": [
            { "id": "m-other", "name": "other", "region": REGION },
            { "id": "m-elsewhere", "name": "elsewhere", "region": "cn-beijing" },
        ] },
    ] }))
    .unwrap();
    let mut world = World::default();
    seed(&mut world, &accounts);
    let mut clock = Clock::at("2026-01-02T03:04:05Z".parse::<Timestamp>().unwrap());
    clock.set_rate(0.0).unwrap();
    TestCloud { cloud: Cloud::new(world, clock, settings) }
}

/// A VPC that is available.
fn vpc(cloud: &TestCloud) -> String {
    let vpc = cloud.text("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")], "VpcId");
    cloud.step(60);
    vpc
}

/// A VSwitch that is available, with addresses for nine instances.
fn vswitch(cloud: &TestCloud, vpc: &str) -> String {
    let vswitch = [("VpcId", vpc), ("CidrBlock", "10.1.0.0/28"), ("ZoneId", "cn-shanghai-a")];
    let vswitch = cloud.text("vpc", "CreateVSwitch", &vswitch, "VSwitchId");
    cloud.step(60);
    vswitch
}

/// A security group.
fn group(cloud: &TestCloud, vpc: &str) -> String {
    cloud.text("ecs", "CreateSecurityGroup", &[("VpcId", vpc)], "SecurityGroupId")
}

/// Does something as the other account.
fn as_other(cloud: &TestCloud, action: &str, parameters: &[(&str, &str)]) -> Value {
    let mut parameters: Vec<(String, String)> =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    parameters.push(("RegionId".to_owned(), REGION.to_owned()));
    let operation = Operation {
        service: &super::SERVICE,
        action: super::SERVICE.action(action).unwrap(),
        caller: Caller {
            account: OTHER.to_owned(),
            access_key: "other".to_owned(),
            principal: Principal::Account,
            sees_nothing: false,
        },
        region: REGION.to_owned(),
        parameters,
        body: hyper::body::Bytes::new(),
    };
    Value::Object(cloud.cloud.execute(&operation).unwrap().fields)
}

/// The texts of a field in a list of an answer.
fn texts(answer: &Value, list: &str, field: &str) -> Vec<String> {
    let rows = answer.pointer(list).and_then(Value::as_array).unwrap_or_else(|| panic!("{answer}"));
    rows.iter().map(|row| row[field].as_str().unwrap_or_else(|| panic!("{row}")).to_owned()).collect()
}
