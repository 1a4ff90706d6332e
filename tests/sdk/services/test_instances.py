"""Images, and instances as a bastion needs them."""

import json

import pytest

from simulator import ACCOUNT, IMAGE, OTHER_KEY


def images(cloud, **filters):
    return cloud.ecs("DescribeImages", **filters)["Images"]["Image"]


@pytest.fixture
def owner(cloud):
    """Who has an image."""
    return cloud.another(key=OTHER_KEY)


def test_an_image_is_seen_by_whom_it_is_shared_with(cloud, owner):
    assert images(cloud, ImageId=IMAGE) == []
    assert [image["ImageOwnerAlias"] for image in images(owner, ImageId=IMAGE)] == ["self"]
    owner.ecs("ModifyImageSharePermission", ImageId=IMAGE, AddAccount=[ACCOUNT])
    assert [image["ImageOwnerAlias"] for image in images(cloud, ImageId=IMAGE)] == ["others"]
    shared = owner.ecs("DescribeImageSharePermission", ImageId=IMAGE)
    assert [account["AliyunId"] for account in shared["Accounts"]["Account"]] == [ACCOUNT]
    owner.ecs("ModifyImageSharePermission", ImageId=IMAGE, RemoveAccount=[ACCOUNT])
    assert images(cloud, ImageId=IMAGE) == []


def test_an_image_is_copied_encrypted(owner):
    copy = owner.ecs(
        "CopyImage", ImageId=IMAGE, DestinationRegionId="cn-shanghai", DestinationImageName="copied", Encrypted=True
    )
    copy = copy["ImageId"]
    assert [image["Status"] for image in images(owner, ImageId=copy, Status="Creating")] == ["Creating"]
    owner.step()
    (image,) = images(owner, ImageId=copy)
    assert (image["Status"], image["ImageName"], image["Progress"], image["IsCopied"]) == (
        "Available",
        "copied",
        "100%",
        True,
    )
    owner.ecs("DeleteImage", ImageId=copy)
    owner.step()
    assert images(owner, ImageId=copy) == []
    assert images(owner, ImageId=IMAGE)


def test_images_are_paged_and_filtered(cloud):
    page = cloud.ecs("DescribeImages", ImageOwnerAlias="system", PageSize=1)
    assert page["TotalCount"] > 1
    assert len(page["Images"]["Image"]) == 1
    for architecture in ["x86_64", "arm64"]:
        found = images(cloud, Architecture=architecture, ImageOwnerAlias="system")
        assert found and {image["Architecture"] for image in found} == {architecture}


def test_what_a_bastion_asks_for_is_told(cloud):
    offered = cloud.ecs(
        "DescribeAvailableResource",
        DestinationResource="InstanceType",
        InstanceChargeType="PostPaid",
        NetworkCategory="vpc",
        Cores=2,
        ZoneId="cn-shanghai-b",
    )
    zone = offered["AvailableZones"]["AvailableZone"][0]
    resource = zone["AvailableResources"]["AvailableResource"][0]
    first = resource["SupportedResources"]["SupportedResource"][0]
    assert (zone["ZoneId"], resource["Type"], first["Status"]) == ("cn-shanghai-b", "InstanceType", "Available")
    types = cloud.ecs("DescribeInstanceTypes")["InstanceTypes"]["InstanceType"]
    assert {kind["InstanceTypeId"]: kind["CpuCoreCount"] for kind in types}[first["Value"]] == 2


def test_an_instance_stops_starts_and_goes(cloud, make):
    vpc, vswitch = make.network()
    instance = make.instance(vswitch, make.security_group(vpc), InternetMaxBandwidthOut=5)

    def row():
        return cloud.ecs("DescribeInstances", VpcId=vpc)["Instances"]["Instance"][0]

    assert row()["Status"] == "Running"
    assert row()["VpcAttributes"]["PrivateIpAddress"]["IpAddress"][0].startswith("10.250.0.")
    address = cloud.ecs("AllocatePublicIpAddress", InstanceId=instance)["IpAddress"]
    assert row()["PublicIpAddress"]["IpAddress"] == [address]
    for action, during, after in [("StopInstance", "Stopping", "Stopped"), ("StartInstance", "Starting", "Running")]:
        cloud.ecs(action, InstanceId=instance)
        assert row()["Status"] == during
        cloud.step()
        assert row()["Status"] == after
    cloud.ecs("DeleteInstances", InstanceId=[instance], Force=True)
    cloud.step()
    assert cloud.ecs("DescribeInstances", VpcId=vpc)["TotalCount"] == 0


def test_a_key_pair_is_detached(cloud, make):
    vpc, vswitch = make.network()
    instance = make.instance(vswitch, make.security_group(vpc), KeyPairName="shoot-ssh")
    assert cloud.ecs("DescribeInstances", KeyPairName="shoot-ssh")["TotalCount"] == 1
    done = cloud.ecs("DetachKeyPair", KeyPairName="shoot-ssh", InstanceIds=json.dumps([instance]))
    assert (done["TotalCount"], done["FailCount"]) == ("1", "0")
    assert cloud.ecs("DescribeInstances", KeyPairName="shoot-ssh")["TotalCount"] == 0


def test_an_instance_has_a_network_interface(cloud, make):
    vpc, vswitch = make.network()
    group = make.security_group(vpc)
    instance = make.instance(vswitch, group)
    rows = cloud.ecs("DescribeNetworkInterfaces", InstanceId=instance)["NetworkInterfaceSets"]["NetworkInterfaceSet"]
    assert [(row["VSwitchId"], row["Type"]) for row in rows] == [(vswitch, "Primary")]
    assert rows[0]["SecurityGroupIds"]["SecurityGroupId"] == [group]


def test_an_instance_takes_an_address_of_its_vswitch(cloud, make):
    vpc, vswitch = make.network()
    group = make.security_group(vpc)

    def free():
        rows = cloud.vpc("DescribeVSwitches", VSwitchId=vswitch)["VSwitches"]["VSwitch"]
        return rows[0]["AvailableIpAddressCount"]

    before = free()
    make.instance(vswitch, group)
    assert free() == before - 1


def test_several_come_at_once_and_are_listed_by_tokens(cloud, make):
    vpc, vswitch = make.network()
    make.instance(vswitch, make.security_group(vpc), Amount=12)
    # Fewer than ten on a page are not to be had.
    first = cloud.ecs("DescribeInstances", VpcId=vpc, MaxResults=1)
    rest = cloud.ecs("DescribeInstances", VpcId=vpc, MaxResults=10, NextToken=first["NextToken"])
    pages = [[row["InstanceId"] for row in page["Instances"]["Instance"]] for page in (first, rest)]
    assert [len(page) for page in pages] == [10, 2]
    assert len(set(sum(pages, []))) == 12
    assert not rest.get("NextToken")
