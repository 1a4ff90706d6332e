//! What is asked for each operation.

use super::*;

#[test]
fn a_delete_looks_for_what_is_left_and_not_for_rules() {
    let zones = ["a"];
    let seen = converse(&Cloud::made(&zones), request("delete", &managed(), &zones, &recorded(&zones)));
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
    let seen = converse(&existing_cloud(), request("delete", &existing(), &["a"], &state));
    assert!(!seen.calls().concat().contains(&"DescribeVpcs"), "a VPC of the person's stays, whatever it is");

    let gone = json!({ "VPC": "<deleted>", "NatGateway": "<deleted>", "NodesSecurityGroup": "<deleted>" });
    let seen = converse(&Cloud::new(), request("delete", &managed(), &zones, &gone));
    assert_eq!(
        seen.calls(),
        [["DescribeVpcs", "DescribeEipAddresses", "DescribeLoadBalancers", "ListLoadBalancers"]]
    );
}

#[test]
fn a_delete_distinguishes_the_security_groups_of_the_vpc() {
    let group = |id: &str, vpc: &str, name: &str, tags: Value| {
        (
            "DescribeSecurityGroups",
            json!({ "SecurityGroupId": id, "SecurityGroupName": name, "VpcId": vpc, "Tags": tags }),
        )
    };
    let mut cloud = Cloud::made(&["a"]);
    for (action, entry) in [
        group("sg-theirs", "vpc-1", "theirs", json!({})),
        group("sg-tagged", "vpc-1", "odd", long_tags("odd")),
        group("sg-elsewhere", "vpc-2", "theirs", json!({})),
    ] {
        cloud = cloud.with(action, entry);
    }
    let ids = |groups: &[SecurityGroup]| groups.iter().map(|group| group.id.clone()).collect::<Vec<_>>();
    for (operation, foreign) in [("delete", &["sg-theirs"][..]), ("reconcile", &[])] {
        let seen = converse(&cloud, request(operation, &managed(), &["a"], &json!({ "VPC": "vpc-1" })));
        assert_eq!(ids(&seen.world().security_groups), ["sg-1", "sg-tagged"], "{operation}");
        assert_eq!(ids(&seen.world().foreign_security_groups), foreign, "{operation}");
    }
}

#[test]
fn load_balancers_are_distinguished_by_their_cluster() {
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
    let seen = converse(&cloud, request("delete", &managed(), &["a"], &json!({})));
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
    let planned = planned(&request("migrate", &managed(), &["a"], &recorded(&["a"])));
    assert_eq!(planned.queries, []);
    assert_eq!(planned.plan.unwrap().changes, []);
}

#[test]
fn a_restore_asks_what_a_reconcile_asks() {
    let seen = converse(&Cloud::made(&["a"]), request("restore", &managed(), &["a"], &recorded(&["a"])));
    assert_eq!(seen.calls(), [COMPLETE]);
}
