"""The existing extension against the simulator: what it does to a real cloud it can do here, by as many calls."""

from collections import Counter

import pytest

from cloud import Cloud
from extension.caller import Caller
from extension.deletion import Deletion
from extension.infrastructure import Infrastructure
from extension.validation import service_linked_role
from extension.world import ZONES, Config
from world import Make


@pytest.fixture
def call(simulator):
    return Caller(simulator)


@pytest.fixture
def user(simulator):
    """What the user makes of his own accord."""
    return Make(Cloud(simulator, "old-post"))


@pytest.fixture(params=["at once", "as in the cloud"])
def delays(simulator, request):
    """Whether everything is ready at the first probe of a wait."""
    if request.param == "at once":
        simulator.set(delays={"*": 0})


def own_network(user, dual_stack=False):
    """A VPC with a VSwitch beside the workers' addresses."""
    vpc = user.vpc(CidrBlock="10.250.0.0/16", VpcName="own")
    return vpc, user.vswitch(vpc, "10.250.128.0/24", VSwitchName="own")


def with_own_nat(user, zones):
    vpc, vswitch = own_network(user)
    user.nat(vpc, vswitch, Name="own")
    return Config(zones, vpc=vpc)


SCENARIOS = {
    "managed VPC": lambda user, zones: Config(zones),
    "own VPC": lambda user, zones: Config(zones, vpc=own_network(user)[0], managed_nat=True),
    "own VPC and NAT gateway": with_own_nat,
    "dual-stack": lambda user, zones: Config(zones, dual_stack=True),
    "route table": lambda user, zones: Config(zones, route_table=True),
    "dual-stack and route table": lambda user, zones: Config(zones, dual_stack=True, route_table=True),
    "own addresses": lambda user, zones: Config(zones, eips=tuple(user.eip(Name="own")[0] for _ in range(zones))),
}

# What a run without change rewrites, since the extension reads tags spelled `Key` alone: security groups and NAT
# gateways have them as `TagKey`, of which it sees one with an empty key. It asks to remove that one, which says
# nothing on the wire, and tags anew: two calls for each of the two.
REWRITTEN = {"ecs:UntagResources": 1, "ecs:TagResources": 1, "vpc:UnTagResources": 1, "vpc:TagResources": 1}

# Calls of creation, of a run without change and of deletion, each for one zone and for three; and the seconds of
# creation and deletion that are waited where everything is ready at once.
CALLS = {
    "managed VPC": ((43, 73), (17, 31), (41, 75)),
    "own VPC": ((42, 72), (18, 32), (37, 71)),
    "own VPC and NAT gateway": ((40, 70), (19, 33), (32, 66)),
    "dual-stack": ((53, 89), (21, 37), (45, 79)),
    "route table": ((52, 86), (19, 33), (51, 89)),
    "dual-stack and route table": ((65, 105), (24, 40), (58, 96)),
    "own addresses": ((42, 68), (19, 35), (37, 63)),
}


class Counted:
    """The calls of a step, as the simulator counts them, without the probes beyond the first of each wait."""

    def __init__(self, call):
        self.call = call

    def counts(self):
        actions = self.call.simulator.control("GET", "calls/counts")["actions"]
        return Counter({action: sum(count["codes"].values()) for action, count in actions.items()})

    def __enter__(self):
        self.before, self.further_before, self.waited_before = self.counts(), self.call.further.copy(), self.call.waited
        return self

    def __exit__(self, *_):
        self.actions = self.counts() - self.before - (self.call.further - self.further_before)
        self.total = self.actions.total()
        self.seconds = self.call.waited - self.waited_before


@pytest.mark.parametrize("zones", [1, 3])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_infrastructure_takes_as_many_calls_as_in_the_cloud(simulator, call, user, delays, scenario, zones):
    config = SCENARIOS[scenario](user, zones)
    service_linked_role(call)
    owned = simulator.inventory()
    infrastructure = Infrastructure(call, config)
    with Counted(call) as creation:
        infrastructure.reconcile(creating=True)
    with Counted(call) as nothing:
        infrastructure.reconcile()
    with Counted(call) as deletion:
        Deletion(infrastructure).delete()
    (created, unchanged, deleted) = (counts[zones // 2] for counts in CALLS[scenario])
    rewritten = Counter(REWRITTEN if config.manages_nat else list(REWRITTEN)[:2])
    assert (creation.total, nothing.total, deletion.total) == (created, unchanged + rewritten.total(), deleted)
    assert not rewritten - nothing.actions
    simulator.step()
    assert simulator.inventory() == owned
