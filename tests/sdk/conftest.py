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
# The share of calls of a service that is throttled: evenly, so that few attempts do.
SHARE = 0.2
ATTEMPTS = 5


def pytest_addoption(parser):
    parser.addoption(
        "--throttled", metavar="SERVICE", help="throttle each fifth call of a service, in the tests that are marked with it"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "service(code): the test is about this service")


def pytest_collection_modifyitems(config, items):
    """Without a test for the service that is throttled nothing runs, which pytest takes for a failure."""
    service = config.getoption("throttled")
    is_about = lambda item: any(mark.args == (service,) for mark in item.iter_markers("service"))  # noqa: E731
    if service:
        config.hook.pytest_deselected(items=[item for item in items if not is_about(item)])
        items[:] = [item for item in items if is_about(item)]


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
    service = request.config.getoption("throttled")
    if service:
        running.fault(action=f"{service}:*", occurrence={"share": SHARE}, fault={"kind": "throttle"})
    yield running
    called |= running.answered()
    if service:
        (fault,) = running.control("GET", "faults")["faults"]
        assert fault["hits"] == int(fault["met"] * SHARE + 1e-9)


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
