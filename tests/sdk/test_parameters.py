"""Requests that do not keep the declaration."""

import pytest

from signed import Acs3, Rpc

SIGNED = pytest.mark.parametrize("signed", [Rpc(), Rpc(method="POST"), Acs3()], ids=["sha1-get", "sha1-post", "acs3"])
NETWORK = {"CidrBlock": "10.0.0.0/8"}


@SIGNED
def test_an_action_that_does_not_exist_is_said_to_be_missing(simulator, signed):
    for action in ["CreateVpcs", "createVpc", "RunInstances"]:
        answer = signed.request(simulator, action, {}).send(simulator)
        assert answer.outcome == ("InvalidAction.NotFound", 404), action


@SIGNED
def test_a_version_that_no_service_has_is_refused(simulator, signed):
    signed = type(signed)(**{**vars(signed), "version": "2016-04-29"})
    assert signed.request(simulator, "DescribeVpcs", {}).send(simulator).outcome == ("InvalidVersion", 400)


WRONG = {
    "unknown": ("CreateVpc", {**NETWORK, "Colour": "red"}, ("InvalidParameter", 400)),
    "unknown in a record": (
        "CreateVpc",
        {**NETWORK, "Tag.1.Key": "k", "Tag.1.Colour": "red"},
        ("InvalidParameter", 400),
    ),
    "of another case": ("CreateVpc", {"cidrBlock": "10.0.0.0/8"}, ("InvalidParameter", 400)),
    "no number": ("DescribeVpcs", {"PageSize": "ten"}, ("InvalidPageSize", 400)),
    "too large": ("DescribeVpcs", {"PageSize": "51"}, ("InvalidPageSize", 400)),
    "too small": ("DescribeVpcs", {"PageNumber": "0"}, ("InvalidPageNumber", 400)),
    "no truth": ("CreateVpc", {**NETWORK, "EnableIpv6": "maybe"}, ("InvalidEnableIpv6", 400)),
    "a tag without a key": ("CreateVpc", {**NETWORK, "Tag.1.Value": "v"}, None),
    "a region that does not exist": ("DescribeVpcs", {"RegionId": "mars-1"}, ("InvalidRegionId.NotFound", 404)),
}


@SIGNED
@pytest.mark.parametrize(("action", "parameters", "outcome"), WRONG.values(), ids=WRONG.keys())
def test_a_parameter_that_is_wrong_is_refused(simulator, signed, action, parameters, outcome):
    answer = signed.request(simulator, action, parameters).send(simulator)
    assert answer.status == 400 if outcome is None else answer.outcome == outcome, answer.body
    assert "vpc-" not in str(simulator.inventory())


REQUIRED = [
    ("vpc", "DeleteVpc", {}, "VpcId"),
    ("vpc", "CreateVSwitch", {"CidrBlock": "10.0.0.0/24", "VpcId": "vpc-1"}, "ZoneId"),
    ("vpc", "CreateNatGateway", {"NatType": "Enhanced"}, "VpcId"),
    ("vpc", "DeleteSnatEntry", {"SnatTableId": "stb-1"}, "SnatEntryId"),
    ("ecs", "DeleteSecurityGroup", {}, "SecurityGroupId"),
    ("nlb", "DeleteLoadBalancer", {}, "LoadBalancerId"),
    ("slb", "DeleteLoadBalancer", {}, "LoadBalancerId"),
    ("sts", "AssumeRole", {"RoleSessionName": "s"}, "RoleArn"),
    ("alidns", "AddDomain", {}, "DomainName"),
    ("ros", "GetStack", {}, "StackId"),
]


@pytest.mark.parametrize(("service", "action", "parameters", "missing"), REQUIRED, ids=lambda value: str(value))
def test_a_required_parameter_may_not_be_missing(cloud, service, action, parameters, missing):
    with pytest.raises(cloud.client.Error) as caught:
        cloud.call(service, action, parameters)
    code, status = cloud.client.outcome(caught.value)
    assert 400 <= status < 500
    assert "Missing" in code or "Invalid" in code or missing in str(caught.value), code
    assert missing.lower() in (code + str(caught.value)).lower()


def test_an_error_says_what_is_known_of_it(cloud):
    with pytest.raises(cloud.client.Error) as caught:
        cloud.vpc("DeleteVpc", VpcId="vpc-nobody")
    assert cloud.client.outcome(caught.value) == ("InvalidVpcId.NotFound", 404)
    assert caught.value.request_id
    assert "VPC" in str(caught.value.message)


def test_text_arrives_as_it_was_sent(cloud):
    for text in ["ä ö ü", "a+b c", "*~!'()", "%20%2B", "a&b=c", "网络", "<x>&amp;"]:
        vpc = cloud.vpc("CreateVpc", Description=text, **NETWORK)["VpcId"]
        row = cloud.vpc("DescribeVpcs", VpcId=vpc)["Vpcs"]["Vpc"][0]
        assert row["Description"] == text
