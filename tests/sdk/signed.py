"""Requests signed by hand, for what no SDK can be made to send."""

import base64
import hashlib
import hmac
import http.client
import json
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from simulator import KEY


def encode(text):
    """Percent-encodes as signatures have it."""
    return quote(str(text), safe="-_.~")


def query(parameters):
    """A query string in the order of signatures."""
    return "&".join(f"{encode(name)}={encode(value)}" for name, value in sorted(parameters.items()))


def timestamp(minutes=0):
    """The time of so many minutes from now on, as requests write it."""
    return (datetime.now(UTC) + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Answer:
    """What came back."""

    status: int
    body: str
    headers: dict

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def outcome(self):
        """Code and status of an error."""
        return self.json["Code"], self.status


@dataclass(frozen=True)
class Request:
    """A request as it goes over the wire; `replace` makes another of it after it was signed."""

    method: str
    path: str
    query: dict
    headers: dict
    body: bytes = b""

    def changed(self, **changes):
        """The same with other parts; those of `query` and `headers` are added."""
        for name in ("query", "headers"):
            if name in changes:
                changes[name] = {**getattr(self, name), **changes[name]}
        return replace(self, **changes)

    def send(self, simulator):
        connection = http.client.HTTPConnection("127.0.0.1", simulator.port, timeout=30)
        target = self.path + ("?" + query(self.query) if self.query else "")
        connection.request(self.method, target, self.body or None, {"host": simulator.host, **self.headers})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return Answer(answer.status, body, {name.lower(): value for name, value in answer.getheaders()})


@dataclass
class Rpc:
    """The older generation: parameters, signed by HMAC-SHA1."""

    version: str = "2016-04-28"
    method: str = "GET"
    format: str = "JSON"
    more: dict = field(default_factory=dict)

    def request(self, simulator, action, parameters, key=KEY):
        signed = {
            "Action": action,
            "Version": self.version,
            "Format": self.format,
            "AccessKeyId": key.id,
            "SignatureMethod": "HMAC-SHA1",
            "SignatureVersion": "1.0",
            "SignatureNonce": uuid.uuid4(),
            "Timestamp": timestamp(),
            "RegionId": "cn-shanghai",
            **({"SecurityToken": key.token} if key.token else {}),
            **parameters,
            **self.more,
        }
        signed = {name: str(value) for name, value in signed.items() if value is not None}
        text = "&".join([self.method, encode("/"), encode(query(signed))])
        digest = hmac.new(f"{key.secret}&".encode(), text.encode(), hashlib.sha1).digest()
        signed["Signature"] = base64.b64encode(digest).decode()
        if self.method == "GET":
            return Request("GET", "/", signed, {})
        form = {"content-type": "application/x-www-form-urlencoded"}
        return Request("POST", "/", {}, form, query(signed).encode())


@dataclass
class Acs3:
    """The newer generation: the whole request, signed by ACS3-HMAC-SHA256."""

    version: str = "2016-04-28"
    method: str = "POST"
    more: dict = field(default_factory=dict)
    body: bytes = b""

    def request(self, simulator, action, parameters, key=KEY):
        headers = {
            "host": simulator.host,
            "x-acs-action": action,
            "x-acs-version": self.version,
            "x-acs-date": timestamp(),
            "x-acs-signature-nonce": str(uuid.uuid4()),
            "x-acs-content-sha256": hashlib.sha256(self.body).hexdigest(),
            **({"x-acs-security-token": key.token} if key.token else {}),
            **({"content-type": "application/x-www-form-urlencoded"} if self.body else {}),
            **self.more,
        }
        headers = {name: value for name, value in headers.items() if value is not None}
        parameters = {"RegionId": "cn-shanghai", **parameters}
        names = ";".join(sorted(headers))
        lines = "".join(f"{name}:{headers[name].strip()}\n" for name in sorted(headers))
        digest = headers.get("x-acs-content-sha256", "")
        canonical = "\n".join([self.method, "/", query(parameters), lines, names, digest])
        text = "ACS3-HMAC-SHA256\n" + hashlib.sha256(canonical.encode()).hexdigest()
        signature = hmac.new(key.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
        headers["authorization"] = f"ACS3-HMAC-SHA256 Credential={key.id},SignedHeaders={names},Signature={signature}"
        return Request(self.method, "/", parameters, headers, self.body)
