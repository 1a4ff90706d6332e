"""The official SDKs, each behind one way to call: an action and its parameters as they are named on the wire.

They call the simulator, or another `host`: an empty one leaves it to the SDK to know where the cloud is.
"""

import importlib
import json

from alibabacloud_tea_openapi.exceptions import AlibabaCloudException, ThrottlingException
from alibabacloud_tea_openapi.utils_models import Config
from aliyunsdkcore.acs_exception.exceptions import ServerException
from aliyunsdkcore.auth.credentials import StsTokenCredential
from aliyunsdkcore.client import AcsClient
from aliyunsdkcore.http.protocol_type import HTTP, HTTPS
from aliyunsdkcore.request import CommonRequest
from darabonba.runtime import RuntimeOptions

# Each service: its version, and the packages of both generations as far as there are some.
SERVICES = {
    "vpc": ("2016-04-28", "alibabacloud_vpc20160428", "aliyunsdkvpc.request.v20160428"),
    "ecs": ("2014-05-26", "alibabacloud_ecs20140526", "aliyunsdkecs.request.v20140526"),
    "slb": ("2014-05-15", "alibabacloud_slb20140515", None),
    "nlb": ("2022-04-30", "alibabacloud_nlb20220430", None),
    "ram": ("2015-05-01", "alibabacloud_ram20150501", None),
    "resourcemanager": ("2020-03-31", "alibabacloud_resourcemanager20200331", None),
    "sts": ("2015-04-01", "alibabacloud_sts20150401", None),
    "ros": ("2019-09-10", "alibabacloud_ros20190910", None),
    "alidns": ("2015-01-09", "alibabacloud_alidns20150109", None),
}
READ_SECONDS = 30


class New:
    """`alibabacloud_*`: every answer goes through the SDK's response model, which keeps what it knows."""

    Error = AlibabaCloudException
    Throttled = ThrottlingException

    def __init__(self, simulator, key, region, algorithm=None, authority=None, seconds=READ_SECONDS, host=None):
        self.config = {
            "access_key_id": key.id,
            "access_key_secret": key.secret,
            "security_token": key.token,
            "endpoint": simulator.host if host is None else host or None,
            "protocol": simulator.url.split("://")[0].upper(),
            "region_id": region,
            "signature_algorithm": algorithm,
            "ca": authority,
            "read_timeout": int(seconds * 1000),
        }
        self.region = region
        self.clients = {}

    def call(self, service, action, parameters):
        """The answer as the SDK's model writes it."""
        models = importlib.import_module(SERVICES[service][1] + ".models")
        method = self.methods(service)[action.lower()]
        model = getattr(models, action + "Request", None)
        if model is None:
            return method(RuntimeOptions()).body.to_map()
        request = model().from_map(parameters)
        for name in [name for name, value in vars(request).items() if value == []]:
            # What was not given is not sent.
            setattr(request, name, None)
        unknown = parameters.keys() - request.to_map().keys()
        if unknown:
            raise TypeError(f"{action} of the SDK has no {', '.join(sorted(unknown))}")
        if hasattr(request, "region_id") and request.region_id is None:
            request.region_id = self.region
        return method(request, RuntimeOptions()).body.to_map()

    def methods(self, service):
        """The methods of a service's client by the action in lower case: the SDK cuts words its own way."""
        if service not in self.clients:
            client = importlib.import_module(SERVICES[service][1] + ".client").Client(Config(**self.config))
            end = "_with_options"
            self.clients[service] = {
                name.removesuffix(end).replace("_", ""): getattr(client, name)
                for name in dir(client)
                if name.endswith(end)
            }
        return self.clients[service]

    @staticmethod
    def outcome(error):
        """Code and status of an error."""
        return error.code, error.status_code


class Old:
    """`aliyun-python-sdk-*`: classes of requests where there is a package, `CommonRequest` for other services."""

    Error = ServerException

    def __init__(
        self, simulator, key, region, method="POST", authority=None, format="JSON", seconds=READ_SECONDS, host=None
    ):
        session = key.token and StsTokenCredential(key.id, key.secret, key.token)
        who = {"credential": session} if session else {"ak": key.id, "secret": key.secret}
        self.client = AcsClient(region_id=region, auto_retry=False, timeout=seconds, verify=authority, **who)
        self.host = simulator.host if host is None else host
        # The SDK compares it by identity.
        self.protocol = HTTPS if simulator.url.startswith("https") else HTTP
        self.method = method
        self.format = format

    def call(self, service, action, parameters):
        """The answer; text where it is XML."""
        version, _, package = SERVICES[service]
        if package:
            name = action + "Request"
            request = getattr(importlib.import_module(f"{package}.{name}"), name)()
            for name, value in parameters.items():
                setter = getattr(request, f"set_{name}", None) or getattr(request, f"set_{name}s")
                setter(value)
        else:
            request = CommonRequest(self.host, version, action)
            put = request.add_body_params if service == "nlb" and self.method == "POST" else request.add_query_param
            for name, value in flattened(parameters):
                put(name, value)
        if self.host:
            request.set_endpoint(self.host)
        request.set_method(self.method)
        request.set_protocol_type(self.protocol)
        request.set_accept_format(self.format)
        if self.format == "XML":
            return self.client.do_action(request).decode()
        return json.loads(self.client.do_action_with_exception(request))

    @staticmethod
    def outcome(error):
        """Code and status of an error."""
        return error.get_error_code(), error.get_http_status()


def flattened(parameters, prefix=""):
    """Names and values as they are sent: `Tag.1.Key`."""
    for name, value in parameters.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield from flattened({str(number): item for number, item in enumerate(value, 1)}, f"{prefix}{name}.")
        else:
            yield prefix + name, value


GENERATIONS = {
    "new": New,
    "new-sha1": lambda *arguments, **more: New(*arguments, algorithm="v2", **more),
    "old-get": lambda *arguments, **more: Old(*arguments, method="GET", **more),
    "old-post": Old,
}
