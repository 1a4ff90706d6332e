"""Client tokens: the same request twice has one effect."""

import pytest

from kinds import KINDS
from simulator import OTHER_KEY

# Those whose creation takes a token.
TOKENS = [kind for kind in KINDS if kind.service in ("vpc", "ecs", "slb", "nlb")]


@pytest.mark.parametrize("kind", TOKENS, ids=lambda kind: kind.name)
def test_a_creation_that_is_sent_again_gives_the_same_one(kind, cloud, make):
    need = kind.needs(make)
    first = kind.make(cloud, need, ClientToken="token-1")
    assert kind.make(cloud, need, ClientToken="token-1") == first
    cloud.step()
    assert kind.make(cloud, need, ClientToken="token-1") == first
    assert [row[kind.id] for row in kind.list(cloud, need)] == [first]


@pytest.mark.parametrize("kind", TOKENS, ids=lambda kind: kind.name)
def test_another_creation_with_the_same_token_is_refused(kind, cloud, make):
    need = kind.needs(make)
    first = kind.make(cloud, need, 1, ClientToken="token-1")
    with cloud.refuses("IdempotentParameterMismatch", 400):
        kind.make(cloud, need, 2, ClientToken="token-1")
    assert [row[kind.id] for row in kind.list(cloud, need)] == [first]


def test_a_refused_creation_can_be_mended_with_the_same_token(cloud, make):
    vpc = make.vpc()
    place = {"VpcId": vpc, "ZoneId": "cn-shanghai-b", "ClientToken": "token-1"}
    with pytest.raises(cloud.client.Error):
        cloud.vpc("CreateVSwitch", **place, CidrBlock="192.168.0.0/24")
    assert cloud.vpc("CreateVSwitch", **place, CidrBlock="10.0.0.0/24")["VSwitchId"]


def test_tokens_of_other_actions_regions_and_accounts_are_others(cloud):
    clouds = [cloud, cloud.another(region="eu-central-1"), cloud.another(key=OTHER_KEY)]
    ids = {each.vpc("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken="token-1")["VpcId"] for each in clouds}
    ids.add(cloud.vpc("AllocateEipAddress", ClientToken="token-1")["AllocationId"])
    assert len(ids) == 4


def test_a_dry_run_has_no_effect(cloud):
    before = cloud.simulator.inventory()
    with cloud.refuses("DryRunOperation", 400):
        cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", DryRun=True)
    assert cloud.simulator.inventory() == before
