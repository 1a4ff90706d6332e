"""What `docs/simulator.md` shows, works."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simulator import Simulator

TEXT = (Path(__file__).parents[2] / "docs/simulator.md").read_text()
ADDRESS = "127.0.0.1:8751"


def blocks(language):
    """The blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def calls():
    """The calls of its own API that are shown: method, path, body."""
    for block in blocks("console"):
        for line in re.findall(r"\$ curl (.*?)(?=^\$|\Z)", block.replace("\\\n", " "), re.DOTALL | re.MULTILINE):
            method = re.search(r"--request (\w+)", line)
            body = re.search(r"--json '(.*?)'", line, re.DOTALL)
            path = re.search(r"/_simulator/(\S+)", line)[1]
            yield method[1] if method else "POST" if body else "GET", path, body and json.loads(body[1])


def test_the_network_comes_up_and_goes():
    (program,) = blocks("python")
    with Simulator("--clock", "60") as simulator:
        program = program.replace(ADDRESS, simulator.host).replace("time.sleep(1)", "time.sleep(0.05)")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        said = [line.strip() for line in done.stdout.splitlines()]
        assert {"Pending", "Creating", "DependencyViolation.NatGateway", "DependencyViolation.EnhancedNatgw"} <= {*said}
        assert said[-1] == "all gone"
        assert simulator.inventory() == {}


@pytest.mark.parametrize(("method", "path", "body"), list(calls()), ids=lambda value: str(value)[:40])
def test_the_calls_of_its_own_api_are_taken(simulator, method, path, body):
    assert simulator.control(method, path, body) is not None


def test_the_accounts_are_taken(tmp_path):
    (text,) = [block for block in blocks("json") if "accessKeys" in block]
    file = tmp_path / "accounts.json"
    file.write_text(text)
    with Simulator("--accounts", file) as simulator:
        assert simulator.lives()


def test_what_can_be_read_is_there(simulator):
    for path in re.findall(r"^\| GET[^|]* \| `([^`{]+)`", TEXT, re.MULTILINE):
        assert simulator.control("GET", path) is not None, path
