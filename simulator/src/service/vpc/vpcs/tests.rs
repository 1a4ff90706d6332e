use serde_json::{Value, json};

use crate::settings::Settings;
use crate::testing::TestCloud;

/// A network that is there.
fn vpc(cloud: &TestCloud, parameters: &[(&str, &str)]) -> String {
    let id = cloud.text("vpc", "CreateVpc", parameters, "VpcId");
    cloud.step(3);
    id
}

fn described(cloud: &TestCloud, id: &str) -> Value {
    cloud.call("vpc", "DescribeVpcs", &[("VpcId", id)])["Vpcs"]["Vpc"][0].clone()
}

#[test]
fn a_vpc_comes_with_a_router_and_a_route_table_and_goes_with_them() {
    let cloud = TestCloud::new();
    let created = cloud.call("vpc", "CreateVpc", &[("VpcName", "one"), ("Tag.1.Key", "k")]);
    let id = created["VpcId"].as_str().unwrap();
    let table = created["RouteTableId"].as_str().unwrap();
    let reported = described(&cloud, id);
    assert_eq!(reported["Status"], "Pending");
    assert_eq!(reported["CidrBlock"], "172.16.0.0/12");
    assert_eq!(reported["VRouterId"], created["VRouterId"]);
    assert_eq!(reported["RouterTableIds"], json!({ "RouterTableIds": [table] }));
    assert_eq!(reported["Tags"], json!({ "Tag": [{ "Key": "k", "Value": "" }] }));
    assert_eq!(reported["OwnerId"], json!(1_000_000_000_000_001_i64));
    assert_eq!(cloud.refused("vpc", "DeleteVpc", &[("VpcId", id)]), "IncorrectVpcStatus");
    let refused = cloud.refused("vpc", "ModifyVpcAttribute", &[("VpcId", id), ("VpcName", "two")]);
    assert_eq!(refused, "IncorrectVpcStatus");

    cloud.step(3);
    assert_eq!(described(&cloud, id)["Status"], "Available");
    let entries = cloud.call("vpc", "DescribeRouteEntryList", &[("RouteTableId", table)]);
    assert_eq!(entries["TotalCount"], 1);
    let entry = &entries["RouteEntrys"]["RouteEntry"][0];
    assert_eq!(entry["DestinationCidrBlock"], "100.64.0.0/10");
    assert_eq!(entry["NextHops"]["NextHop"][0]["NextHopType"], "service");

    cloud.call("vpc", "DeleteVpc", &[("VpcId", id)]);
    assert_eq!(described(&cloud, id)["Status"], "Pending");
    cloud.step(3);
    assert_eq!(described(&cloud, id), Value::Null);
    let tables = cloud.call("vpc", "DescribeRouteTableList", &[("RouteTableId", table)]);
    assert_eq!(tables["TotalCount"], 0);
    for action in ["DeleteVpc", "ModifyVpcAttribute", "DescribeVpcAttribute"] {
        assert_eq!(cloud.refused("vpc", action, &[("VpcId", id)]), "InvalidVpcId.NotFound", "{action}");
    }
}

#[test]
fn what_no_vpc_may_have_is_refused() {
    let cloud = TestCloud::new();
    for (parameter, value, code) in [
        ("CidrBlock", "10.0.0.1/16", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "100.64.0.0/16", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "169.254.0.0/16", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "10.0.0.0/29", "IllegalParam.CidrBlockMask"),
        ("CidrBlock", "10.0.0.0/7", "IllegalParam.CidrBlockMask"),
        ("VpcName", "http://name", "InvalidVpcName.Malformed"),
        ("Description", "https://text", "InvalidVpcDiscription.Malformed"),
        ("Ipv6Isp", "ChinaMobile", "IllegalParam.Ipv6Isp"),
        ("UserCidr", "1.0.0.0/8,2.0.0.0/8,3.0.0.0/8,4.0.0.0/8", "InvalidUserCidr.Quota"),
        ("UserCidr", "100.0.0.0/8", "InvalidUserCidr.Malformed"),
        ("UserCidr", "one", "InvalidParameter"),
        ("Ipv6CidrBlock", "2001:db8::/56", "InvalidParameter"),
    ] {
        assert_eq!(cloud.refused("vpc", "CreateVpc", &[(parameter, value)]), code, "{parameter} {value}");
    }
    assert_eq!(cloud.refused("vpc", "CreateVpc", &[("DryRun", "true")]), "DryRunOperation");
    assert_eq!(cloud.call("vpc", "DescribeVpcs", &[])["TotalCount"], 0);
    let id = vpc(&cloud, &[("UserCidr", "1.0.0.0/8, 2.0.0.0/8")]);
    assert_eq!(described(&cloud, &id)["UserCidrs"], json!({ "UserCidr": ["1.0.0.0/8", "2.0.0.0/8"] }));
}

#[test]
fn a_client_token_creates_one_vpc() {
    let cloud = TestCloud::new();
    let first = cloud.call("vpc", "CreateVpc", &[("ClientToken", "t")]);
    assert_eq!(cloud.call("vpc", "CreateVpc", &[("ClientToken", "t")]), first);
    assert_eq!(
        cloud.refused("vpc", "CreateVpc", &[("ClientToken", "t"), ("VpcName", "other")]),
        "IdempotentParameterMismatch"
    );
    assert_eq!(cloud.call("vpc", "DescribeVpcs", &[])["TotalCount"], 1);
}

#[test]
fn vpcs_have_a_quota() {
    let settings: Settings = serde_json::from_str(r#"{ "quotas": { "vpcs": 1 } }"#).unwrap();
    let cloud = TestCloud::with(settings);
    vpc(&cloud, &[]);
    assert_eq!(cloud.refused("vpc", "CreateVpc", &[]), "QuotaExceeded.Vpc");
    cloud.call("vpc", "CreateVpc", &[("RegionId", "eu-central-1")]);
}

#[test]
fn vpcs_are_found_by_filters_in_pages() {
    let cloud = TestCloud::new();
    let one = vpc(&cloud, &[("VpcName", "one"), ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
    let two = vpc(&cloud, &[("VpcName", "two"), ("EnableIpv6", "true")]);
    let three = vpc(&cloud, &[("VpcName", "three")]);
    let both = format!("{one},{three}");
    for (filter, found) in [
        (&[][..], vec![&one, &two, &three]),
        (&[("VpcId", both.as_str())], vec![&one, &three]),
        (&[("VpcName", "two")], vec![&two]),
        (&[("EnableIpv6", "true")], vec![&two]),
        (&[("EnableIpv6", "false")], vec![&one, &three]),
        (&[("IsDefault", "true")], vec![]),
        (&[("IsDefault", "false")], vec![&one, &two, &three]),
        (&[("VpcOwnerId", "1")], vec![]),
        (&[("Tag.1.Key", "k")], vec![&one]),
        (&[("Tag.1.Key", "k"), ("Tag.1.Value", "w")], vec![]),
        (&[("PageSize", "2")], vec![&one, &two]),
        (&[("PageSize", "2"), ("PageNumber", "2")], vec![&three]),
    ] {
        let answer = cloud.call("vpc", "DescribeVpcs", filter);
        let ids: Vec<_> = answer["Vpcs"]["Vpc"].as_array().unwrap().iter().map(|vpc| &vpc["VpcId"]).collect();
        assert_eq!(ids, found, "{filter:?}");
    }
}

#[test]
fn ipv6_is_there_after_a_transition_and_goes_when_nothing_uses_it() {
    let cloud = TestCloud::new();
    let id = vpc(&cloud, &[]);
    let change = |enable: &str| [("VpcId", id.clone()), ("EnableIPv6", enable.to_owned())];
    let modify = |enable: &str| {
        let change = change(enable);
        let change: Vec<_> = change.iter().map(|(name, value)| (*name, value.as_str())).collect();
        cloud.try_call("vpc", "ModifyVpcAttribute", &change).map_err(|refused| refused.error.code)
    };
    modify("true").unwrap();
    let reported = described(&cloud, &id);
    assert_eq!((&reported["Status"], &reported["Ipv6CidrBlock"]), (&json!("Pending"), &json!("")));
    cloud.step(5);
    let reported = described(&cloud, &id);
    assert_eq!((&reported["Status"], &reported["EnabledIpv6"]), (&json!("Available"), &json!(true)));
    let block = reported["Ipv6CidrBlock"].as_str().unwrap();
    assert!(block.starts_with("2001:db8:") && block.ends_with("00::/56"), "{block}");
    assert_eq!(reported["Ipv6CidrBlocks"]["Ipv6CidrBlock"][0]["Ipv6Isp"], "BGP");

    modify("true").unwrap();
    assert_eq!(described(&cloud, &id), reported);

    let gateway = cloud.text("vpc", "CreateIpv6Gateway", &[("VpcId", &id)], "Ipv6GatewayId");
    cloud.step(5);
    assert_eq!(modify("false"), Err("DependencyViolation.Ipv6"));
    cloud.call("vpc", "DeleteIpv6Gateway", &[("Ipv6GatewayId", &gateway)]);
    cloud.step(5);
    modify("false").unwrap();
    cloud.step(5);
    assert_eq!(described(&cloud, &id)["EnabledIpv6"], false);
}

#[test]
fn names_and_blocks_are_modified_at_once() {
    let cloud = TestCloud::new();
    let id = vpc(&cloud, &[("CidrBlock", "10.0.0.0/16"), ("Description", "kept")]);
    let vswitch = [("VpcId", id.as_str()), ("ZoneId", "cn-shanghai-a"), ("CidrBlock", "10.0.1.0/24")];
    cloud.call("vpc", "CreateVSwitch", &vswitch);
    let id = id.as_str();
    cloud.call("vpc", "ModifyVpcAttribute", &[("VpcId", id), ("VpcName", "new"), ("CidrBlock", "10.0.0.0/20")]);
    let reported = cloud.call("vpc", "DescribeVpcAttribute", &[("VpcId", id)]);
    assert_eq!(
        [&reported["VpcName"], &reported["Description"], &reported["CidrBlock"], &reported["Status"]],
        ["new", "kept", "10.0.0.0/20", "Available"]
    );
    assert_eq!(
        reported["CloudResources"]["CloudResourceSetType"],
        json!([
            { "ResourceCount": 1, "ResourceType": "VRouter" },
            { "ResourceCount": 1, "ResourceType": "VSwitch" },
            { "ResourceCount": 1, "ResourceType": "RouteTable" },
        ])
    );
    for (parameter, value, code) in [
        ("CidrBlock", "192.168.0.0/16", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "10.0.0.0/24", "InvalidCidrBlock.Malformed"),
        ("CidrBlock", "10.0.0.0/30", "IllegalParam.CidrBlockMask"),
        ("VpcName", "http://name", "InvalidVpcName.Malformed"),
        ("Description", "http://text", "InvalidVpcDiscription.Malformed"),
        ("Ipv6Isp", "ChinaMobile", "IllegalParam.Ipv6Isp"),
    ] {
        let refused = cloud.refused("vpc", "ModifyVpcAttribute", &[("VpcId", id), (parameter, value)]);
        assert_eq!(refused, code, "{parameter} {value}");
    }
}

#[test]
fn a_vpc_is_kept_while_it_holds_something() {
    let cloud = TestCloud::new();
    let id = vpc(&cloud, &[("EnableIpv6", "true")]);
    let id = id.as_str();
    let refused = |force| cloud.refused("vpc", "DeleteVpc", &[("VpcId", id), ("ForceDelete", force)]);

    let gateway = cloud.text("vpc", "CreateIpv6Gateway", &[("VpcId", id)], "Ipv6GatewayId");
    cloud.step(5);
    assert_eq!(refused("false"), "DependencyViolation.RouteEntry");

    let table = cloud.text("vpc", "CreateRouteTable", &[("VpcId", id)], "RouteTableId");
    cloud.step(3);
    assert_eq!(refused("true"), "DependencyViolation.RouteTable");
    cloud.call("vpc", "DeleteRouteTable", &[("RouteTableId", &table)]);
    cloud.step(3);

    let vswitch = [("VpcId", id), ("ZoneId", "cn-shanghai-a"), ("CidrBlock", "172.16.0.0/24")];
    let vswitch = cloud.text("vpc", "CreateVSwitch", &vswitch, "VSwitchId");
    cloud.step(3);
    assert_eq!(refused("true"), "DependencyViolation.VSwitch");
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]);
    cloud.step(3);

    let tables = cloud.call("vpc", "DescribeRouteTableList", &[("VpcId", id)]);
    let system = tables["RouterTableList"]["RouterTableListType"][0]["RouteTableId"].as_str().unwrap();
    let default = [("RouteTableId", system), ("DestinationCidrBlock", "::/0"), ("NextHopId", gateway.as_str())];
    cloud.call("vpc", "DeleteRouteEntry", &default);
    cloud.step(3);
    assert_eq!(refused("false"), "DependencyViolation.Ipv6Gateway");

    cloud.call("vpc", "DeleteVpc", &[("VpcId", id), ("ForceDelete", "true")]);
    cloud.step(3);
    assert_eq!(cloud.call("vpc", "DescribeVpcs", &[])["TotalCount"], 0);
    assert_eq!(cloud.call("vpc", "DescribeIpv6Gateways", &[])["TotalCount"], 0);
}
