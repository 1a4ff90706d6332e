//! What is asked of a VPC that a person brings, and of elastic IPs.

use super::*;

#[test]
fn a_nat_gateway_of_the_persons_needs_neither_zones_nor_role() {
    let mut state = recorded(&["a"]);
    state["VPC"] = json!("vpc-9");
    let seen = converse(&existing_cloud(), request("reconcile", &existing(), &["a"], &state));
    assert_eq!(
        seen.calls(),
        [[
            "DescribeVpcs",
            "DescribeVSwitches",
            "DescribeNatGateways",
            "DescribeSnatTableEntries",
            "DescribeEipAddresses",
            "DescribeSecurityGroupAttribute",
            "DescribeSecurityGroups",
        ]]
    );
    let cold = converse(&existing_cloud(), request("reconcile", &existing(), &["a"], &json!({})));
    assert_eq!(
        cold.calls(),
        [
            &[
                "DescribeVpcs",
                "DescribeVSwitches",
                "DescribeNatGateways",
                "DescribeEipAddresses",
                "DescribeSecurityGroups"
            ][..],
            &["DescribeSnatTableEntries", "DescribeSecurityGroupAttribute"],
        ]
    );
    assert_eq!(cold.world().snat_entries.len(), 1);
}

#[test]
fn gateways_without_tags_in_the_list_are_asked_for_them() {
    let cloud = existing_cloud()
        .with("DescribeNatGateways", json!({ "NatGatewayId": "ngw-2", "VpcId": "vpc-9", "Name": "untold" }))
        .with(
            "ListTagResources",
            json!({ "ResourceId": "ngw-2", "TagKey": "kubernetes.io/cluster/another", "TagValue": "1" }),
        );
    let mut state = recorded(&["a"]);
    state["VPC"] = json!("vpc-9");
    let seen = converse(&cloud, request("reconcile", &existing(), &["a"], &state));
    assert_eq!(seen.rounds[1], ["vpc/ListTagResources/cn-shanghai/ResourceType=NATGATEWAY/ResourceId=ngw-2"]);
    assert_eq!(seen.world().nat_gateways[1].tags, [("kubernetes.io/cluster/another".to_owned(), "1".to_owned())]);
}

#[test]
fn a_route_table_of_its_own_takes_two_more_queries_and_dual_stack_one() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .with(
            "DescribeRouteTableList",
            json!({ "RouteTableId": "vtb-1", "RouteTableName": format!("{NS}-rt"), "RouteTableType": "Custom",
                    "VpcId": "vpc-1", "Status": "Available", "VSwitchIds": { "VSwitchId": ["vsw-a"] }, "Tags": tags(&format!("{NS}-rt")) }),
        )
        .with("DescribeRouteTableList", json!({ "RouteTableId": "vtb-2", "RouteTableType": "Custom", "VpcId": "vpc-1" }))
        .with(
            "DescribeRouteEntryList",
            json!({ "RouteEntryId": "rte-1", "RouteTableId": "vtb-1", "DestinationCidrBlock": "0.0.0.0/0",
                    "NextHops": { "NextHop": [{ "NextHopId": "ngw-1" }] }, "Status": "Available" }),
        )
        .with(
            "DescribeRouteEntryList",
            json!({ "RouteEntryId": "rte-2", "RouteTableId": "vtb-1", "DestinationCidrBlock": "::/0",
                    "InstanceId": "ipv6gw-1", "Status": "Available" }),
        )
        .with("DescribeIpv6Gateways", json!({ "Ipv6GatewayId": "ipv6gw-1", "VpcId": "vpc-1", "Status": "Available" }));
    let mut state = recorded(&zones);
    state["RouteTable"] = json!("vtb-1");
    let vpc = json!({ "cidr": "10.250.0.0/16", "useCustomRouteTable": true });
    let mut document = request("reconcile", &vpc, &zones, &state);
    let seen = converse(&cloud, document.clone());
    assert_eq!(seen.rounds.iter().map(Vec::len).collect::<Vec<_>>(), [10]);
    let hops: Vec<_> = seen.world().route_entries.iter().map(|entry| entry.next_hop.as_str()).collect();
    assert_eq!(hops, ["ngw-1", "ipv6gw-1"]);

    document["request"]["infrastructure"]["spec"]["providerConfig"]["dualStack"] = json!({ "enabled": true });
    assert_eq!(converse(&cloud, document.clone()).rounds.iter().map(Vec::len).collect::<Vec<_>>(), [11]);

    document["state"]["RouteTable"] = json!("vtb-9");
    let seen = converse(&cloud, document.clone());
    assert_eq!(seen.calls()[1..], [["DescribeRouteTableList"], ["DescribeRouteEntryList"]]);
    assert_eq!(seen.world().route_tables.len(), 1, "a table of somebody else's is left out");

    // Without the setting, a table that is recorded is reported, and no more.
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &state));
    assert_eq!(seen.rounds.iter().map(Vec::len).collect::<Vec<_>>(), [9]);
    assert_eq!((seen.world().route_tables.len(), seen.world().route_entries.len()), (1, 0));
}

#[test]
fn elastic_ips_of_the_persons_are_asked_for_by_id() {
    let zones = ["a", "b"];
    let mut document = request("reconcile", &managed(), &zones, &recorded(&zones));
    document["request"]["infrastructure"]["spec"]["providerConfig"]["networks"]["zones"][1]["natGateway"] =
        json!({ "eipAllocationID": "eip-own" });
    document["state"]["Zones/a/FormerElasticIP"] = json!("eip-former");
    document["state"].as_object_mut().unwrap().remove("Zones/b/NATGatewayElasticIP");
    let seen = converse(&Cloud::made(&zones), document);
    let asked: Vec<_> = seen.rounds.iter().flatten().filter(|id| id.contains("DescribeEip")).collect();
    assert_eq!(asked, ["vpc/DescribeEipAddresses/cn-shanghai/AllocationId=eip-a,eip-former,eip-own"]);
}

#[test]
fn many_ids_are_asked_for_in_parts() {
    let names: Vec<String> = (0..60).map(|index| format!("z{index:02}")).collect();
    let zones: Vec<&str> = names.iter().map(String::as_str).collect();
    let seen = converse(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &recorded(&zones)));
    let asked = seen.rounds.iter().flatten().filter(|id| id.contains("DescribeEip")).count();
    assert_eq!((asked, seen.world().eips.len()), (2, 60));
}
