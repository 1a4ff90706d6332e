use serde_json::{Value, json};

use super::{cloud, group, vpc};
use crate::settings::Settings;
use crate::testing::TestCloud;

/// A rule without its security group, next to or in `Permissions.1`.
const HTTPS: [(&str, &str); 3] = [("IpProtocol", "tcp"), ("PortRange", "443/443"), ("SourceCidrIp", "10.0.0.0/8")];

fn rules(cloud: &TestCloud, group: &str, parameters: &[(&str, &str)]) -> Vec<Value> {
    let mut all = vec![("SecurityGroupId", group)];
    all.extend(parameters);
    let answer = cloud.call("ecs", "DescribeSecurityGroupAttribute", &all);
    answer["Permissions"]["Permission"].as_array().unwrap().clone()
}

fn with<'a>(group: &'a str, rule: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut parameters = vec![("SecurityGroupId", group)];
    parameters.extend(rule);
    parameters
}

#[test]
fn rules_come_and_go_in_both_spellings() {
    let cloud = cloud(Settings::default());
    let group = group(&cloud, &vpc(&cloud));
    let permissions = [
        ("Permissions.1.Policy", "Accept"),
        ("Permissions.1.Priority", "1"),
        ("Permissions.1.IpProtocol", "TCP"),
        ("Permissions.1.SourceCidrIp", "0.0.0.0/0"),
        ("Permissions.1.PortRange", "30000/32767"),
        ("Permissions.2.IpProtocol", "all"),
        ("Permissions.2.SourceCidrIp", "100.96.0.0/11"),
        ("Permissions.2.PortRange", "-1/-1"),
        ("Permissions.2.Policy", "drop"),
        ("Permissions.2.Priority", "100"),
        ("Permissions.2.Description", "pods"),
    ];
    cloud.call("ecs", "AuthorizeSecurityGroup", &with(&group, &permissions));
    let old = [
        ("IpProtocol", "TCP"),
        ("PortRange", "22/22"),
        ("SourceCidrIp", "10.1.0.5"),
        ("DestCidrIp", "10.0.0.0/8"),
        ("Description", "workers"),
    ];
    cloud.call("ecs", "AuthorizeSecurityGroupEgress", &with(&group, &old));
    let found = rules(&cloud, &group, &[]);
    assert_eq!(found.len(), 3);
    let second = &found[1];
    for (field, value) in [
        ("Direction", "ingress"),
        ("IpProtocol", "ALL"),
        ("PortRange", "-1/-1"),
        ("SourceCidrIp", "100.96.0.0/11"),
        ("DestCidrIp", ""),
        ("Policy", "Drop"),
        ("Priority", "100"),
        ("NicType", "intranet"),
        ("Description", "pods"),
        ("CreateTime", "2026-01-02T03:05:05Z"),
    ] {
        assert_eq!(second[field], value, "{field}");
    }
    assert_eq!(rules(&cloud, &group, &[("Direction", "ingress")]), found[..2]);
    assert_eq!(rules(&cloud, &group, &[("Direction", "egress")]), found[2..]);

    let id = second["SecurityGroupRuleId"].as_str().unwrap();
    assert!(id.starts_with("sgr-"), "{id}");
    let by_id = with(&group, &[("SecurityGroupRuleId.1", id)]);
    assert_eq!(
        cloud.refused("ecs", "RevokeSecurityGroupEgress", &by_id),
        "InvalidSecurityGroupRule.RuleNotExist",
        "of the other direction"
    );
    cloud.call("ecs", "RevokeSecurityGroup", &by_id);
    assert_eq!(cloud.refused("ecs", "RevokeSecurityGroup", &by_id), "InvalidParam.SecurityGroupRuleId");
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &permissions[..5]));
    cloud.call("ecs", "RevokeSecurityGroupEgress", &with(&group, &old[..4]));
    assert_eq!(rules(&cloud, &group, &[]), Vec::<Value>::new());
}

#[test]
fn a_rule_twice_is_there_once_and_one_that_is_gone_may_go() {
    let cloud = cloud(Settings::default());
    let group = group(&cloud, &vpc(&cloud));
    for _ in 0..2 {
        cloud.call("ecs", "AuthorizeSecurityGroup", &with(&group, &HTTPS));
    }
    assert_eq!(rules(&cloud, &group, &[]).len(), 1);
    let other = [("IpProtocol", "TCP"), ("PortRange", "443/443"), ("SourceCidrIp", "10.0.0.0/9")];
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &other));
    let dropped = [HTTPS.as_slice(), &[("Policy", "drop")]].concat();
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &dropped));
    let later = [HTTPS.as_slice(), &[("Priority", "2")]].concat();
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &later));
    assert_eq!(rules(&cloud, &group, &[]).len(), 1);
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &HTTPS));
    cloud.call("ecs", "RevokeSecurityGroup", &with(&group, &HTTPS));
    assert_eq!(rules(&cloud, &group, &[]).len(), 0);
}

#[test]
fn a_block_counts_more_than_a_group() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let (nodes, bastion) = (group(&cloud, &vpc), group(&cloud, &vpc));
    let to_group =
        [("IpProtocol", "TCP"), ("PortRange", "22/22"), ("SourceCidrIp", "10.1.0.4"), ("DestGroupId", &nodes)];
    cloud.call("ecs", "AuthorizeSecurityGroupEgress", &with(&bastion, &to_group));
    let rule = &rules(&cloud, &bastion, &[])[0];
    assert_eq!(
        (&rule["DestGroupId"], &rule["SourceCidrIp"], &rule["SourceGroupId"]),
        (&json!(nodes), &json!("10.1.0.4"), &json!(""))
    );
    let both = [HTTPS.as_slice(), &[("SourceGroupId", bastion.as_str())]].concat();
    cloud.call("ecs", "AuthorizeSecurityGroup", &with(&nodes, &both));
    assert_eq!(rules(&cloud, &nodes, &[])[0]["SourceGroupId"], "");
}

#[test]
fn ports_are_such_as_the_protocol_has() {
    let cloud = cloud(Settings::default());
    let group = group(&cloud, &vpc(&cloud));
    for (protocol, ports, code) in [
        ("tcp", "1/65535", ""),
        ("udp", "53/53", ""),
        ("icmp", "-1/-1", ""),
        ("gre", "-1/-1", ""),
        ("all", "-1/-1", ""),
        ("tcp", "0/80", "OperationDenied"),
        ("tcp", "80/22", "OperationDenied"),
        ("tcp", "1/65536", "OperationDenied"),
        ("tcp", "-1/-1", "OperationDenied"),
        ("icmp", "8/0", "OperationDenied"),
        ("all", "1/65535", "OperationDenied"),
        ("tcp", "80", "InvalidIpProtocol.Malformed"),
        ("tcp", "a/b", "InvalidIpProtocol.Malformed"),
        ("sctp", "80/80", "InvalidIpProtocol.ValueNotSupported"),
    ] {
        let rule = [("IpProtocol", protocol), ("PortRange", ports), ("SourceCidrIp", "10.0.0.0/8")];
        let answer = cloud.try_call("ecs", "AuthorizeSecurityGroup", &with(&group, &rule));
        assert_eq!(answer.err().map_or("", |error| error.error.code), code, "{protocol} {ports}");
    }
}

#[test]
fn what_makes_no_rule_is_refused() {
    let cloud = cloud(Settings::default());
    let (vpc1, vpc2) = (vpc(&cloud), vpc(&cloud));
    let (group1, group2) = (group(&cloud, &vpc1), group(&cloud, &vpc2));
    let all = [("IpProtocol", "all"), ("PortRange", "-1/-1")];
    for (action, more, code) in [
        ("AuthorizeSecurityGroup", &[][..], "MissingParameter.Source"),
        ("AuthorizeSecurityGroupEgress", &[], "MissingParameter.Dest"),
        ("AuthorizeSecurityGroupEgress", &[("SourceCidrIp", "10.0.0.0/8")], "MissingParameter.Dest"),
        ("RevokeSecurityGroup", &[], "MissingParameter.Source"),
        ("RevokeSecurityGroupEgress", &[], "MissingParameter.Dest"),
        ("AuthorizeSecurityGroup", &[("SourceCidrIp", "10.0.0.1/8")], "InvalidSourceCidrIp.Malformed"),
        ("AuthorizeSecurityGroup", &[("DestCidrIp", "10")], "InvalidDestCidrIp.Malformed"),
        ("AuthorizeSecurityGroup", &[("Ipv6SourceCidrIp", "10.0.0.0/8")], "ILLEGAL_IPV6_CIDR"),
        (
            "AuthorizeSecurityGroup",
            &[("SourceCidrIp", "10.0.0.0/8"), ("Ipv6SourceCidrIp", "::/0")],
            "InvalidParam.Ipv6SourceCidrIp",
        ),
        ("AuthorizeSecurityGroup", &[("Policy", "allow")], "InvalidPolicy.Malformed"),
        ("AuthorizeSecurityGroup", &[("Priority", "0")], "InvalidPriority.ValueNotSupported"),
        ("AuthorizeSecurityGroup", &[("Priority", "101")], "InvalidPriority.ValueNotSupported"),
        ("AuthorizeSecurityGroup", &[("NicType", "radio")], "InvalidNicType.ValueNotSupported"),
        ("AuthorizeSecurityGroup", &[("SourceGroupId", "sg-none")], "InvalidSourceGroupId.NotFound"),
        ("AuthorizeSecurityGroup", &[("SourceGroupId", group1.as_str())], "InvalidParamter.Conflict"),
        ("AuthorizeSecurityGroup", &[("SourceGroupId", group2.as_str())], "InvalidSourceGroupId.Mismatch"),
        ("AuthorizeSecurityGroupEgress", &[("DestGroupId", "sg-none")], "InvalidDestGroupId.NotFound"),
        ("AuthorizeSecurityGroupEgress", &[("DestGroupId", group1.as_str())], "InvalidSecurityGroup.IsSame"),
        ("AuthorizeSecurityGroupEgress", &[("DestGroupId", group2.as_str())], "InvalidDestGroupId.Mismatch"),
        ("AuthorizeSecurityGroup", &[("DestGroupId", group2.as_str())], "InvalidParameter"),
        ("AuthorizeSecurityGroup", &[("Permissions.1.IpProtocol", "all")], "InvalidParameter"),
        ("RevokeSecurityGroup", &[("SecurityGroupRuleId.1", "sgr-1")], "InvalidParameter"),
    ] {
        let rule = [all.as_slice(), more].concat();
        assert_eq!(cloud.refused("ecs", action, &with(&group1, &rule)), code, "{action} {more:?}");
    }
    for (rule, code) in [
        (
            &[("IpProtocol", "icmp"), ("PortRange", "-1/-1"), ("Ipv6SourceCidrIp", "::/0")][..],
            "InvalidParam.Ipv4ProtocolConflictWithIpv6Address",
        ),
        (
            &[("IpProtocol", "icmpv6"), ("PortRange", "-1/-1"), ("SourceCidrIp", "0.0.0.0/0")],
            "InvalidParam.Ipv6ProtocolConflictWithIpv4Address",
        ),
        (&[("PortRange", "-1/-1"), ("SourceCidrIp", "0.0.0.0/0")], "MissingParameter"),
        (&[("IpProtocol", "all"), ("SourceCidrIp", "0.0.0.0/0")], "MissingParameter"),
        (&[], "MissingParameter"),
    ] {
        assert_eq!(cloud.refused("ecs", "AuthorizeSecurityGroup", &with(&group1, rule)), code, "{rule:?}");
    }
}

#[test]
fn rules_are_checked_alike_in_both_directions_when_they_come_and_when_they_go() {
    let cloud = cloud(Settings::default());
    let group = group(&cloud, &vpc(&cloud));
    let long = "x".repeat(513);
    let usual = [
        ("IpProtocol", "all"),
        ("PortRange", "-1/-1"),
        ("SourceCidrIp", "10.0.0.0/8"),
        ("DestCidrIp", "10.0.0.0/8"),
    ];
    let v6 = [("SourceCidrIp", ""), ("DestCidrIp", ""), ("Ipv6SourceCidrIp", "::/0"), ("Ipv6DestCidrIp", "::/0")];
    for (changes, code) in [
        (vec![("SecurityGroupId", "sg-none")], "InvalidSecurityGroupId.NotFound"),
        (vec![("IpProtocol", "sctp")], "InvalidIpProtocol.ValueNotSupported"),
        (vec![("PortRange", "80")], "InvalidIpProtocol.Malformed"),
        (vec![("PortRange", "1/80")], "OperationDenied"),
        (vec![("SourceCidrIp", "10")], "InvalidSourceCidrIp.Malformed"),
        (vec![("DestCidrIp", "10")], "InvalidDestCidrIp.Malformed"),
        (vec![("Ipv6DestCidrIp", "10.0.0.0/8")], "ILLEGAL_IPV6_CIDR"),
        (vec![("Ipv6DestCidrIp", "::/0")], "InvalidParam.Ipv6SourceCidrIp"),
        ([&v6[..], &[("IpProtocol", "icmp")]].concat(), "InvalidParam.Ipv4ProtocolConflictWithIpv6Address"),
        (vec![("IpProtocol", "icmpv6")], "InvalidParam.Ipv6ProtocolConflictWithIpv4Address"),
        (vec![("Policy", "allow")], "InvalidPolicy.Malformed"),
        (vec![("Priority", "0")], "InvalidPriority.ValueNotSupported"),
        (vec![("NicType", "radio")], "InvalidNicType.ValueNotSupported"),
        (vec![("Description", long.as_str())], "InvalidSecurityGroupDiscription.Malformed"),
    ] {
        for action in [
            "AuthorizeSecurityGroup",
            "AuthorizeSecurityGroupEgress",
            "RevokeSecurityGroup",
            "RevokeSecurityGroupEgress",
        ] {
            let mut rule = with(&group, &usual);
            rule.retain(|(name, _)| changes.iter().all(|(changed, _)| name != changed));
            rule.extend(&changes);
            assert_eq!(cloud.refused("ecs", action, &rule), code, "{action} {changes:?}");
        }
    }
}

#[test]
fn a_group_has_so_many_rules_and_a_call_a_hundred() {
    let settings = serde_json::from_value(json!({ "quotas": { "securityGroupRules": 100 } })).unwrap();
    let cloud = cloud(settings);
    let group = group(&cloud, &vpc(&cloud));
    let reported = |count: usize| -> Vec<(String, String)> {
        let rule = |n: usize| {
            [
                ("IpProtocol", "tcp".to_owned()),
                ("PortRange", format!("{n}/{n}")),
                ("SourceCidrIp", "10.0.0.0/8".to_owned()),
            ]
            .map(|(name, value)| (format!("Permissions.{n}.{name}"), value))
        };
        (1..=count).flat_map(rule).collect()
    };
    let call = |reported: &[(String, String)]| {
        let reported: Vec<_> = reported.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        cloud.try_call("ecs", "AuthorizeSecurityGroup", &with(&group, &reported))
    };
    assert_eq!(call(&reported(101)).unwrap_err().error.code, "InvalidParameter");
    call(&reported(100)).unwrap();
    call(&reported(100)).unwrap();
    let egress = [("IpProtocol", "all"), ("PortRange", "-1/-1"), ("DestCidrIp", "0.0.0.0/0")];
    let full = cloud.refused("ecs", "AuthorizeSecurityGroupEgress", &with(&group, &egress));
    assert_eq!(full, "AuthorizationLimitExceed");
    assert_eq!(cloud.refused("ecs", "AuthorizeSecurityGroup", &with(&group, &HTTPS)), full);

    let page = [("SecurityGroupId", group.as_str()), ("MaxResults", "60")];
    let page = cloud.call("ecs", "DescribeSecurityGroupAttribute", &page);
    let token = page["NextToken"].as_str().unwrap();
    assert_eq!(rules(&cloud, &group, &[("MaxResults", "60"), ("NextToken", token)]).len(), 40);
    let bad = with(&group, &[("NextToken", "x")]);
    assert_eq!(cloud.refused("ecs", "DescribeSecurityGroupAttribute", &bad), "InvalidParameter.NextToken");
}
