"""Security groups and their rules."""

import pytest


def rules(cloud, group, **more):
    """The rules of a group as tuples."""
    answer = cloud.ecs("DescribeSecurityGroupAttribute", SecurityGroupId=group, **more)
    return answer["Permissions"]["Permission"]


def told(rule, *names):
    return tuple(str(rule[name]) for name in names)


RULE = ("Direction", "IpProtocol", "PortRange", "SourceCidrIp", "Policy", "Priority")


@pytest.fixture
def group(make):
    return make.security_group(make.vpc())


def test_rules_of_both_styles_are_the_same(cloud, group):
    cloud.ecs(
        "AuthorizeSecurityGroup",
        SecurityGroupId=group,
        IpProtocol="TCP",
        PortRange="22/22",
        SourceCidrIp="10.0.0.0/8",
        Description="ssh",
    )
    many = [
        {
            "IpProtocol": "UDP",
            "PortRange": "1/65535",
            "SourceCidrIp": "10.0.0.0/8",
            "Policy": "accept",
            "Priority": "1",
        },
        {"IpProtocol": "ALL", "PortRange": "-1/-1", "SourceCidrIp": "100.96.0.0/11", "Policy": "Drop", "Priority": "7"},
    ]
    cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, Permissions=many)
    found = {told(rule, *RULE) for rule in rules(cloud, group, Direction="ingress")}
    assert found == {
        ("ingress", "TCP", "22/22", "10.0.0.0/8", "Accept", "1"),
        ("ingress", "UDP", "1/65535", "10.0.0.0/8", "Accept", "1"),
        ("ingress", "ALL", "-1/-1", "100.96.0.0/11", "Drop", "7"),
    }


def test_rules_have_a_direction(cloud, group):
    rule = {"IpProtocol": "TCP", "PortRange": "443/443"}
    cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, SourceCidrIp="0.0.0.0/0", **rule)
    cloud.ecs("AuthorizeSecurityGroupEgress", SecurityGroupId=group, DestCidrIp="192.0.2.0/24", **rule)
    assert [rule["SourceCidrIp"] for rule in rules(cloud, group, Direction="ingress")] == ["0.0.0.0/0"]
    assert [rule["DestCidrIp"] for rule in rules(cloud, group, Direction="egress")] == ["192.0.2.0/24"]
    assert len(rules(cloud, group)) == 2
    cloud.ecs("RevokeSecurityGroupEgress", SecurityGroupId=group, DestCidrIp="192.0.2.0/24", **rule)
    assert [rule["Direction"] for rule in rules(cloud, group)] == ["ingress"]


def test_a_rule_that_is_there_is_not_added_twice(cloud, group):
    rule = {"IpProtocol": "TCP", "PortRange": "22/22", "SourceCidrIp": "10.0.0.0/8"}
    for _ in range(2):
        cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, Permissions=[rule])
    assert len(rules(cloud, group)) == 1


def test_rules_go_by_their_id_or_by_what_they_say(cloud, group):
    ssh = {"IpProtocol": "TCP", "PortRange": "22/22", "SourceCidrIp": "10.0.0.0/8"}
    dns = {"IpProtocol": "UDP", "PortRange": "53/53", "SourceCidrIp": "10.0.0.0/8"}
    web = {"IpProtocol": "TCP", "PortRange": "443/443", "SourceCidrIp": "10.0.0.0/8"}
    cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, Permissions=[ssh, dns, web])
    cloud.ecs("RevokeSecurityGroup", SecurityGroupId=group, **ssh)
    cloud.ecs("RevokeSecurityGroup", SecurityGroupId=group, Permissions=[dns])
    last = rules(cloud, group)
    assert [rule["PortRange"] for rule in last] == ["443/443"]
    cloud.ecs("RevokeSecurityGroup", SecurityGroupId=group, SecurityGroupRuleId=[last[0]["SecurityGroupRuleId"]])
    assert rules(cloud, group) == []


def test_a_hundred_rules_go_in_one_call(cloud, group):
    many = [
        {"IpProtocol": "TCP", "PortRange": f"{port}/{port}", "SourceCidrIp": "10.0.0.0/8"} for port in range(1000, 1100)
    ]
    cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, Permissions=many)
    seen, more = [], {}
    while more is not None:
        page = cloud.ecs("DescribeSecurityGroupAttribute", SecurityGroupId=group, MaxResults=40, **more)
        seen += [rule["PortRange"] for rule in page["Permissions"]["Permission"]]
        more = {"NextToken": page["NextToken"]} if page.get("NextToken") else None
    assert sorted(seen) == sorted(rule["PortRange"] for rule in many)


WRONG = {
    "ports the wrong way round": {"PortRange": "23/22"},
    "no ports": {"PortRange": "-1/-1"},
    "no protocol": {"IpProtocol": "SMTP"},
    "no block": {"SourceCidrIp": "10.0.0.0/33"},
    "no priority": {"Priority": "101"},
    "no policy": {"Policy": "maybe"},
    "nowhere": {"SourceCidrIp": None},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_rule_that_makes_no_sense_is_refused(cloud, group, wrong):
    rule = {"IpProtocol": "TCP", "PortRange": "22/22", "SourceCidrIp": "10.0.0.0/8", **wrong}
    rule = {name: value for name, value in rule.items() if value is not None}
    for parameters in [rule, {"Permissions": [rule]}]:
        with pytest.raises(cloud.client.Error) as caught:
            cloud.ecs("AuthorizeSecurityGroup", SecurityGroupId=group, **parameters)
        assert cloud.client.outcome(caught.value)[1] in (400, 403)
    assert rules(cloud, group) == []


def test_groups_can_be_named_by_json(cloud, make):
    vpc = make.vpc()
    groups = [make.security_group(vpc) for _ in range(3)]
    wanted = f'["{groups[0]}","{groups[2]}"]'
    rows = cloud.ecs("DescribeSecurityGroups", SecurityGroupIds=wanted)["SecurityGroups"]["SecurityGroup"]
    assert {row["SecurityGroupId"] for row in rows} == {groups[0], groups[2]}
