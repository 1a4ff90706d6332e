//! What somebody else has, next to what is ours.

use super::*;

/// What others have, as like the Shoot's as can be.
fn others() -> Vec<(&'static str, Value)> {
    let theirs = || json!({ "Tag": [{ "Key": format!("kubernetes.io/cluster/{NS}-2"), "Value": "1" }] });
    vec![
        ("DescribeVpcs", json!({ "VpcId": "vpc-7", "VpcName": format!("{NS}-vpc"), "Tags": theirs() })),
        ("DescribeVpcs", json!({ "VpcId": "vpc-8", "Tags": { "Tag": [{ "Key": "Name", "Value": NS }] } })),
        (
            "DescribeVSwitches",
            json!({ "VSwitchId": "vsw-8", "VpcId": "vpc-8", "VSwitchName": format!("{NS}-a-vsw"), "ZoneId": "a",
                    "CidrBlock": "10.250.1.0/24", "Status": "Available", "Tags": {} }),
        ),
        (
            "DescribeNatGateways",
            json!({ "NatGatewayId": "ngw-8", "VpcId": "vpc-8", "Name": format!("{NS}-natgw"), "Status": "Available" }),
        ),
        (
            "ListTagResources",
            json!({ "ResourceId": "ngw-8", "TagKey": format!("kubernetes.io/cluster/{NS}"), "TagValue": "1" }),
        ),
        (
            "DescribeSnatTableEntries",
            json!({ "SnatEntryId": "snat-8", "SnatTableId": "stb-8", "NatGatewayId": "ngw-8",
                    "SourceVSwitchId": "vsw-a", "SnatIp": "198.18.0.8", "Status": "Available" }),
        ),
        (
            "DescribeEipAddresses",
            json!({ "AllocationId": "eip-8", "Name": format!("{NS}-eip-natgw-z0"), "IpAddress": "198.18.0.8",
                    "Tags": theirs() }),
        ),
        (
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": "sg-8", "SecurityGroupName": format!("{NS}-sg"), "VpcId": "vpc-8" }),
        ),
        (
            "DescribeRouteTableList",
            json!({ "RouteTableId": "vtb-8", "RouteTableName": format!("{NS}-rt"), "VpcId": "vpc-8",
                    "RouteTableType": "Custom" }),
        ),
        (
            "DescribeRouteTableList",
            json!({ "RouteTableId": "vtb-0", "RouteTableName": format!("{NS}-rt"), "VpcId": "vpc-1",
                    "RouteTableType": "System" }),
        ),
        (
            "DescribeRouteEntryList",
            json!({ "RouteEntryId": "rte-8", "RouteTableId": "vtb-8", "DestinationCidrBlock": "0.0.0.0/0" }),
        ),
        (
            "DescribeRouteEntryList",
            json!({ "RouteEntryId": "rte-0", "RouteTableId": "vtb-1", "DestinationCidrBlock": "10.250.1.0/24",
                    "Type": "System" }),
        ),
        ("DescribeIpv6Gateways", json!({ "Ipv6GatewayId": "ipv6gw-8", "VpcId": "vpc-8" })),
        (
            "ListLoadBalancers",
            json!({ "LoadBalancerId": "nlb-8", "LoadBalancerStatus": "Active",
                    "Tags": [{ "Key": "ack.aliyun.com", "Value": format!("{NS}-2") }] }),
        ),
        ("ListLoadBalancers", json!({ "LoadBalancerId": "nlb-9", "LoadBalancerStatus": "Active" })),
        ("DescribeImages", json!({ "ImageId": "m-8", "ImageOwnerAlias": "system" })),
        ("ListStacks", json!({ "StackName": "theirs", "StackId": "s-8", "Status": "CREATE_COMPLETE" })),
        ("DescribeInstances", json!({ "InstanceId": "i-8", "KeyPairName": "theirs" })),
    ]
}

/// A network with all kinds of resources.
fn everything(zones: &[&str]) -> Cloud {
    Cloud::made(zones)
        .with(
            "DescribeRouteTableList",
            json!({ "RouteTableId": "vtb-1", "RouteTableName": format!("{NS}-rt"), "VpcId": "vpc-1",
                    "RouteTableType": "Custom", "Status": "Available", "Tags": tags(&format!("{NS}-rt")) }),
        )
        .with(
            "DescribeRouteEntryList",
            json!({ "RouteEntryId": "rte-1", "RouteTableId": "vtb-1", "DestinationCidrBlock": "0.0.0.0/0",
                    "Type": "Custom", "NextHops": { "NextHop": [{ "NextHopId": "ngw-1" }] } }),
        )
        .with(
            "DescribeIpv6Gateways",
            json!({ "Ipv6GatewayId": "ipv6gw-1", "VpcId": "vpc-1", "Status": "Available" }),
        )
        .with(
            "ListLoadBalancers",
            json!({ "LoadBalancerId": "nlb-1", "LoadBalancerStatus": "Active",
                    "Tags": [{ "Key": "ack.aliyun.com", "Value": NS }] }),
        )
        .with("DescribeImages", json!({ "ImageId": "m-1", "ImageOwnerAlias": "others" }))
        .with("DescribeInstances", json!({ "InstanceId": "i-1", "KeyPairName": "old" }))
}

#[test]
fn what_is_not_what_was_asked_for_is_not_taken_for_it() {
    let zones = ["a", "b"];
    let all = recorded(&zones);
    let mut without_gateway = all.clone();
    without_gateway.as_object_mut().unwrap().remove("NatGateway");
    let mut with_table = all.clone();
    with_table["RouteTable"] = json!("vtb-1");
    for (vpc, state) in [
        (managed(), json!({})),
        (managed(), all.clone()),
        (managed(), without_gateway),
        (managed(), with_table),
        (managed(), json!({ "VPC": "vpc-gone" })),
        (existing(), all),
    ] {
        for operation in ["reconcile", "restore", "delete"] {
            for hides_tags in [false, true] {
                let mut document = with_workers(true, true);
                let asked = request(operation, &vpc, &zones, &state);
                document["request"]["operation"] = json!(operation);
                document["request"]["infrastructure"] = asked["request"]["infrastructure"].clone();
                document["state"] = state.clone();
                let infrastructure = &mut document["request"]["infrastructure"];
                infrastructure["spec"]["providerConfig"]["dualStack"] = json!({ "enabled": true });
                infrastructure["spec"]["providerConfig"]["networks"]["vpc"]["useCustomRouteTable"] = json!(true);
                infrastructure["status"] = json!({ "providerStatus": { "keyPairName": "old" } });
                let mut cloud = everything(&zones);
                if hides_tags {
                    cloud = cloud.without("DescribeNatGateways").with(
                        "DescribeNatGateways",
                        json!({ "NatGatewayId": "ngw-1", "VpcId": "vpc-1", "Name": "x", "Status": "Available" }),
                    );
                }
                let cloud = cloud.with_others(&others());
                let reported = converse(&cloud, document.clone());
                let reported_all = converse(&cloud.ignoring_filters(), document);
                assert_eq!(reported_all.world(), reported.world(), "{operation} with {state}");
                assert_eq!(reported_all.rounds, reported.rounds, "{operation} with {state}");
            }
        }
    }
}

#[test]
fn rules_of_another_security_group_are_refused() {
    let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    let query = "ecs/DescribeSecurityGroupAttribute/cn-shanghai/SecurityGroupId=sg-1";
    let response = json!({ "SecurityGroupId": "sg-8", "Permissions": { "Permission": [] } });
    document["facts"] = json!([{ "query": query, "answer": { "response": response } }]);
    let problem = "is about another security group than was asked for";
    assert_eq!(observed(&document).unwrap_err(), RequestError::Fact { query: query.to_owned(), problem });
}
