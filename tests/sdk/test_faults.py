"""Too many calls, and what else goes wrong when told, as the SDKs tell it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from generations import New
from simulator import OTHER_KEY

# A window as long as no test.
TWICE = {"calls": 2, "seconds": 600}


@pytest.fixture
def cloud(cloud):
    """The cloud by clients that do not call again."""
    cloud.attempts = 1
    cloud.simulator.control("DELETE", "faults")
    return cloud


def test_calls_beyond_the_rate_are_throttled(cloud):
    cloud.simulator.set(throttle={"vpc:DescribeVpcs": TWICE})
    for _ in range(2):
        cloud.vpc("DescribeVpcs")
    with pytest.raises(cloud.client.Error) as caught:
        cloud.vpc("DescribeVpcs")
    assert cloud.client.outcome(caught.value) == ("Throttling.User", 400)
    if isinstance(cloud.client, New):
        assert isinstance(caught.value, New.Throttled)
        assert 0 < caught.value.retry_after <= 600_000
    cloud.vpc("DescribeEipAddresses")


def test_accounts_do_not_share_a_rate(cloud):
    cloud.simulator.set(throttle={"*": TWICE})
    other = cloud.another(key=OTHER_KEY)
    for _ in range(2):
        cloud.vpc("DescribeVpcs")
        other.vpc("DescribeVpcs")
    for each in [cloud, other]:
        with each.refuses("Throttling.User", 400):
            each.vpc("DescribeVpcs")
        each.ecs("DescribeRegions")


FAULTS = {
    "throttled by user": ({"kind": "throttle", "by": "user"}, ("Throttling.User", 400)),
    "throttled by api": ({"kind": "throttle", "by": "api"}, ("Throttling.Api", 400)),
    "internal error": ({"kind": "error", "code": "InternalError"}, ("InternalError", 500)),
    "unavailable": ({"kind": "error", "code": "ServiceUnavailable"}, ("ServiceUnavailable", 503)),
    "an error of its own": ({"kind": "error", "code": "TaskConflict", "status": 409}, ("TaskConflict", 409)),
    "quota": ({"kind": "quota", "code": "QuotaExceeded.Vpc"}, ("QuotaExceeded.Vpc", 400)),
    "unauthorised": ({"kind": "unauthorised"}, ("Forbidden.RAM", 403)),
}


@pytest.mark.parametrize(("fault", "outcome"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_hits_the_call_that_is_meant(cloud, fault, outcome):
    cloud.simulator.fault(action="vpc:CreateVpc", occurrence={"nth": 2}, fault=fault)
    cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")
    with cloud.refuses(*outcome):
        cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")
    cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")
    assert cloud.vpc("DescribeVpcs")["TotalCount"] == 2


def test_a_reset_after_the_effect_leaves_the_effect(cloud):
    cloud.simulator.fault(action="vpc:CreateVpc", fault={"kind": "reset", "when": "after"}, times=1)
    with pytest.raises(Exception) as caught:
        cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken="token-1")
    assert not isinstance(caught.value, cloud.client.Error)
    vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken="token-1")["VpcId"]
    assert [row["VpcId"] for row in cloud.vpc("DescribeVpcs")["Vpcs"]["Vpc"]] == [vpc]


@pytest.mark.parametrize(("when", "count"), [("before", 0), ("after", 1)])
def test_a_call_that_is_held_waits_for_its_release(cloud, when, count):
    fault = cloud.simulator.fault(action="vpc:CreateVpc", fault={"kind": "hold", "when": when})["id"]

    def held():
        return cloud.simulator.control("GET", f"faults/{fault}")["held"]

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(cloud.another().vpc, "CreateVpc", CidrBlock="10.0.0.0/8")
        while not held():
            assert not waiting.done()
        assert cloud.vpc("DescribeVpcs")["TotalCount"] == count
        assert cloud.simulator.control("POST", f"faults/{fault}/release")["released"] == 1
        assert waiting.result(20)["VpcId"]
    assert held() == []
    assert cloud.vpc("DescribeVpcs")["TotalCount"] == 1


@pytest.mark.parametrize(("when", "count"), [("before", 0), ("after", 1)])
def test_a_call_that_is_never_answered_times_out(cloud, when, count):
    cloud.simulator.fault(action="vpc:CreateVpc", fault={"kind": "timeout", "when": when})
    hasty = cloud.another(seconds=0.3)
    with pytest.raises(Exception, match="(?i)timed out|timeout"):
        hasty.vpc("CreateVpc", CidrBlock="10.0.0.0/8")
    assert cloud.vpc("DescribeVpcs")["TotalCount"] == count


def test_a_client_that_does_not_give_up_gets_one_of_each(cloud):
    for kind in [
        {"kind": "reset", "when": "before"},
        {"kind": "reset", "when": "after"},
        {"kind": "error", "code": "ServiceUnavailable"},
        {"kind": "throttle"},
    ]:
        cloud.simulator.fault(action="*", occurrence={"share": 0.2}, fault=kind)

    def surely(action, **parameters):
        for _ in range(50):
            try:
                return cloud.vpc(action, **parameters)
            except Exception as error:
                code = str(getattr(error, "code", "") or getattr(error, "error_code", ""))
                if code.startswith("InvalidVpcId"):
                    return None
                cloud.step()
        raise AssertionError(f"{action} never succeeds")

    made = [surely("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken=f"token-{n}")["VpcId"] for n in range(8)]
    cloud.step()
    assert sorted(row["VpcId"] for row in surely("DescribeVpcs")["Vpcs"]["Vpc"]) == sorted(made)
    for vpc in made:
        surely("DeleteVpc", VpcId=vpc)
        cloud.step()
    assert cloud.simulator.inventory() == {}


def test_a_share_of_calls_is_hit_evenly(cloud):
    cloud.simulator.fault(action="*", occurrence={"share": 0.2}, fault={"kind": "throttle"})
    refused = 0
    for _ in range(50):
        try:
            cloud.vpc("DescribeVpcs")
        except cloud.client.Error:
            refused += 1
    assert refused == 10


def test_calls_are_recorded(cloud):
    cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", VpcName="seen")
    with cloud.refuses("InvalidVpcId.NotFound", 404):
        cloud.vpc("DeleteVpc", VpcId="vpc-nobody")
    made, refused = cloud.simulator.calls(action="vpc:*")
    assert (made["action"], made["status"], made["effect"]) == ("CreateVpc", 200, True)
    assert made["parameters"]["VpcName"] == "seen"
    assert (refused["action"], refused["code"], refused["effect"]) == ("DeleteVpc", "InvalidVpcId.NotFound", False)
    assert (refused["account"], refused["region"]) == ("1000000000000001", "cn-shanghai")
