"""Every kind of resource: created, read, filtered, paged, tagged, changed and deleted."""

import pytest

from kinds import KINDS
from simulator import OTHER_KEY



def about(kind, *more):
    """A kind, and what else a test is given, as a test about its service."""
    id = "-".join([kind.name, *more])
    return pytest.param(kind, *more, id=id, marks=pytest.mark.service(kind.service))


each_kind = pytest.mark.parametrize("kind", [about(kind) for kind in KINDS])
each_several = pytest.mark.parametrize("kind", [about(kind) for kind in KINDS if kind.several])
each_tagged = pytest.mark.parametrize("kind", [about(kind) for kind in KINDS if kind.tagged])


def shows(row, expected):
    """Asserts that a row has these values."""
    assert {name: row.get(name) for name in expected} == expected


@each_kind
def test_it_comes_up_changes_and_goes(kind, cloud, make):
    need = kind.needs(make)
    before = cloud.simulator.inventory()
    id = kind.make(cloud, need)
    row = kind.row(cloud, need, id)
    shows(row, kind.has(need))
    if kind.status:
        name, first, last = kind.status
        assert first is None or row[name] == first
        cloud.step()
        assert kind.row(cloud, need, id)[name] == last
    if kind.modify:
        kind.change(cloud, need, id)
        cloud.step()
        shows(kind.row(cloud, need, id), kind.modify[2])
    kind.remove(cloud, need, id)
    cloud.step()
    assert kind.row(cloud, need, id) is None
    assert cloud.simulator.inventory() == before


@each_several
def test_filters_find_the_one_that_is_meant(kind, cloud, make):
    need = kind.needs(make)
    first = kind.make(cloud, need, 1)
    cloud.step()
    kind.make(cloud, need, 2)
    cloud.step()
    assert len(kind.list(cloud, need)) == 2
    for filters in [kind.one(need, first), *kind.filters(need)]:
        if filters:
            assert [row[kind.id] for row in kind.list(cloud, need, **filters)] == [first], filters


@pytest.mark.parametrize(
    ("kind", "size"),
    [about(kind, size) for kind in KINDS if kind.several for size in kind.pages],
)
def test_pages_have_each_once(kind, size, cloud, make):
    need = kind.needs(make)
    made = []
    for number in range(1, 4):
        made.append(kind.make(cloud, need, number))
        cloud.step()
    sizes, seen, more = [], [], {}
    while more is not None:
        page = kind.page(cloud, need, **{size: 2}, **more)
        rows = [row[kind.id] for row in kind.list(cloud, need, **{size: 2}, **more)]
        assert page["TotalCount"] == 3
        sizes.append(len(rows))
        seen += rows
        if size == "PageSize":
            assert (page["PageNumber"], page["PageSize"]) == (len(sizes), 2)
            more = {"PageNumber": len(sizes) + 1} if len(seen) < 3 else None
        else:
            more = {"NextToken": page["NextToken"]} if page.get("NextToken") else None
    assert sizes == [2, 1]
    assert sorted(seen) == sorted(made)


@each_tagged
def test_tags_are_set_filtered_by_and_removed(kind, cloud, make):
    need = kind.needs(make)
    id = kind.make(cloud, need)
    cloud.step()
    resource = {"ResourceType": kind.tagged, "ResourceId": [id]}
    untag = "UnTagResources" if kind.service == "vpc" else "UntagResources"

    def tags(**more):
        page = cloud.call(kind.service, "ListTagResources", {"ResourceType": kind.tagged, **more})
        rows = page.get("TagResources") or []
        rows = rows if isinstance(rows, list) else rows.get("TagResource", [])
        return {(row["ResourceId"], row["TagKey"], row["TagValue"]) for row in rows}

    def found(*filter):
        filter = [dict(zip(("Key", "Value"), filter, strict=False))]
        return [row[kind.id] for row in kind.list(cloud, need, **{kind.tag_filter: filter})]

    wanted = [{"Key": "Name", "Value": "a b*~ä+/"}, {"Key": "kubernetes.io/cluster/x", "Value": "1"}]
    cloud.call(kind.service, "TagResources", {**resource, "Tag": wanted})
    both = {(id, tag["Key"], tag["Value"]) for tag in wanted}
    assert tags(ResourceId=[id]) == both
    assert {resource for resource, _, _ in tags(Tag=[wanted[1]])} == {id}
    assert tags(Tag=[{"Key": "Name", "Value": "other"}]) == set()
    assert found("Name", "a b*~ä+/") == [id]
    assert found("Name", "other") == []

    cloud.call(kind.service, untag, {**resource, "TagKey": ["Name"]})
    assert tags(ResourceId=[id]) == {(id, "kubernetes.io/cluster/x", "1")}
    assert found("Name", "a b*~ä+/") == []


@each_tagged
def test_it_can_be_tagged_at_its_creation(kind, cloud, make):
    need = kind.needs(make)
    id = kind.make(cloud, need, Tag=[{"Key": "purpose", "Value": "nodes"}])
    cloud.step()
    filter = {kind.tag_filter: [{"Key": "purpose", "Value": "nodes"}]}
    assert [row[kind.id] for row in kind.list(cloud, need, **filter)] == [id]


def test_a_region_and_an_account_see_their_own(cloud, make):
    vpc = make.vpc()
    for other in [cloud.another(region="eu-central-1"), cloud.another(key=OTHER_KEY)]:
        assert other.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 0
    assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1
