"""How the existing extension calls: requests, pages, waits and tags."""

import json
import math
from collections import Counter
from dataclasses import dataclass

from aliyunsdkcore.acs_exception.exceptions import ServerException
from aliyunsdkcore.client import AcsClient
from aliyunsdkcore.http.protocol_type import HTTP
from aliyunsdkcore.request import CommonRequest

from cloud import REGION
from generations import READ_SECONDS, SERVICES, flattened
from kinds import place
from simulator import KEY

WAIT_SECONDS = 5
PAGE_SIZE = 10


@dataclass(frozen=True)
class Kind:
    """A kind of resource as it is read."""

    service: str
    action: str
    rows: str
    id: str
    # Pages go by a token, whose size is not given, instead of a number.
    token: bool = False


KINDS = {
    "vpc": Kind("vpc", "DescribeVpcs", "Vpcs.Vpc", "VpcId"),
    "vswitch": Kind("vpc", "DescribeVSwitches", "VSwitches.VSwitch", "VSwitchId"),
    "nat": Kind("vpc", "DescribeNatGateways", "NatGateways.NatGateway", "NatGatewayId"),
    "eip": Kind("vpc", "DescribeEipAddresses", "EipAddresses.EipAddress", "AllocationId"),
    "snat": Kind("vpc", "DescribeSnatTableEntries", "SnatTableEntries.SnatTableEntry", "SnatEntryId"),
    "table": Kind("vpc", "DescribeRouteTableList", "RouterTableList.RouterTableListType", "RouteTableId"),
    "route": Kind("vpc", "DescribeRouteEntryList", "RouteEntrys.RouteEntry", "RouteEntryId", token=True),
    "ipv6": Kind("vpc", "DescribeIpv6Gateways", "Ipv6Gateways.Ipv6Gateway", "Ipv6GatewayId"),
    "group": Kind("ecs", "DescribeSecurityGroups", "SecurityGroups.SecurityGroup", "SecurityGroupId", token=True),
}


class Caller:
    """Requests as the Go SDK sends them: POST, all parameters in the query, signed by HMAC-SHA1."""

    Error = ServerException

    def __init__(self, simulator, key=KEY, region=REGION):
        self.simulator = simulator
        self.region = region
        self.client = AcsClient(ak=key.id, secret=key.secret, region_id=region, auto_retry=False, timeout=READ_SECONDS)
        # Probes beyond the first of each wait, and the simulated seconds that waits took.
        self.further = Counter()
        self.waited = 0

    def __getattr__(self, service):
        if service not in SERVICES:
            raise AttributeError(service)
        return lambda action, **parameters: self.call(service, action, parameters)

    def call(self, service, action, parameters):
        """The answer. What is empty is not sent."""
        request = CommonRequest(self.simulator.host, SERVICES[service][0], action)
        for name, value in flattened(parameters):
            if value != "":
                request.add_query_param(name, value)
        request.set_method("POST")
        request.set_protocol_type(HTTP)
        return json.loads(self.client.do_action_with_exception(request))

    def rows(self, kind, **filters):
        """All rows that a read gives, page by page."""
        kind = KINDS[kind]
        return self.by_token(kind, filters) if kind.token else self.by_number(kind, filters)

    def by_number(self, kind, filters):
        found, number, last = [], 0, 1
        while number < last:
            number += 1
            page = self.call(kind.service, kind.action, {**filters, "PageSize": PAGE_SIZE, "PageNumber": number})
            found += place(page, kind.rows)
            last = math.ceil(page["TotalCount"] / PAGE_SIZE)
        return found

    def by_token(self, kind, filters):
        found, more = [], {}
        while more is not None:
            page = self.call(kind.service, kind.action, {**filters, **more})
            found += place(page, kind.rows)
            more = {"NextToken": page["NextToken"]} if page.get("NextToken") else None
        return found

    def one(self, kind, id=None, **filters):
        """The first row, of an id or of other filters; none where nothing is found."""
        if id is not None:
            filters = {**filters, KINDS[kind].id: id}
        return next(iter(self.rows(kind, **filters)), None)

    def until(self, done, kind, id, **scope):
        """Waits and reads by turns until the row is as it should be, and gives it."""
        action = KINDS[kind].action
        yield
        while not done(row := self.one(kind, id, **scope)):
            self.further[f"{KINDS[kind].service}:{action}"] += 1
            yield
        return row

    def until_available(self, kind, id, **scope):
        return self.until(lambda row: row is not None and row["Status"] == "Available", kind, id, **scope)

    def until_gone(self, kind, id, **scope):
        return self.until(lambda row: row is None, kind, id, **scope)

    def run(self, task):
        """Runs a task to its end while simulated time passes; what it returns."""
        while True:
            try:
                next(task)
            except StopIteration as end:
                return end.value
            self.simulator.step(WAIT_SECONDS)
            self.waited += WAIT_SECONDS

    def tagged(self, type, tags, service="vpc"):
        """The ids of what has all these tags."""
        tags = [{"Key": key, "Value": value} for key, value in tags.items()]
        found, more = [], {}
        while more is not None:
            page = self.call(service, "ListTagResources", {"ResourceType": type, "Tag": tags, **more})
            found += [row["ResourceId"] for row in place(page, "TagResources.TagResource")]
            more = {"NextToken": page["NextToken"]} if page.get("NextToken") else None
        return list(dict.fromkeys(found))

    def retag(self, type, id, wanted, current, service="vpc"):
        """Removes the tags that are others, adds those that are missing."""
        surplus = [key for key, value in current.items() if wanted.get(key) != value]
        missing = {key: value for key, value in wanted.items() if current.get(key) != value}
        resource = {"ResourceType": type, "ResourceId": [id]}
        if surplus:
            untag = "UnTagResources" if service == "vpc" else "UntagResources"
            self.call(service, untag, {**resource, "TagKey": surplus})
        if missing:
            tags = [{"Key": key, "Value": value} for key, value in missing.items()]
            self.call(service, "TagResources", {**resource, "Tag": tags})


def tags_seen(row):
    """The tags of a row as the extension sees them: those spelled `Key`. Others are all one with an empty key."""
    return {tag.get("Key", ""): tag.get("Value", "") for tag in place(row, "Tags.Tag")}


def together(*tasks):
    """Tasks side by side: each goes on until it waits."""
    while tasks := [task for task in tasks if next(task, "ended") != "ended"]:
        yield
