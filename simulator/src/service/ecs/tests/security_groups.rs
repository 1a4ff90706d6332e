use serde_json::{Value, json};

use super::{cloud, group, texts, vpc, vswitch};
use crate::settings::Settings;
use crate::testing::TestCloud;

const LIST: &str = "/SecurityGroups/SecurityGroup";

fn ids(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
    texts(&cloud.call("ecs", "DescribeSecurityGroups", parameters), LIST, "SecurityGroupId")
}

#[test]
fn a_group_comes_changes_and_goes() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let create = [
        ("VpcId", vpc.as_str()),
        ("SecurityGroupName", "shoot--a--b-sg"),
        ("Description", "nodes"),
        ("Tag.1.Key", "k"),
        ("Tag.1.Value", "v"),
        ("ClientToken", "once"),
    ];
    let id = cloud.text("ecs", "CreateSecurityGroup", &create, "SecurityGroupId");
    assert!(id.starts_with("sg-"), "{id}");
    assert_eq!(cloud.text("ecs", "CreateSecurityGroup", &create, "SecurityGroupId"), id);
    let answer = cloud.call("ecs", "DescribeSecurityGroups", &[]);
    let found = &answer.pointer(LIST).unwrap()[0];
    for (field, value) in [
        ("SecurityGroupId", json!(id)),
        ("SecurityGroupName", json!("shoot--a--b-sg")),
        ("Description", json!("nodes")),
        ("SecurityGroupType", json!("normal")),
        ("VpcId", json!(vpc)),
        ("CreationTime", json!("2026-01-02T03:05:05Z")),
        ("Tags", json!({ "Tag": [{ "TagKey": "k", "TagValue": "v" }] })),
    ] {
        assert_eq!(found[field], value);
    }
    for (name, value, code) in [
        ("SecurityGroupName", "1", "InvalidSecurityGroupName.Malformed"),
        ("Description", "http://x", "InvalidSecurityGroupDiscription.Malformed"),
    ] {
        let change = [("SecurityGroupId", id.as_str()), (name, value)];
        assert_eq!(cloud.refused("ecs", "ModifySecurityGroupAttribute", &change), code);
    }
    let change = [("SecurityGroupId", id.as_str()), ("SecurityGroupName", "other"), ("Description", "else")];
    cloud.call("ecs", "ModifySecurityGroupAttribute", &change);
    let answer = cloud.call("ecs", "DescribeSecurityGroupAttribute", &[("SecurityGroupId", &id)]);
    assert_eq!(
        answer,
        json!({
            "RegionId": "cn-shanghai", "SecurityGroupId": id, "SecurityGroupName": "other", "Description": "else",
            "VpcId": vpc, "InnerAccessPolicy": "Accept", "Permissions": { "Permission": [] }, "NextToken": "",
        })
    );
    cloud.call("ecs", "DeleteSecurityGroup", &[("SecurityGroupId", &id)]);
    for action in ["DescribeSecurityGroupAttribute", "ModifySecurityGroupAttribute", "DeleteSecurityGroup"] {
        assert_eq!(cloud.refused("ecs", action, &[("SecurityGroupId", &id)]), "InvalidSecurityGroupId.NotFound");
    }
}

#[test]
fn what_makes_no_group_is_refused() {
    let cloud = cloud(serde_json::from_value(json!({ "quotas": { "securityGroups": 1 } })).unwrap());
    let vpc = vpc(&cloud);
    let pending = cloud.text("vpc", "CreateVpc", &[], "VpcId");
    for (parameters, code) in [
        (&[][..], "InvalidVpcId.NotFound"),
        (&[("VpcId", "vpc-none")], "InvalidVpcId.NotFound"),
        (&[("VpcId", pending.as_str())], "IncorrectVpcStatus"),
        (&[("VpcId", vpc.as_str()), ("SecurityGroupName", "1a")], "InvalidSecurityGroupName.Malformed"),
        (&[("VpcId", &vpc), ("SecurityGroupName", "a")], "InvalidSecurityGroupName.Malformed"),
        (&[("VpcId", &vpc), ("SecurityGroupName", "a b")], "InvalidSecurityGroupName.Malformed"),
        (&[("VpcId", &vpc), ("Description", "http://a")], "InvalidSecurityGroupDiscription.Malformed"),
        (&[("VpcId", &vpc), ("SecurityGroupType", "odd")], "InvalidSecurityGroupType"),
        (&[("VpcId", &vpc), ("Tag.1.Key", "a"), ("Tag.2.Key", "a")], "Duplicate.TagKey"),
    ] {
        assert_eq!(cloud.refused("ecs", "CreateSecurityGroup", parameters), code, "{parameters:?}");
    }
    group(&cloud, &vpc);
    assert_eq!(cloud.refused("ecs", "CreateSecurityGroup", &[("VpcId", &vpc)]), "QuotaExceed.SecurityGroup");
}

#[test]
fn groups_are_found_by_filters() {
    let cloud = cloud(Settings::default());
    let (vpc1, vpc2) = (vpc(&cloud), vpc(&cloud));
    let one = [("VpcId", vpc1.as_str()), ("SecurityGroupName", "one"), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")];
    let one = cloud.text("ecs", "CreateSecurityGroup", &one, "SecurityGroupId");
    let two = [("VpcId", vpc2.as_str()), ("SecurityGroupType", "enterprise")];
    let two = cloud.text("ecs", "CreateSecurityGroup", &two, "SecurityGroupId");
    let json_ids = format!("[\"{two}\"]");
    for (parameters, expected) in [
        (&[("VpcId", vpc1.as_str())][..], vec![&one]),
        (&[("SecurityGroupId", &two)], vec![&two]),
        (&[("SecurityGroupIds", &json_ids)], vec![&two]),
        (&[("SecurityGroupIds", "[]")], vec![]),
        (&[("SecurityGroupName", "one")], vec![&one]),
        (&[("SecurityGroupName", "on")], vec![]),
        (&[("SecurityGroupType", "enterprise")], vec![&two]),
        (&[("NetworkType", "vpc")], vec![&one, &two]),
        (&[("NetworkType", "classic")], vec![]),
        (&[("ServiceManaged", "true")], vec![]),
        (&[("Tag.1.Key", "k")], vec![&one]),
        (&[("Tag.1.Key", "k"), ("Tag.1.Value", "w")], vec![]),
    ] {
        assert_eq!(ids(&cloud, parameters).iter().collect::<Vec<_>>(), expected, "{parameters:?}");
    }
}

#[test]
fn groups_are_paged_in_both_ways() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let all: Vec<String> = (0..12).map(|_| group(&cloud, &vpc)).collect();
    let by_number = cloud.call("ecs", "DescribeSecurityGroups", &[("PageNumber", "2"), ("PageSize", "5")]);
    assert_eq!(texts(&by_number, LIST, "SecurityGroupId"), all[5..10]);
    assert_eq!(
        (&by_number["TotalCount"], &by_number["PageNumber"], &by_number["PageSize"]),
        (&json!(12), &json!(2), &json!(5))
    );
    assert_eq!(by_number.get("NextToken"), None);

    let unasked = cloud.call("ecs", "DescribeSecurityGroups", &[]);
    assert_eq!(texts(&unasked, LIST, "SecurityGroupId"), all[..10]);
    let token = unasked["NextToken"].as_str().unwrap();
    let rest = cloud.call("ecs", "DescribeSecurityGroups", &[("NextToken", token)]);
    assert_eq!(texts(&rest, LIST, "SecurityGroupId"), all[10..]);
    assert_eq!(rest["NextToken"], "");

    let by_token = cloud.call("ecs", "DescribeSecurityGroups", &[("MaxResults", "11")]);
    let token = by_token["NextToken"].as_str().unwrap();
    assert_eq!(ids(&cloud, &[("MaxResults", "11"), ("NextToken", token)]), all[11..]);
    let bad = cloud.refused("ecs", "DescribeSecurityGroups", &[("NextToken", "AAAA")]);
    assert_eq!(bad, "InvalidParameter.NextToken");
}

#[test]
fn a_group_that_is_used_stays() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let vswitch = vswitch(&cloud, &vpc);
    let (used, other) = (group(&cloud, &vpc), group(&cloud, &vpc));
    let refers = [
        ("SecurityGroupId", other.as_str()),
        ("Permissions.1.IpProtocol", "all"),
        ("Permissions.1.PortRange", "-1/-1"),
        ("Permissions.1.SourceGroupId", &used),
    ];
    cloud.call("ecs", "AuthorizeSecurityGroup", &refers);
    let delete = || cloud.try_call("ecs", "DeleteSecurityGroup", &[("SecurityGroupId", &used)]);
    let message = "The specified security group has been authorized in another one.";
    assert_eq!(delete().unwrap_err().message(), message);
    cloud.call("ecs", "RevokeSecurityGroup", &refers);

    let run = [
        ("ImageId", "m-own"),
        ("InstanceType", "ecs.g7.large"),
        ("VSwitchId", vswitch.as_str()),
        ("SecurityGroupId", &used),
    ];
    let answer = cloud.call("ecs", "RunInstances", &run);
    let instance = answer["InstanceIdSets"]["InstanceIdSet"][0].as_str().unwrap().to_owned();
    cloud.step(60);
    assert_eq!(delete().unwrap_err().message(), "There is still instance(s) in the specified security group.");
    let counted = cloud.call(
        "ecs",
        "DescribeSecurityGroups",
        &[("SecurityGroupId", used.as_str()), ("IsQueryEcsCount", "true")],
    );
    assert_eq!(counted.pointer("/SecurityGroups/SecurityGroup/0/EcsCount"), Some(&json!(1)));
    cloud.call("ecs", "DeleteInstance", &[("InstanceId", instance.as_str()), ("Force", "true")]);
    cloud.step(1);
    assert_eq!(delete().unwrap_err().error.code, "DependencyViolation");
    cloud.step(60);
    assert_eq!(delete().unwrap(), Value::Object(serde_json::Map::new()));
}
