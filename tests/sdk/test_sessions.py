"""Sessions that are recorded and replayed, worlds that are kept in a file, and how the simulator is started."""

import json
import threading
import urllib.error
import urllib.request
from contextlib import suppress

import pytest

from cloud import Cloud
from kinds import KINDS
from simulator import ControlError, Key, NotStarted, Simulator
from storage import Storage
from world import Make

STEPPED = ["--delays", "cloud", "--clock", "0"]


def live(simulator):
    """Makes something of every kind, and leaves most of it."""
    simulator.set(quotas={"vpcs": 100})
    cloud = Cloud(simulator, "new")
    make = Make(cloud)
    for kind in KINDS:
        kind.make(cloud, kind.needs(make))
        cloud.step()
    make.role()
    vpc = make.vpc()
    cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken="token-1")
    cloud.vpc("ReleaseEipAddress", AllocationId=make.eip()[0])
    bucket = Storage(simulator, "v4").bucket()
    bucket.create_bucket()
    bucket.put_object("a", b"content")
    # Something on its way, half way.
    cloud.vpc("CreateVSwitch", VpcId=vpc, ZoneId="cn-shanghai-b", CidrBlock="10.0.0.0/24")
    simulator.step(1)
    return cloud


def everything(simulator):
    """All that exists, whenever it was made."""
    return simulator.inventory(added="false")


@pytest.fixture
def session(tmp_path):
    """A recorded session and the inventory at its end."""
    file = tmp_path / "session.jsonl"
    with Simulator(*STEPPED, "--record", file) as simulator:
        live(simulator)
        return file, everything(simulator)


def test_a_recorded_session_replays_to_the_same_inventory(session):
    file, inventory = session
    with Simulator(*STEPPED, "--replay", file) as simulator:
        assert everything(simulator) == inventory
        assert Storage(simulator, "v4").bucket().get_object("a").read() == b"content"
        # Tokens are known there too.
        cloud = Cloud(simulator, "new")
        count = cloud.vpc("DescribeVpcs")["TotalCount"]
        cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8", ClientToken="token-1")
        assert cloud.vpc("DescribeVpcs")["TotalCount"] == count


def test_a_session_that_was_cut_off_replays_up_to_there(session):
    file, _ = session
    text = file.read_bytes()
    file.write_bytes(text[:-20])
    with Simulator(*STEPPED, "--replay", file) as simulator:
        assert everything(simulator)
        assert "cut" in simulator.told()


def test_a_session_with_a_broken_line_says_which(session):
    file, _ = session
    lines = file.read_text().splitlines(keepends=True)
    lines[2] = "{}\n"
    file.write_text("".join(lines))
    with pytest.raises(NotStarted, match="line 3"):
        Simulator(*STEPPED, "--replay", file)


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_world_in_a_file_survives(tmp_path, end):
    file = tmp_path / "world.json"
    with Simulator(*STEPPED, "--state", file) as simulator:
        live(simulator)
        inventory = everything(simulator)
        getattr(simulator, end)()
    with Simulator(*STEPPED, "--state", file) as simulator:
        assert everything(simulator) == inventory
        simulator.step()
        cloud = Cloud(simulator, "old-post")
        statuses = {row["Status"] for row in cloud.vpc("DescribeVSwitches")["VSwitches"]["VSwitch"]}
        assert statuses == {"Available"}


def test_what_was_answered_survives_a_kill(tmp_path):
    file = tmp_path / "world.json"
    with Simulator("--delays", "none", "--state", file) as simulator:
        simulator.set(quotas={"vpcs": 10_000})
        answered, enough = [], threading.Event()

        def create():
            cloud = Cloud(simulator, "old-post")
            # Until it is killed.
            with suppress(Exception):
                while True:
                    answered.append(cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"])
                    if len(answered) >= 100:
                        enough.set()

        clients = [threading.Thread(target=create) for _ in range(4)]
        for client in clients:
            client.start()
        assert enough.wait(30)
        simulator.kill()
        for client in clients:
            client.join()
    with Simulator("--delays", "none", "--state", file) as simulator:
        (regions,) = everything(simulator).values()
        kept = {vpc["VpcId"] for vpc in regions["cn-shanghai"]["vpc:vpcs"]}
        assert set(answered) <= kept
        # At most what each client was waiting for is there in addition.
        assert len(kept) <= len(answered) + len(clients)


def test_a_world_in_a_file_has_one_simulator(tmp_path):
    file = tmp_path / "world.json"
    with Simulator("--state", file), pytest.raises(NotStarted, match="another simulator"):
        Simulator("--state", file)


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"format": "other", "version": 1})])
def test_a_file_that_is_no_world_is_left_alone(tmp_path, content):
    file = tmp_path / "world.json"
    file.write_text(content)
    with pytest.raises(NotStarted, match="world.json"):
        Simulator("--state", file)
    assert file.read_text() == content


def test_a_file_of_a_world_is_for_nobody_else(tmp_path):
    file = tmp_path / "world.json"
    with Simulator("--state", file) as simulator:
        live(simulator)
    assert file.stat().st_mode & 0o077 == 0


def test_snapshots_come_back(simulator):
    cloud = Cloud(simulator, "new", attempts=5)
    make = Make(cloud)
    make.vpc()
    before = everything(simulator)
    simulator.control("PUT", "snapshots/before")
    make.vpc()
    assert everything(simulator) != before
    simulator.control("POST", "snapshots/before/restore")
    assert everything(simulator) == before


@pytest.mark.parametrize("generation", ["new", "new-sha1", "old-get", "old-post"])
def test_tls_is_believed_by_who_trusts_its_authority(tmp_path, generation):
    authority = tmp_path / "authority.pem"
    with Simulator("--tls", "--authority", authority, "--delays", "none") as simulator:
        assert simulator.url.startswith("https://")
        # At first, since the newer SDK keeps connections for all clients.
        with pytest.raises(Exception, match="(?i)certificate"):
            Cloud(simulator, generation).vpc("DescribeVpcs")
        cloud = Cloud(simulator, generation, authority=str(authority))
        vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
        assert cloud.vpc("DescribeVpcs", VpcId=vpc)["TotalCount"] == 1


WRONG = {
    "a region that does not exist": (["--region", "mars-1"], "mars-1"),
    "a clock that goes back": (["--clock", "-1"], "clock|rate|-1"),
    "no rate": (["--throttle", "many"], "throttle"),
    "no accounts": (["--accounts", "/nowhere/accounts.json"], "/nowhere/accounts.json"),
}


@pytest.mark.parametrize(("options", "said"), WRONG.values(), ids=WRONG.keys())
def test_options_that_make_no_sense_are_refused(options, said):
    with pytest.raises(NotStarted, match=said):
        Simulator(*options)


def test_the_command_line_says_how_the_cloud_behaves():
    options = ["--delays", "none", "--lag", "2.5", "--throttle", "3/600", "--calls", "2"]
    with Simulator(*options) as simulator:
        settings = simulator.control("GET", "settings")
        assert (settings["delays"], settings["lag"]) == ({"*": 0}, {"*": 2.5})
        assert settings["throttle"] == {"*": {"calls": 3, "seconds": 600}}
        cloud = Cloud(simulator, "new")
        for _ in range(3):
            cloud.vpc("DescribeVpcs")
        with cloud.refuses("Throttling.User", 400):
            cloud.vpc("DescribeVpcs")
        # It remembers the last two, and counts all.
        assert [call["status"] for call in simulator.calls()] == [200, 400]
        assert simulator.control("GET", "calls/counts")["calls"] == 4


def test_without_accounts_there_is_one_with_one_key():
    with Simulator("--delays", "none", "--region", "eu-central-1") as simulator:
        cloud = Cloud(simulator, "new", region="eu-central-1")
        assert cloud.sts("GetCallerIdentity")["AccountId"] == "1000000000000001"
        other = cloud.another(key=Key("LTAI5tNobody", "secret"))
        with other.refuses("InvalidAccessKeyId.NotFound", 404):
            other.sts("GetCallerIdentity")


def test_a_fast_clock_settles_by_itself():
    with Simulator("--clock", "100000") as simulator:
        cloud = Cloud(simulator, "new")
        vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
        for _ in range(1000):
            if cloud.vpc("DescribeVpcs", VpcId=vpc)["Vpcs"]["Vpc"][0]["Status"] == "Available":
                return
        raise AssertionError("a VPC takes longer than a thousand calls")


def test_its_own_api_refuses_browsers_of_other_sites(simulator):
    for headers in [{"origin": "https://example.com"}, {"host": "example.com"}, {"sec-fetch-site": "cross-site"}]:
        request = urllib.request.Request(f"{simulator.url.rstrip('/')}/_simulator/inventory", headers=headers)
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        assert caught.value.code == 403


def test_its_own_api_says_what_is_wrong(simulator):
    for method, path, body, status in [
        ("GET", "nothing", None, 404),
        ("DELETE", "inventory", None, 405),
        ("PATCH", "settings", {"delay": {}}, 400),
        ("PATCH", "settings", {"delays": {"vpc:CreateVpcs": 1}}, 400),
        ("POST", "faults", {"action": "vpc:CreateVpc", "fault": {"kind": "boredom"}}, 400),
        ("POST", "clock/step", {"seconds": -1}, 400),
    ]:
        with pytest.raises(ControlError) as caught:
            simulator.control(method, path, body)
        assert caught.value.status == status, path
