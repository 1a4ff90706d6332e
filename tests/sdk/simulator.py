"""`trellis simulate` as a child process, and its own API."""

import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

TRELLIS = os.environ.get("TRELLIS", "trellis")
END_SECONDS = 20
# Longer than any transition.
AGES = 24 * 3600


@dataclass(frozen=True)
class Key:
    """An access key; temporary ones have a token."""

    id: str
    secret: str
    token: str | None = None


ACCOUNT = "1000000000000001"
KEY = Key("LTAI5tTrellisSimulator01", "TrellisSimulatorNoSecret000000")

USER_KEY = Key("LTAI5tUser00000000005", "UserSecret0000000000000000005")

# Two accounts: the second has an image of its own, and keys that may not do everything.
OTHER_ACCOUNT = "2000000000000002"
OTHER_KEY = Key("LTAI5tOtherAccount000002", "OtherSecret0000000000000000002")
READER_KEY = Key("LTAI5tReader00000000003", "ReaderSecret000000000000000003")
DISABLED_KEY = Key("LTAI5tDisabled000000004", "DisabledSecret0000000000000004")
IMAGE = "m-uf6golden0000000000001"
ACCOUNTS = {
    "accounts": [
        {
            "id": ACCOUNT,
            "accessKeys": [
                {"id": KEY.id, "secret": KEY.secret},
                {"id": USER_KEY.id, "secret": USER_KEY.secret, "user": "operator"},
            ],
        },
        {
            "id": OTHER_ACCOUNT,
            "accessKeys": [
                {"id": OTHER_KEY.id, "secret": OTHER_KEY.secret},
                {
                    "id": READER_KEY.id,
                    "secret": READER_KEY.secret,
                    "user": "reader",
                    "allow": ["*:Describe*", "*:List*", "*:Get*"],
                },
                {"id": DISABLED_KEY.id, "secret": DISABLED_KEY.secret, "disabled": True},
            ],
            "images": [{"id": IMAGE, "name": "golden", "region": "cn-shanghai"}],
        },
    ]
}


class ControlError(Exception):
    """The simulator's own API has refused."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status = status


class NotStarted(Exception):
    """The simulator has ended instead of listening."""


class Simulator:
    """A running `trellis simulate`."""

    def __init__(self, *options):
        command = [TRELLIS, "simulate", "--listen", "127.0.0.1:0", *map(str, options)]
        # A file, since nobody reads while it runs.
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http"):
            self.process.wait()
            raise NotStarted(self.told())
        self.host = self.url.split("://")[1].strip("/")
        self.port = int(self.host.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends it as `kill` does."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the simulator did not end: {self.told()}") from None

    def kill(self):
        """Ends it without a chance to write anything."""
        self.process.kill()
        self.process.wait()

    def told(self):
        """What it has written to standard error."""
        self.errors.seek(0)
        return self.errors.read()

    def lives(self):
        """Whether it still runs and answers."""
        return self.process.poll() is None and self.control("GET", "health") is not None

    def control(self, method, path, body=None, **query):
        """Calls the simulator's own API."""
        query = urllib.parse.urlencode(query)
        url = f"{self.url.rstrip('/')}/_simulator/{path}" + (f"?{query}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise ControlError(error.code, error.read().decode()) from None
        return json.loads(text) if text else {}

    def reset(self):
        """Goes back to the world as at start, without records, faults and changed settings."""
        self.control("POST", "reset", {"calls": True, "faults": True, "settings": True})

    def step(self, seconds=AGES):
        """Lets simulated time pass; without a number, long enough for every transition to end."""
        self.control("POST", "clock/step", {"seconds": seconds})

    def inventory(self, **query):
        """Everything that was made since the start and is still there."""
        return self.control("GET", "inventory", **{"added": "true", **query})

    def calls(self, **query):
        """What was called, the oldest first."""
        return self.control("GET", "calls", **query)["calls"]

    def answered(self, code="answered"):
        """The actions that were answered so since the last reset: with success, or with the code of an error."""
        counts = self.control("GET", "calls/counts")["actions"]
        return {action for action, count in counts.items() if code in count["codes"]}

    def actions(self):
        """The services, and what is declared of their actions."""
        return self.control("GET", "actions")["services"]

    def set(self, **settings):
        """Changes how the cloud behaves."""
        self.control("PATCH", "settings", settings)

    def fault(self, **fault):
        """Orders a fault."""
        return self.control("POST", "faults", fault)
