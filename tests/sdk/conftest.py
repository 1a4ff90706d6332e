"""The simulator and the SDKs, for each test a fresh world."""

import functools
import json

import aliyunsdkcore.vendored.requests.packages.urllib3.util.connection
import pytest
from urllib3.util import connection

from cloud import Cloud
from generations import GENERATIONS
from simulator import ACCOUNTS, Simulator
from world import Make

# By the simulator's clock, which stands still, transitions take what they take in the cloud.
OPTIONS = ["--delays", "cloud", "--clock", "0"]
# A share of calls is throttled evenly, so that few attempts do.
ATTEMPTS = 5


def pytest_addoption(parser):
    parser.addoption("--throttled", type=float, default=0, help="the share of calls that are throttled, from 0 to 1")


@pytest.fixture(scope="session")
def accounts(tmp_path_factory):
    """A file that declares `ACCOUNTS`."""
    path = tmp_path_factory.mktemp("accounts") / "accounts.json"
    path.write_text(json.dumps(ACCOUNTS))
    return path


@pytest.fixture(scope="module")
def running(accounts):
    """A simulator for all tests of a module."""
    with Simulator("--accounts", accounts, *OPTIONS) as simulator:
        yield simulator


@pytest.fixture(scope="session")
def called():
    """The actions that were called with success, such as `vpc:CreateVpc`."""
    return set()


@pytest.fixture
def simulator(running, request, called):
    """A simulator with nothing in it."""
    running.reset()
    share = request.config.getoption("throttled")
    if share:
        running.fault(action="*", occurrence={"share": share}, fault={"kind": "throttle"})
    yield running
    called |= running.answered()
    # Each fifth, where it is 0.2.
    for fault in running.control("GET", "faults")["faults"] if share else []:
        assert fault["hits"] == int(fault["met"] * share + 1e-9)


@pytest.fixture
def attempts(request):
    """How often a call is made at most, while it is throttled."""
    return ATTEMPTS if request.config.getoption("throttled") else 1


@pytest.fixture(params=GENERATIONS)
def cloud(simulator, request, attempts):
    """The cloud, by each generation of the SDK."""
    return Cloud(simulator, request.param, attempts=attempts)


@pytest.fixture
def redirected(simulator, monkeypatch):
    """Every connection of the SDKs goes to the simulator, whatever host it is for."""
    here = ("127.0.0.1", simulator.port)
    for module in (connection, aliyunsdkcore.vendored.requests.packages.urllib3.util.connection):
        connect = module.create_connection
        to_here = functools.partial(lambda connect, _, *more, **named: connect(here, *more, **named), connect)
        monkeypatch.setattr(module, "create_connection", to_here)


@pytest.fixture
def make(cloud):
    """Makes what a test needs to begin with."""
    return Make(cloud)
