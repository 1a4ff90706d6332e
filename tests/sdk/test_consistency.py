"""Reads that are behind writes."""

import pytest


@pytest.fixture(autouse=True)
def behind(simulator):
    """Reads are five seconds behind."""
    simulator.set(lag={"*": 5})


def test_what_was_created_is_seen_later(cloud):
    vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 0
    cloud.step(6)
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1


def test_what_was_deleted_is_seen_for_a_while(cloud, make):
    vpc = make.vpc()
    cloud.vpc("DeleteVpc", VpcId=vpc)
    cloud.step(3)
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1
    cloud.step()
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 0


def test_writes_see_everything(cloud, make):
    vpc = make.vpc()
    place = {"VpcId": vpc, "ZoneId": "cn-shanghai-b", "CidrBlock": "10.0.0.0/24"}
    cloud.vpc("CreateVSwitch", **place)
    with cloud.refuses("InvalidCidrBlock.Overlapped", 400):
        cloud.vpc("CreateVSwitch", **place)


def test_actions_may_be_behind_each_by_its_own_time(cloud):
    cloud.simulator.set(lag={"*": 0, "vpc:DescribeVpcs": 5})
    vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 0
    assert cloud.vpc("DescribeVpcAttribute", VpcId=vpc)["VpcId"] == vpc
