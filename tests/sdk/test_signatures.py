"""Who may call: what is tampered with, stale, replayed or not allowed is refused as the cloud refuses it."""

import hashlib
from dataclasses import replace

import pytest

from signed import Acs3, Rpc, timestamp
from simulator import DISABLED_KEY, KEY, OTHER_KEY, READER_KEY, Key

NETWORK = {"VpcName": "net", "CidrBlock": "10.0.0.0/8"}
MISMATCH = ("SignatureDoesNotMatch", 400)
FORM = b"Description=from+the+form"


def rpc(simulator, **more):
    return Rpc(**more).request(simulator, "CreateVpc", NETWORK)


def acs3(simulator, **more):
    return Acs3(**more).request(simulator, "CreateVpc", NETWORK)


def refused(simulator, request, outcome):
    """Asserts that a request is refused so, and that nothing came of it."""
    assert request.send(simulator).outcome == outcome
    assert "vpc-" not in str(simulator.inventory())


@pytest.mark.parametrize(
    "request_of",
    [rpc, lambda s: rpc(s, method="POST"), acs3, lambda s: acs3(s, method="GET"), lambda s: acs3(s, body=FORM)],
    ids=["sha1-query", "sha1-form", "acs3-post", "acs3-get", "acs3-form"],
)
def test_what_is_signed_by_hand_is_believed(simulator, request_of):
    answer = request_of(simulator).send(simulator)
    assert answer.status == 200, answer.body
    assert answer.json["VpcId"].startswith("vpc-")
    assert answer.headers["x-acs-request-id"] == answer.json["RequestId"]


TAMPERED = {
    "sha1 a value": lambda s: rpc(s).changed(query={"CidrBlock": "10.0.0.0/9"}),
    "sha1 another parameter": lambda s: rpc(s).changed(query={"Description": "more"}),
    "sha1 the action": lambda s: rpc(s).changed(query={"Action": "DescribeVpcs"}),
    "sha1 the method": lambda s: rpc(s).changed(method="POST"),
    "sha1 the form": lambda s: (lambda r: r.changed(body=r.body.replace(b"net", b"not")))(rpc(s, method="POST")),
    "sha1 the signature": lambda s: rpc(s).changed(query={"Signature": "bm8="}),
    "acs3 a value": lambda s: acs3(s).changed(query={"CidrBlock": "10.0.0.0/9"}),
    "acs3 another parameter": lambda s: acs3(s).changed(query={"Description": "more"}),
    "acs3 a header": lambda s: acs3(s).changed(headers={"x-acs-action": "DescribeVpcs"}),
    "acs3 the host": lambda s: acs3(s).changed(headers={"host": "vpc.aliyuncs.com"}),
    "acs3 the path": lambda s: acs3(s).changed(path="/elsewhere"),
    "acs3 the method": lambda s: acs3(s).changed(method="GET"),
}


@pytest.mark.parametrize("request_of", TAMPERED.values(), ids=TAMPERED.keys())
def test_a_request_that_was_tampered_with_does_not_match(simulator, request_of):
    refused(simulator, request_of(simulator), MISMATCH)


def test_a_body_that_is_not_the_one_of_its_hash_is_refused(simulator):
    request = acs3(simulator, body=FORM).changed(body=FORM + b"s")
    answer = request.send(simulator)
    assert answer.status == 400, answer.body
    # With a header for the other body the signature does not match.
    digest = hashlib.sha256(FORM + b"s").hexdigest()
    refused(simulator, request.changed(headers={"x-acs-content-sha256": digest}), MISMATCH)


@pytest.mark.parametrize("minutes", [-16, 16])
@pytest.mark.parametrize("generation", ["sha1", "acs3"])
def test_a_time_that_is_more_than_15_minutes_away_is_expired(simulator, generation, minutes):
    time = timestamp(minutes)
    request = (
        rpc(simulator, more={"Timestamp": time}) if generation == "sha1" else acs3(simulator, more={"x-acs-date": time})
    )
    refused(simulator, request, ("InvalidTimeStamp.Expired", 400))


@pytest.mark.parametrize("minutes", [-14, 14])
def test_a_time_that_is_less_than_15_minutes_away_is_good(simulator, minutes):
    time = timestamp(minutes)
    for request in [rpc(simulator, more={"Timestamp": time}), acs3(simulator, more={"x-acs-date": time})]:
        assert request.send(simulator).status == 200


@pytest.mark.parametrize("generation", [rpc, acs3])
def test_a_request_that_was_sent_before_is_refused(simulator, generation):
    request = generation(simulator)
    assert request.send(simulator).status == 200
    assert request.send(simulator).outcome == ("SignatureNonceUsed", 400)


MISSING = {
    "AccessKeyId": ("MissingAccessKeyId", 400),
    "SignatureNonce": ("MissingSignatureNonce", 400),
    "SignatureMethod": ("MissingSignatureMethod", 400),
    "SignatureVersion": ("MissingSignatureVersion", 400),
    "Timestamp": ("MissingTimestamp", 400),
    "Version": ("MissingVersion", 400),
    "Action": ("MissingAction", 400),
}


@pytest.mark.parametrize("name", MISSING)
def test_what_belongs_to_a_signature_may_not_be_missing(simulator, name):
    refused(simulator, rpc(simulator, more={name: None}), MISSING[name])


def test_a_time_of_another_form_is_refused(simulator):
    for time in ["2026-01-02 03:04:05", "now"]:
        refused(simulator, rpc(simulator, more={"Timestamp": time}), ("InvalidTimeStamp.Format", 400))


def test_other_algorithms_are_refused(simulator):
    refused(simulator, rpc(simulator, more={"SignatureMethod": "HMAC-MD5"}), ("InvalidSignatureMethod", 400))


KEYS = {
    "unknown": (Key("LTAI5tNobody", KEY.secret), ("InvalidAccessKeyId.NotFound", 404)),
    "disabled": (DISABLED_KEY, ("InvalidAccessKeyId.Inactive", 400)),
    "wrong secret": (replace(KEY, secret="wrong"), None),
    "a token that is not its own": (replace(KEY, token="made-up"), ("InvalidSecurityToken.MismatchWithAccessKey", 400)),
}


@pytest.mark.parametrize(("key", "outcome"), KEYS.values(), ids=KEYS.keys())
def test_credentials_that_are_not_good_are_refused(cloud, key, outcome):
    other = cloud.another(key=key)
    if outcome:
        with other.refuses(*outcome):
            other.vpc("DescribeVpcs")
        return
    with pytest.raises(other.client.Error) as caught:
        other.vpc("DescribeVpcs")
    # The older SDK compares its own string to sign with that of the server, and says what it thinks of it.
    code, status = other.client.outcome(caught.value)
    assert status == 400 and code in ("SignatureDoesNotMatch", "InvalidAccessKeySecret"), code


def test_a_user_may_do_what_is_allowed_and_nothing_else(cloud):
    reader = cloud.another(key=READER_KEY)
    owner = cloud.another(key=OTHER_KEY)
    vpc = owner.vpc("CreateVpc", **NETWORK)["VpcId"]
    assert reader.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1
    with reader.refuses("Forbidden.RAM", 403):
        reader.vpc("DeleteVpc", VpcId=vpc)
    with reader.refuses("NoPermission", 403):
        reader.ram("CreateRole", RoleName="r", AssumeRolePolicyDocument="{}")
    assert owner.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1


def test_nothing_secret_is_told(cloud):
    with pytest.raises(cloud.client.Error) as caught:
        cloud.another(key=replace(OTHER_KEY, secret="wrong")).vpc("DescribeVpcs")
    told = str(caught.value) + str(cloud.simulator.calls()) + str(cloud.simulator.inventory())
    assert OTHER_KEY.secret not in told and KEY.secret not in told
