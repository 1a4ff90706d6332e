//! What is asked of a network that is managed.

use super::*;

#[test]
fn a_complete_state_is_checked_by_eight_queries_side_by_side() {
    for zones in [&["a"][..], &["a", "b", "c"]] {
        let seen = converse(&Cloud::made(zones), request("reconcile", &managed(), zones, &recorded(zones)));
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
        converse(&Cloud::made(&["a", "b"]), request("reconcile", &managed(), &["a", "b"], &recorded(&["a", "b"])));
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
    let Ok(Observed::Queries(queries)) = observed(&document) else { panic!("nothing is known yet") };
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
fn before_anything_is_made_four_queries_are_enough() {
    let cold = converse(&Cloud::new(), request("reconcile", &managed(), &["a", "b", "c"], &json!({})));
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
    let seen = converse(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &json!({})));
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
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
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
fn what_is_not_recorded_is_asked_for_next_to_the_rest() {
    let zones = ["a", "b"];
    let mut state = recorded(&zones);
    state.as_object_mut().unwrap().remove("Zones/b/NATGatewayElasticIP");
    let seen = converse(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &state));
    assert_eq!(seen.rounds.len(), 1);
    assert_eq!(seen.rounds[0].len(), 9);
    assert_eq!(seen.world().eips.len(), 2, "the one that both queries show is there once");
    state["NodesSecurityGroup"] = json!("<deleted>");
    state["NatGateway"] = json!("<deleted>");
    let seen = converse(&Cloud::made(&zones), request("reconcile", &managed(), &zones, &state));
    assert_eq!(seen.world().security_groups.len(), 1, "it is found by its tags");
    assert_eq!(seen.world().snat_entries.len(), 2);
}

#[test]
fn a_nat_gateway_that_is_gone_needs_its_role() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .without("DescribeNatGateways")
        .failing("DescribeSnatTableEntries", "InvalidSnatTableId.NotFound");
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.calls()[1..], [["GetRole"]]);
    assert_eq!(seen.world().snat_entries, []);
    let cloud = cloud.failing("GetRole", "EntityNotExist.Role");
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
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
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    assert_eq!(seen.calls()[1..], [["DescribeSecurityGroups"], ["DescribeSecurityGroupAttribute"]]);
    let ids: Vec<_> = seen.world().security_groups.iter().map(|group| group.id.as_str()).collect();
    assert_eq!(ids, ["sg-2"], "one with another name or of another Shoot is none of ours");
}
