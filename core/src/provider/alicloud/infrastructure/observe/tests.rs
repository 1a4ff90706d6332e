//! What is asked, round by round.

use serde_json::{Value, json};

use super::Observed;
use crate::policy::RequestError;
use crate::provider::alicloud::infrastructure::testing::{
    Cloud, NS, long_tags, look, look_once, managed, recorded, request, tags,
};
use crate::provider::alicloud::infrastructure::world::{LoadBalancerKind, Role};

const COMPLETE: [&str; 8] = [
    "DescribeVpcs",
    "DescribeVSwitches",
    "DescribeNatGateways",
    "ListEnhanhcedNatGatewayAvailableZones",
    "DescribeSnatTableEntries",
    "DescribeEipAddresses",
    "DescribeSecurityGroupAttribute",
    "DescribeSecurityGroups",
];

#[test]
fn a_complete_state_is_checked_by_eight_queries_side_by_side() {
    for zones in [&["a"][..], &["a", "b", "c"]] {
        let seen = look(&Cloud::made(zones), request("reconcile", &managed(), zones, &recorded(zones)));
        assert_eq!(seen.calls(), [COMPLETE]);
        let world = seen.world();
        assert_eq!(world.vpc.as_ref().map(|vpc| vpc.id.as_str()), Some("vpc-1"));
        assert_eq!(world.vswitches.len(), zones.len());
        assert_eq!(world.eips.len(), zones.len());
        assert_eq!(world.snat_entries.len(), zones.len());
        assert_eq!(world.nat_role, None, "there is a gateway already");
        assert_eq!(world.nat_zones.as_deref(), Some(&["a", "b", "c"].map(str::to_owned)[..]));
        let rule = &world.security_groups[0].rules.as_ref().unwrap()[0];
        assert_eq!((rule.source.as_str(), rule.ports.as_str()), ("0.0.0.0/0", "30000/32767"));
    }
}

#[test]
fn queries_say_what_they_ask() {
    let seen =
        look(&Cloud::made(&["a", "b"]), request("reconcile", &managed(), &["a", "b"], &recorded(&["a", "b"])));
    assert_eq!(
        seen.rounds,
        [[
            "vpc/DescribeVpcs/cn-shanghai/VpcId=vpc-1",
            "vpc/DescribeVSwitches/cn-shanghai/VpcId=vpc-1",
            "vpc/DescribeNatGateways/cn-shanghai/VpcId=vpc-1",
            "vpc/ListEnhanhcedNatGatewayAvailableZones/cn-shanghai",
            "vpc/DescribeSnatTableEntries/cn-shanghai/NatGatewayId=ngw-1",
            "vpc/DescribeEipAddresses/cn-shanghai/AllocationId=eip-a,eip-b",
            "ecs/DescribeSecurityGroupAttribute/cn-shanghai/SecurityGroupId=sg-1",
            "ecs/DescribeSecurityGroups/cn-shanghai/SecurityGroupId=sg-1",
        ]]
    );
    let document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    let Ok(Observed::Queries(queries)) = look_once(&document) else { panic!("nothing is known yet") };
    let wire = |action: &str| {
        let query = queries.iter().find(|query| query.call.action == action).unwrap();
        serde_json::to_value((&query.call.parameters, query.paging)).unwrap()
    };
    let expected =
        json!([{ "PageSize": "100", "RegionId": "cn-shanghai", "AllocationId": "eip-a" }, "pageNumber"]);
    assert_eq!(wire("DescribeEipAddresses"), expected);
    let expected =
        json!([{ "MaxResults": "1000", "RegionId": "cn-shanghai", "SecurityGroupId": "sg-1" }, "nextToken"]);
    assert_eq!(wire("DescribeSecurityGroupAttribute"), expected);
    assert_eq!(wire("ListEnhanhcedNatGatewayAvailableZones"), json!([{ "RegionId": "cn-shanghai" }, "none"]));
}

#[test]
fn before_anything_is_made_four_queries_tell_all() {
    let cold = look(&Cloud::new(), request("reconcile", &managed(), &["a", "b", "c"], &json!({})));
    assert_eq!(
        cold.rounds,
        [[
            format!("vpc/DescribeVpcs/cn-shanghai/Tag=Name={NS},kubernetes.io/cluster/{NS}=1"),
            "vpc/ListEnhanhcedNatGatewayAvailableZones/cn-shanghai".to_owned(),
            "resourcemanager/GetRole/cn-shanghai/RoleName=AliyunServiceRoleForNatgw".to_owned(),
            format!("vpc/DescribeEipAddresses/cn-shanghai/Tag=kubernetes.io/cluster/{NS}=1"),
        ]]
    );
    assert_eq!(cold.world().nat_role, Some(Role::ServiceLinked));
    assert_eq!(cold.world().vpc, None);
}

#[test]
fn a_lost_state_is_found_again_by_tags() {
    let zones = ["a", "b"];
    let seen = look(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &json!({})));
    assert_eq!(
        seen.calls(),
        [
            &["DescribeVpcs", "ListEnhanhcedNatGatewayAvailableZones", "GetRole", "DescribeEipAddresses"][..],
            &["DescribeVSwitches", "DescribeNatGateways", "DescribeSecurityGroups"],
            &["DescribeSnatTableEntries", "DescribeSecurityGroupAttribute"],
        ]
    );
    let world = seen.world();
    assert_eq!((world.vswitches.len(), world.eips.len(), world.snat_entries.len()), (2, 2, 2));
    assert_eq!(world.nat_gateways[0].tags.len(), 2);
    assert_eq!(world.security_groups.len(), 1);
    assert_eq!(world.nat_role, None);
}

#[test]
fn a_vpc_that_is_recorded_and_gone_is_looked_for_by_tags() {
    let zones = ["a"];
    let cloud = Cloud::new();
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.rounds.len(), 2);
    assert_eq!(
        seen.calls()[1],
        ["DescribeVpcs", "GetRole", "DescribeSecurityGroups"],
        "the children of the VPC that is gone are not asked for again"
    );
    assert_eq!(seen.world().vpc, None);
    assert_eq!(seen.world().snat_entries, []);
}

#[test]
fn what_is_not_recorded_is_asked_for_beside_the_rest() {
    let zones = ["a", "b"];
    let mut state = recorded(&zones);
    state.as_object_mut().unwrap().remove("Zones/b/NATGatewayElasticIP");
    let seen = look(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &state));
    assert_eq!(seen.rounds.len(), 1);
    assert_eq!(seen.rounds[0].len(), 9);
    assert_eq!(seen.world().eips.len(), 2, "the one that both queries tell of is there once");
    state["NodesSecurityGroup"] = json!("<deleted>");
    state["NatGateway"] = json!("<deleted>");
    let seen = look(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &state));
    assert_eq!(seen.world().security_groups.len(), 1, "it is found by its tags");
    assert_eq!(seen.world().snat_entries.len(), 2);
}

#[test]
fn a_nat_gateway_that_is_gone_needs_its_role() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .without("DescribeNatGateways")
        .failing("DescribeSnatTableEntries", "InvalidSnatTableId.NotFound");
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.calls()[1..], [["GetRole"]]);
    assert_eq!(seen.world().snat_entries, []);
    let cloud = cloud.failing("GetRole", "EntityNotExist.Role");
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.world().nat_role, Some(Role::Missing));
}

#[test]
fn a_security_group_that_is_gone_is_looked_for_in_the_vpc() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .without("DescribeSecurityGroups")
        .with(
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": "sg-2", "SecurityGroupName": format!("{NS}-sg"), "VpcId": "vpc-1" }),
        )
        .with(
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": "sg-3", "SecurityGroupName": format!("{NS}-sg-2"), "VpcId": "vpc-1" }),
        )
        .with(
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": "sg-4", "SecurityGroupName": format!("{NS}-sg"), "VpcId": "vpc-1",
                    "Tags": { "Tag": [{ "TagKey": "kubernetes.io/cluster/another", "TagValue": "1" }] } }),
        );
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.calls()[1..], [["DescribeSecurityGroups"], ["DescribeSecurityGroupAttribute"]]);
    let ids: Vec<_> = seen.world().security_groups.iter().map(|group| group.id.as_str()).collect();
    assert_eq!(ids, ["sg-2"], "one with another name or of another Shoot is none of ours");
}

fn existing() -> Value {
    json!({ "id": "vpc-9" })
}

fn existing_cloud() -> Cloud {
    Cloud::new()
        .with("DescribeVpcs", json!({ "VpcId": "vpc-9", "CidrBlock": "10.250.0.0/16", "Status": "Available" }))
        .with_children("vpc-9", &["a"])
        .with(
            "DescribeNatGateways",
            json!({ "NatGatewayId": "ngw-1", "VpcId": "vpc-9", "Name": "mine", "SnatTableIds": { "SnatTableId": ["stb-1"] },
                    "Tags": { "Tag": [] } }),
        )
}

#[test]
fn a_nat_gateway_of_the_persons_needs_neither_zones_nor_role() {
    let mut state = recorded(&["a"]);
    state["VPC"] = json!("vpc-9");
    let seen = look(&existing_cloud(), request("reconcile", &existing(), &["a"], &state));
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
    let cold = look(&existing_cloud(), request("reconcile", &existing(), &["a"], &json!({})));
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
    let seen = look(&cloud, request("reconcile", &existing(), &["a"], &state));
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
    let seen = look(&cloud, document.clone());
    assert_eq!(seen.rounds.iter().map(Vec::len).collect::<Vec<_>>(), [10]);
    let hops: Vec<_> = seen.world().route_entries.iter().map(|entry| entry.next_hop.as_str()).collect();
    assert_eq!(hops, ["ngw-1", "ipv6gw-1"]);

    document["request"]["infrastructure"]["spec"]["providerConfig"]["dualStack"] = json!({ "enabled": true });
    assert_eq!(look(&cloud, document.clone()).rounds.iter().map(Vec::len).collect::<Vec<_>>(), [11]);

    document["state"]["RouteTable"] = json!("vtb-9");
    let seen = look(&cloud, document.clone());
    assert_eq!(seen.calls()[1..], [["DescribeRouteTableList"], ["DescribeRouteEntryList"]]);
    assert_eq!(seen.world().route_tables.len(), 1, "a table of somebody else's is left out");

    // Without the setting, a table that is recorded is told of, and no more.
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &state));
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
    let seen = look(&Cloud::made(&zones), document);
    let asked: Vec<_> = seen.rounds.iter().flatten().filter(|id| id.contains("DescribeEip")).collect();
    assert_eq!(asked, ["vpc/DescribeEipAddresses/cn-shanghai/AllocationId=eip-a,eip-former,eip-own"]);
}

#[test]
fn many_ids_are_asked_for_in_parts() {
    let names: Vec<String> = (0..60).map(|index| format!("z{index:02}")).collect();
    let zones: Vec<&str> = names.iter().map(String::as_str).collect();
    let seen = look(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &recorded(&zones)));
    let asked = seen.rounds.iter().flatten().filter(|id| id.contains("DescribeEip")).count();
    assert_eq!((asked, seen.world().eips.len()), (2, 60));
}

#[test]
fn a_delete_looks_for_what_is_left_and_not_for_rules() {
    let zones = ["a"];
    let seen = look(&Cloud::made(&zones), request("delete", &managed(), &zones, &recorded(&zones)));
    assert_eq!(
        seen.calls(),
        [[
            "DescribeVpcs",
            "DescribeVSwitches",
            "DescribeNatGateways",
            "DescribeSnatTableEntries",
            "DescribeEipAddresses",
            "DescribeEipAddresses",
            "DescribeSecurityGroups",
            "DescribeLoadBalancers",
            "ListLoadBalancers",
        ]]
    );
    assert_eq!(seen.world().security_groups[0].rules, None);
    assert_eq!(seen.world().nat_zones, None);

    let mut state = recorded(&["a"]);
    state["VPC"] = json!("vpc-9");
    let seen = look(&existing_cloud(), request("delete", &existing(), &["a"], &state));
    assert!(!seen.calls().concat().contains(&"DescribeVpcs"), "a VPC of the person's stays, whatever it is");

    let gone = json!({ "VPC": "<deleted>", "NatGateway": "<deleted>", "NodesSecurityGroup": "<deleted>" });
    let seen = look(&Cloud::new(), request("delete", &managed(), &zones, &gone));
    assert_eq!(
        seen.calls(),
        [["DescribeVpcs", "DescribeEipAddresses", "DescribeLoadBalancers", "ListLoadBalancers"]]
    );
}

#[test]
fn load_balancers_are_told_apart_by_their_cluster() {
    let slb = |id: &str, tags: Value| {
        (
            "DescribeLoadBalancers",
            json!({ "LoadBalancerId": id, "LoadBalancerName": id, "DeleteProtection": "on", "Tags": tags }),
        )
    };
    let cluster = |name: &str| json!({ "Tag": [{ "TagKey": "ack.aliyun.com", "TagValue": name }] });
    let group = |id: &str, name: &str| {
        ("DescribeVServerGroups", json!({ "LoadBalancerId": id, "VServerGroupName": name }))
    };
    let nlb = |id: &str, status: &str, name: &str| {
        (
            "ListLoadBalancers",
            json!({ "LoadBalancerId": id, "LoadBalancerStatus": status,
            "DeletionProtectionConfig": { "Enabled": true },
            "Tags": [{ "Key": "ack.aliyun.com", "Value": name }] }),
        )
    };
    let neighbour = format!("{NS}-2");
    let mut cloud = Cloud::new();
    for (action, entry) in [
        slb("lb-ours", cluster(NS)),
        slb("lb-neighbour", cluster(&neighbour)),
        slb("lb-old", json!({ "Tag": [] })),
        group("lb-old", &format!("k8s/80/web/default/{NS}")),
        slb("lb-old-neighbour", json!({})),
        group("lb-old-neighbour", &format!("k8s/80/web/default/{neighbour}")),
        slb("lb-other", json!({})),
        nlb("nlb-ours", "Active", NS),
        nlb("nlb-going", "Deleting", NS),
        nlb("nlb-neighbour", "Active", &neighbour),
    ] {
        cloud = cloud.with(action, entry);
    }
    let seen = look(&cloud, request("delete", &managed(), &["a"], &json!({})));
    assert_eq!(seen.calls()[1], ["DescribeVServerGroups"; 3], "those without a tag are asked for their groups");
    let found: Vec<_> =
        seen.world().load_balancers.iter().map(|found| (found.kind, found.id.as_str(), found.protected)).collect();
    let expected = [
        (LoadBalancerKind::Slb, "lb-ours", true),
        (LoadBalancerKind::Slb, "lb-old", true),
        (LoadBalancerKind::Nlb, "nlb-ours", true),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_migration_asks_nothing() {
    let seen = look(&Cloud::made(&["a"]), request("migrate", &managed(), &["a"], &recorded(&["a"])));
    assert_eq!(seen.rounds, Vec::<Vec<String>>::new());
    assert_eq!(seen.world().vpc, None);
}

#[test]
fn a_restore_asks_what_a_reconcile_asks() {
    let seen = look(&Cloud::made(&["a"]), request("restore", &managed(), &["a"], &recorded(&["a"])));
    assert_eq!(seen.calls(), [COMPLETE]);
}

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
                let cloud = cloud.beside(&others());
                let told = look(&cloud, document.clone());
                let told_all = look(&cloud.ignoring_filters(), document);
                assert_eq!(told_all.world(), told.world(), "{operation} with {state}");
                assert_eq!(told_all.rounds, told.rounds, "{operation} with {state}");
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
    assert_eq!(look_once(&document).unwrap_err(), RequestError::Fact { query: query.to_owned(), problem });
}

fn with_workers(encrypted: bool, share: bool) -> Value {
    let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    document["request"]["cluster"] = json!({
        "cloudProfile": { "spec": { "machineImages": [], "machineTypes": [{ "name": "ecs.g6.large" }], "providerConfig": {
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "CloudProfileConfig",
            "machineImages": [{ "name": "gardenlinux", "versions": [
                { "version": "1.0.0", "regions": [{ "name": "cn-shanghai", "id": "m-1" }] }
            ] }]
        } } },
        "shoot": { "spec": { "region": "cn-shanghai", "provider": { "workers": [
            { "name": "w", "machine": { "type": "ecs.g6.large", "image": { "name": "gardenlinux", "version": "1.0.0" } },
              "volume": { "size": "20Gi", "encrypted": encrypted } }
        ] } } }
    });
    if share {
        document["request"]["configuration"] = json!({ "toBeSharedImageIDs": ["m-1"] });
    }
    document
}

#[test]
fn images_are_asked_for_where_they_are_shared_or_copied() {
    let cloud = Cloud::made(&["a"])
        .with("DescribeImages", json!({ "ImageId": "m-1", "ImageOwnerAlias": "others" }))
        .with("ListStacks", json!({ "StackName": "encrypt_image_gardenlinux_1-0-0_cn-shanghai_m-1", "StackId": "s-1", "Status": "CREATE_COMPLETE" }))
        .with("ListStacks", json!({ "StackName": "encrypt_image_gardenlinux_1-0-0_cn-shanghai_m-1", "StackId": "s-0", "Status": "DELETE_COMPLETE" }));
    assert_eq!(look(&cloud, with_workers(false, false)).calls(), [COMPLETE]);
    let seen = look(&cloud, with_workers(false, true));
    assert_eq!(seen.calls()[0][8..], ["DescribeImages"]);
    assert_eq!(seen.world().account, "1000000000000001");
    assert!(seen.world().images[0].visible);
    let seen = look(&cloud, with_workers(true, false));
    assert_eq!(seen.calls()[0][8..], ["DescribeImages", "ListStacks"]);
    assert_eq!(seen.world().images[0].owner, "others");
    assert_eq!(seen.world().stacks.iter().map(|stack| stack.id.as_str()).collect::<Vec<_>>(), ["s-1"]);
    let seen = look(&Cloud::made(&["a"]), with_workers(true, true));
    assert!(!seen.world().images[0].visible);
}

#[test]
fn instances_with_the_legacy_key_pair_are_asked_for() {
    let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    document["request"]["infrastructure"]["status"] = json!({ "providerStatus": { "keyPairName": "old" } });
    let cloud =
        Cloud::made(&["a"]).with("DescribeInstances", json!({ "InstanceId": "i-1", "KeyPairName": "old" }));
    assert_eq!(look(&cloud, document).world().key_pair_instances, ["i-1"]);
}

#[test]
fn what_cannot_be_read_is_told_with_codes() {
    let mut dual_stack = request("reconcile", &existing(), &["a"], &json!({}));
    dual_stack["request"]["infrastructure"]["spec"]["providerConfig"]["dualStack"] = json!({ "enabled": true });
    let mut own_eip = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    own_eip["request"]["infrastructure"]["spec"]["providerConfig"]["networks"]["zones"][0]["natGateway"] =
        json!({ "eipAllocationID": "eip-own" });
    let cold = request("reconcile", &existing(), &["a"], &json!({}));
    let made = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    let delete = request("delete", &existing(), &["a"], &recorded(&["a"]));
    let untold =
        existing_cloud().with("DescribeNatGateways", json!({ "NatGatewayId": "ngw-2", "VpcId": "vpc-9" }));
    for (cloud, action, code, document, rule, field, words) in [
        (
            existing_cloud(),
            "DescribeVpcs",
            "Throttling.User",
            &cold,
            "ALI-ICV-004",
            "networks.vpc.id",
            "validateVPC GetVpc vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeNatGateways",
            "Throttling.User",
            &cold,
            "ALI-ICV-006",
            "networks.vpc.id",
            "validateVPC FindNatGatewayByVPC vpc-9 failed",
        ),
        (
            untold,
            "ListTagResources",
            "Throttling.User",
            &cold,
            "ALI-ICV-007",
            "networks.vpc.id",
            "validateVPC GetNatGatewayTags vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeIpv6Gateways",
            "Throttling.User",
            &dual_stack,
            "ALI-ICV-012",
            "networks.vpc.id",
            "validateVpcIPv6 FindIpv6GatewayByVPC vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeVSwitches",
            "Throttling.User",
            &cold,
            "ALI-ICV-014",
            "networks.vpc.id",
            "FindVSwitchesByVPC vpc-9 failed",
        ),
        (
            Cloud::made(&["a"]),
            "ListEnhanhcedNatGatewayAvailableZones",
            "Throttling.User",
            &made,
            "ALI-ICV-017",
            "",
            "list natgateway availableZones failed",
        ),
        (
            Cloud::made(&["a"]),
            "DescribeEipAddresses",
            "Throttling.User",
            &own_eip,
            "ALI-ICV-019",
            "networks.zones[].natGateway.eipAllocationID",
            "validateEIP GetEIP eip-own failed",
        ),
        (
            Cloud::made(&["a"]),
            "DescribeVpcs",
            "Throttling.User",
            &made,
            "ALI-PLAN-001",
            "",
            "vpc DescribeVpcs failed",
        ),
        (
            existing_cloud(),
            "DescribeNatGateways",
            "Throttling.User",
            &delete,
            "ALI-PLAN-001",
            "",
            "vpc DescribeNatGateways failed",
        ),
    ] {
        let seen = look(&cloud.failing(action, code), document.clone());
        let detail = format!("{words}: {code}: the cloud says no");
        assert_eq!(seen.errors(), (vec![(rule, field, detail.as_str())], vec!["ERR_INFRA_RATE_LIMITS_EXCEEDED"]));
    }
}

#[test]
fn credentials_that_cannot_be_used_are_told_of_once() {
    let cold = request("reconcile", &existing(), &["a"], &json!({}));
    for (code, rule, words) in [
        ("CredentialsUnavailable", "ALI-ICV-002", "could not get Alicloud credentials: the cloud says no"),
        ("ClientUnavailable", "ALI-ICV-003", "create aliclient actor failed: the cloud says no"),
    ] {
        let seen = look(&Cloud::new().failing("DescribeVpcs", code).failing("GetRole", code), cold.clone());
        assert_eq!(seen.errors(), (vec![(rule, "", words)], vec![]), "it is told once");
    }
}

#[test]
fn answers_of_another_shape_are_refused() {
    let document = |response: Value| {
        let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
        document["facts"] = json!([
            { "query": "vpc/DescribeVSwitches/cn-shanghai/VpcId=vpc-1", "answer": { "response": response } }
        ]);
        document
    };
    for (response, problem) in [
        (json!({}), "lacks the list of the API in its response"),
        (json!({ "VSwitches": [] }), "lacks the list of the API in its response"),
        (
            json!({ "VSwitches": { "VSwitch": [{}] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": ["vsw-1"] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1" }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1", "VpcId": "vpc-1", "Tags": { "Tag": [1] } }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1", "VpcId": "vpc-1", "CidrBlock": {} }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "TotalCount": 2, "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1" }] } }),
            "has fewer entries than `TotalCount` says; the entries of all pages belong together",
        ),
    ] {
        let query = "vpc/DescribeVSwitches/cn-shanghai/VpcId=vpc-1".to_owned();
        assert_eq!(look_once(&document(response)).unwrap_err(), RequestError::Fact { query, problem });
    }
    let good = json!({ "TotalCount": 1, "VSwitches": { "VSwitch": [
        { "VSwitchId": "vsw-1", "VpcId": "vpc-1", "Tags": null, "CidrBlock": null }
    ] } });
    assert!(look_once(&document(good)).is_ok());
}

#[test]
fn tags_are_read_in_both_spellings() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .without("DescribeVSwitches")
        .with("DescribeVSwitches", json!({ "VSwitchId": "vsw-a", "VpcId": "vpc-1", "Tags": long_tags("x") }));
    let seen = look(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    let expected = [("Name".to_owned(), "x".to_owned()), (format!("kubernetes.io/cluster/{NS}"), "1".to_owned())];
    assert_eq!(seen.world().vswitches[0].tags, expected);
}
