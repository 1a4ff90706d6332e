"""Clients that vanish, send too much, too slowly or at once: the simulator lives, and its world is whole."""

import random
import socket
import ssl
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from cloud import Cloud
from signed import Acs3, Rpc, query
from simulator import Simulator

CONNECTIONS = 1000
MEBI = 1 << 20


@pytest.fixture
def cloud(simulator):
    """A client that behaves."""
    return Cloud(simulator, "new", attempts=5)


def connect(simulator):
    return socket.create_connection(("127.0.0.1", simulator.port), timeout=20)


def wire(request, simulator):
    """The bytes of a request."""
    target = request.path + ("?" + query(request.query) if request.query else "")
    headers = {"host": simulator.host, **request.headers, "content-length": len(request.body)}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{request.method} {target} HTTP/1.1\r\n{head}\r\n".encode() + request.body


def create(simulator, signed=None):
    return wire((signed or Rpc(method="POST")).request(simulator, "CreateVpc", {"CidrBlock": "10.0.0.0/8"}), simulator)


def whole(simulator, cloud):
    """Asserts that the simulator lives, and that all which exists can be read and deleted."""
    assert simulator.lives()
    cloud.step()
    while cloud.vpc("DescribeVpcs")["TotalCount"]:
        for row in cloud.vpc("DescribeVpcs", PageSize=50)["Vpcs"]["Vpc"]:
            assert row["Status"] == "Available"
            cloud.vpc("DeleteVpc", VpcId=row["VpcId"])
        cloud.step()
    assert simulator.inventory() == {}


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_clients_that_vanish_leave_a_whole_world(simulator, cloud, reset):
    simulator.set(quotas={"vpcs": 1000})
    bytes_of = create(simulator)
    cuts = [1, 10, len(bytes_of) // 2, len(bytes_of) - 1, len(bytes_of)]
    for cut in cuts * 5:
        request = create(simulator)
        client = connect(simulator)
        client.sendall(request[: min(cut, len(request))])
        if reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    whole(simulator, cloud)


def test_a_body_of_10_mb_is_refused_or_read_and_nothing_else(simulator, cloud):
    for signed in [Acs3(body=b"Description=" + b"x" * (10 * MEBI)), Acs3(body=b"a=b&" * (10 * MEBI // 4))]:
        client = connect(simulator)
        # It may answer before it has read all.
        with suppress(OSError):
            client.sendall(create(simulator, signed))
        status = answer(client)
        assert status is None or 400 <= status < 500
        client.close()
    whole(simulator, cloud)


def answer(client):
    """The status of the answer, if there is one."""
    try:
        line = client.makefile("rb").readline()
    except OSError:
        return None
    return int(line.split()[1]) if line else None


def test_slow_clients_hold_nobody_up(simulator, cloud):
    slow = []
    for _ in range(50):
        client = connect(simulator)
        client.sendall(create(simulator)[:100])
        slow.append(client)
    assert cloud.vpc("DescribeVpcs")["TotalCount"] == 0
    for client in slow:
        client.close()
    # Byte by byte, but to its end.
    client = connect(simulator)
    for byte in create(simulator):
        client.sendall(bytes([byte]))
    assert answer(client) == 200
    client.close()
    whole(simulator, cloud)


def test_a_thousand_connections_are_served(simulator, cloud):
    simulator.set(quotas={"vpcs": CONNECTIONS})
    clients = [connect(simulator) for _ in range(CONNECTIONS)]

    def served(client):
        client.sendall(create(simulator))
        status = answer(client)
        client.close()
        return status

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(served, clients))
    assert set(statuses) == {200}
    simulator.step()
    rows = everything(cloud)
    assert {row["Status"] for row in rows} == {"Available"}
    assert len({row["VpcId"] for row in rows}) == len(rows) == CONNECTIONS


def everything(cloud):
    rows, number = [], 1
    while page := cloud.vpc("DescribeVpcs", PageSize=50, PageNumber=number)["Vpcs"]["Vpc"]:
        rows += page
        number += 1
    return rows


def test_calls_at_once_are_done_one_after_the_other(simulator, cloud):
    vpc = cloud.vpc("CreateVpc", CidrBlock="10.0.0.0/8")["VpcId"]
    cloud.step()

    def same(_):
        mine = Cloud(simulator, "old-post", attempts=5)
        try:
            return mine.vpc("CreateVSwitch", VpcId=vpc, ZoneId="cn-shanghai-b", CidrBlock="10.0.0.0/24")["VSwitchId"]
        except mine.client.Error as error:
            return mine.client.outcome(error)

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(same, range(24)))
    made = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(made) == 1
    assert set(outcomes) == {made[0], ("InvalidCidrBlock.Overlapped", 400)}
    cloud.step()
    cloud.vpc("DeleteVSwitch", VSwitchId=made[0])
    cloud.step()
    whole(simulator, cloud)


NOISE = [
    b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /?Action=%FF%FE&Version=\x00 HTTP/1.1\r\nhost: a\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999999999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10_000 + b"\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]


def test_noise_is_survived(simulator, cloud):
    source = random.Random(1)
    for noise in NOISE + [source.randbytes(source.randrange(2000)) for _ in range(100)]:
        client = connect(simulator)
        try:
            client.sendall(noise)
            client.shutdown(socket.SHUT_WR)
            client.recv(100)
        except OSError:
            pass
        client.close()
    whole(simulator, cloud)


def test_who_does_not_speak_tls_is_left_alone(tmp_path):
    authority = tmp_path / "authority.pem"
    with Simulator("--tls", "--authority", authority, "--delays", "none") as simulator:
        silent = connect(simulator)
        noisy = connect(simulator)
        noisy.sendall(b"GET / HTTP/1.1\r\n\r\n")
        context = ssl.create_default_context(cafile=str(authority))
        with context.wrap_socket(connect(simulator), server_hostname="127.0.0.1") as client:
            client.sendall(b"GET /_simulator/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert client.recv(15).startswith(b"HTTP/1.1 200")
        silent.close()
        noisy.close()


def test_it_ends_when_told_with_clients_connected():
    simulator = Simulator("--delays", "none")
    clients = [connect(simulator) for _ in range(20)]
    clients[0].sendall(create(simulator)[:50])
    ended = threading.Thread(target=simulator.stop)
    ended.start()
    ended.join(20)
    assert not ended.is_alive()
    assert simulator.process.returncode == 0
    for client in clients:
        client.close()
