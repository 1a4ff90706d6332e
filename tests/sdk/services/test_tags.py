"""Tags beyond the first few."""

import pytest


def listed(cloud, service, **more):
    """All rows of a listing, page by page."""
    rows, token = [], {}
    while token is not None:
        page = cloud.call(service, "ListTagResources", {**more, **token})
        found = page["TagResources"]
        rows += found if service == "nlb" else found["TagResource"]
        token = {"NextToken": page["NextToken"]} if page.get("NextToken") else None
    return {(row["ResourceId"], row["TagKey"]) for row in rows}


def numbered(count):
    return [{"Key": f"key-{n}", "Value": str(n)} for n in range(count)]


KINDS = {"vpc": ("VPC", "UnTagResources"), "ecs": ("securitygroup", "UntagResources")}


@pytest.fixture(params=KINDS)
def tagged(request, cloud, make):
    """A service, something of it that can be tagged, and the action that takes tags away."""
    kind, untag = KINDS[request.param]
    vpc = make.vpc()
    id = vpc if request.param == "vpc" else make.security_group(vpc)
    return request.param, {"ResourceType": kind, "ResourceId": [id]}, untag


def test_there_are_at_most_twenty(cloud, tagged):
    service, resource, _ = tagged
    cloud.call(service, "TagResources", {**resource, "Tag": numbered(20)})
    with pytest.raises(cloud.client.Error) as caught:
        cloud.call(service, "TagResources", {**resource, "Tag": [{"Key": "more", "Value": ""}]})
    assert "Quota" in cloud.client.outcome(caught.value)[0]
    # Others of the same keys need no room.
    cloud.call(service, "TagResources", {**resource, "Tag": [{"Key": "key-1", "Value": "changed"}]})
    assert len(listed(cloud, service, **resource)) == 20


def test_listings_of_many_have_pages(cloud, make):
    vpcs = [make.vpc(Tag=numbered(20)) for _ in range(4)]
    found = listed(cloud, "vpc", ResourceType="VPC", ResourceId=vpcs, MaxResults=30)
    assert found == {(vpc, tag["Key"]) for vpc in vpcs for tag in numbered(20)}


def test_all_go_at_once(cloud, tagged):
    service, resource, untag = tagged
    cloud.call(service, "TagResources", {**resource, "Tag": numbered(5)})
    cloud.call(service, untag, {**resource, "All": True})
    assert listed(cloud, service, **resource) == set()


@pytest.mark.parametrize("key", ["aliyun-x", "acs:x", "http://x", "k" * 129])
def test_a_key_has_a_form(cloud, tagged, key):
    service, resource, _ = tagged
    with pytest.raises(cloud.client.Error) as caught:
        cloud.call(service, "TagResources", {**resource, "Tag": [{"Key": key, "Value": "v"}]})
    assert cloud.client.outcome(caught.value)[1] in (400, 403)


def test_several_are_all_asked_for(cloud, make):
    both = make.vpc(Tag=numbered(2))
    make.vpc(Tag=numbered(1))
    assert {id for id, _ in listed(cloud, "vpc", ResourceType="VPC", Tag=numbered(2))} == {both}
    rows = cloud.vpc("DescribeVpcs", Tag=numbered(2))["Vpcs"]["Vpc"]
    assert [row["VpcId"] for row in rows] == [both]
