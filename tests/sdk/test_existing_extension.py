"""The existing extension against the simulator: what it does to a real cloud it can do here, by as many calls."""

from collections import Counter

import oss2
import pytest

from cloud import Cloud
from extension import backups, images
from extension.bastion import GROUP, Bastion, NotRunning
from extension.caller import Caller
from extension.counted import Counted
from extension.deletion import Deletion
from extension.dns import Dns
from extension.infrastructure import Infrastructure
from extension.validation import service_linked_role
from extension.world import NAMESPACE, Config
from simulator import IMAGE, OTHER_KEY
from storage import Storage
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

# What a run without change rewrites (facts about the extension, 1.9), since it reads tags spelled `Key` alone: security
# groups and NAT gateways have them as `TagKey`, of which it sees one with an empty key. It asks to remove that one,
# which says nothing on the wire, and tags again: two calls for each of the two.
REWRITTEN = {"ecs:UntagResources": 1, "ecs:TagResources": 1, "vpc:UnTagResources": 1, "vpc:TagResources": 1}

# Routes of the custom table (2.13): those that lead to a gateway go with it here, so that deletion finds none. Each
# would be read, deleted and read again. What the cloud does with them is not documented for a deletion by force.
ROUTES = {"route table": 1, "dual-stack and route table": 2}

# Calls of creation, of a run without change and of deletion, each for one zone and for three.
CALLS = {
    "managed VPC": ((43, 73), (17, 31), (41, 75)),
    "own VPC": ((42, 72), (18, 32), (37, 71)),
    "own VPC and NAT gateway": ((40, 70), (19, 33), (32, 66)),
    "dual-stack": ((53, 89), (21, 37), (45, 79)),
    "route table": ((52, 86), (19, 33), (51, 89)),
    "dual-stack and route table": ((65, 105), (24, 40), (58, 96)),
    "own addresses": ((42, 68), (19, 35), (37, 63)),
}

# The seconds that creation waits where everything is ready at once, for one zone and for three.
BASE_SECONDS = (30, 40)
SECONDS = {
    "own VPC": (25, 35),
    "own VPC and NAT gateway": (20, 30),
    "dual-stack": (40, 60),
    "route table": (45, 65),
    "dual-stack and route table": (60, 90),
    "own addresses": (25, 35),
}


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
    created, unchanged, deleted = (counts[zones // 2] for counts in CALLS[scenario])
    deleted -= 3 * ROUTES.get(scenario, 0)
    rewritten = Counter(REWRITTEN if config.manages_nat else list(REWRITTEN)[:2])
    assert (creation.total, nothing.total, deletion.total) == (created, unchanged + rewritten.total(), deleted)
    assert not rewritten - nothing.actions
    if not call.further:
        seconds = SECONDS.get(scenario, BASE_SECONDS)[zones // 2]
        assert (creation.seconds, nothing.seconds) == (seconds, 0)
    simulator.step()
    assert simulator.inventory() == owned


def test_the_role_of_nat_gateways_is_made_once(call):
    for calls in (2, 1):
        with Counted(call) as step:
            service_linked_role(call)
        assert step.total == calls


def test_load_balancers_of_the_cluster_go_and_no_others(call, user):
    infrastructure = Infrastructure(call, Config())
    infrastructure.reconcile(creating=True)
    balancers = {}
    for owner in (NAMESPACE, "shoot--garden--other", None):
        made = user.cloud.slb("CreateLoadBalancer", LoadBalancerSpec="slb.s1.small", DeleteProtection="on")
        balancers[owner] = made["LoadBalancerId"]
        if owner:
            name = f"k8s/30080/ingress/default/{owner}"
            user.cloud.slb("CreateVServerGroup", LoadBalancerId=made["LoadBalancerId"], VServerGroupName=name)
    user.cloud.step()
    with Counted(call) as deletion:
        Deletion(infrastructure).delete()
    slb = {action.split(":")[1]: count for action, count in deletion.actions.items() if action.startswith("slb:")}
    assert slb == {
        "DescribeLoadBalancers": 1,
        "DescribeVServerGroups": 3,
        "SetLoadBalancerDeleteProtection": 1,
        "DeleteLoadBalancer": 1,
    }
    user.cloud.step()
    rows = user.cloud.slb("DescribeLoadBalancers")["LoadBalancers"]["LoadBalancer"]
    assert {row["LoadBalancerId"] for row in rows} == {balancers["shoot--garden--other"], balancers[None]}


@pytest.fixture
def bastion(simulator, call, user):
    """A bastion over an infrastructure, with two sources."""
    infrastructure = Infrastructure(call, Config())
    infrastructure.reconcile(creating=True)
    return Bastion(call, infrastructure.state, user.image(), ["203.0.113.0/24", "198.51.100.7/32"])


def test_a_bastion_comes_and_goes(simulator, call, bastion):
    before = simulator.inventory()
    simulator.set(delays={"*": 0})
    with Counted(call) as creation:
        address = bastion.reconcile()
    with Counted(call) as nothing:
        assert bastion.reconcile() == address
    assert (creation.total, nothing.total) == (4 + 15 + 2, 4 + 11)
    bastion.delete()
    simulator.step()
    assert simulator.inventory() == before


def test_a_bastion_that_starts_is_waited_for(simulator, call, bastion):
    with pytest.raises(NotRunning):
        bastion.reconcile()
    simulator.step()
    assert bastion.reconcile()
    simulator.set(delays={"ecs:DeleteInstance": 30})
    with pytest.raises(call.Error) as caught:
        # The instance is going still.
        bastion.delete()
    assert caught.value.get_error_code() == "DependencyViolation"
    simulator.step()
    bastion.delete()


def test_sources_of_a_bastion_change(call, bastion, simulator):
    simulator.set(delays={"*": 0})
    bastion.reconcile()
    bastion.sources = ["192.0.2.0/24"]
    with Counted(call) as change:
        bastion.reconcile()
    assert (change.actions["ecs:AuthorizeSecurityGroup"], change.actions["ecs:RevokeSecurityGroup"]) == (1, 2)
    with Counted(call) as nothing:
        bastion.reconcile()
    assert nothing.total == 4 + 11


def test_an_egress_rule_is_not_revoked_by_protocol_and_ports_alone(call, bastion, simulator, user):
    """The error table of `RevokeSecurityGroupEgress` has it: a destination must be given."""
    simulator.set(delays={"*": 0})
    bastion.reconcile()
    (group,) = bastion.groups(SecurityGroupName=GROUP)
    rule = {"IpProtocol": "UDP", "PortRange": "53/53", "DestCidrIp": "0.0.0.0/0"}
    user.cloud.ecs("AuthorizeSecurityGroupEgress", SecurityGroupId=group["SecurityGroupId"], **rule)
    with pytest.raises(call.Error) as caught:
        bastion.reconcile()
    assert (caught.value.get_error_code(), caught.value.get_http_status()) == ("MissingParameter.Dest", 400)


def test_records_come_change_and_go(call, user):
    for domain in ("example.com", "shoots.example.com"):
        user.domain(domain)
    dns, name = Dns(call), "*.ingress.sample.shoots.example.com"
    with Counted(call) as creation:
        domain = dns.reconcile(name, "A", ["192.0.2.1"], creating=True)
    assert (domain, creation.total) == ("shoots.example.com", 4)
    with Counted(call) as nothing:
        dns.reconcile(name, "A", ["192.0.2.1"], domain=domain)
    assert nothing.total == 1
    with Counted(call) as longer:
        dns.reconcile(name, "A", ["192.0.2.1"], ttl=600, domain=domain)
    assert longer.actions["alidns:UpdateDomainRecord"] == 1
    with Counted(call) as other:
        dns.reconcile(name, "A", ["192.0.2.2", "192.0.2.3"], ttl=600, domain=domain)
    assert (other.actions["alidns:AddDomainRecord"], other.actions["alidns:DeleteDomainRecord"]) == (2, 1)
    with Counted(call) as deletion:
        dns.delete(name, "A", domain)
    assert deletion.total == 3
    assert dns.records(domain, "*.ingress.sample", "A") == {}


def test_a_meta_record_goes_with_the_first_creation(call, user):
    user.domain()
    meta = {"RR": "comment-api", "Type": "TXT", "Value": "owner"}
    user.cloud.alidns("AddDomainRecord", DomainName="example.com", **meta)
    dns = Dns(call)
    dns.reconcile("api.example.com", "CNAME", ["lb.example.net"], creating=True)
    dns.reconcile("example.com", "TXT", ["at the top"], creating=True)
    rows = user.cloud.alidns("DescribeDomainRecords", DomainName="example.com")["DomainRecords"]["Record"]
    assert {(row["RR"], row["Value"]) for row in rows} == {("api", "lb.example.net"), ("@", "at the top")}


@pytest.fixture
def bucket(simulator):
    """Signed as the Go SDK signs: V1."""
    return Storage(simulator, "v1").bucket("shoot-backups")


def test_a_bucket_comes_and_goes(call, bucket):
    for total in (5, 2):
        with Counted(call) as step:
            backups.reconcile(bucket)
        assert step.total == total
    bucket.put_object("a/b", b"c")
    backups.delete_bucket(bucket)
    with pytest.raises(oss2.exceptions.NoSuchBucket):
        bucket.get_bucket_info()
    backups.delete_bucket(bucket)


def test_a_bucket_gets_a_locked_retention(call, bucket):
    for total in (9, 3):
        with Counted(call) as step:
            backups.reconcile(bucket, days=3, locked=True)
        assert step.total == total
    backups.reconcile(bucket, days=5, locked=True)
    found = backups.retention(bucket)
    assert (found.state, found.retention_period_days) == ("Locked", 5)


def test_an_unlocked_retention_goes_where_none_is_wanted(bucket):
    backups.reconcile(bucket, days=3)
    assert backups.retention(bucket).state == "InProgress"
    backups.reconcile(bucket)
    assert backups.retention(bucket) is None


def test_objects_of_an_entry_go_page_by_page(call, bucket):
    backups.reconcile(bucket)
    for number in range(1001):
        bucket.put_object(f"shoot--garden--sample--uid/etcd-main/v2/{number} ä", b"")
    bucket.put_object("shoot--garden--other--uid/etcd-main", b"")
    with Counted(call) as deletion:
        backups.delete_entry(bucket, "shoot--garden--sample--uid/")
    assert deletion.actions == {"oss:ListObjects": 3, "oss:DeleteMultipleObjects": 2}
    assert [row.key for row in bucket.list_objects().object_list] == ["shoot--garden--other--uid/etcd-main"]


def test_objects_that_must_stay_expire_later(bucket):
    backups.reconcile(bucket, days=3, locked=True)
    bucket.put_object("entry/kept", b"")
    backups.delete_entry(bucket, "entry/")
    assert bucket.get_object_tagging("entry/kept").tag_set.tagging_rule == {"gc-marked-for-deletion": "true"}
    rules = bucket.get_bucket_lifecycle().rules
    assert [rule.id for rule in rules][:1] == ["GC-forTaggedObjects"]
    assert [rule.abort_multipart_upload and rule.abort_multipart_upload.days for rule in rules] == [None, 7]


def test_an_image_is_shared_and_copied_encrypted_once(simulator, call):
    owner = Caller(simulator, key=OTHER_KEY)
    for total in (3, 2):
        with Counted(call) as step:
            images.share(call, owner, IMAGE)
        assert step.total == total
    with Counted(call) as creation:
        copy = images.encrypted(call, "gardenlinux", "1592.1.0", IMAGE)
    (row,) = call.ecs("DescribeImages", ImageId=copy)["Images"]["Image"]
    assert (row["Status"], row["ImageName"]) == ("Available", f"gardenlinux-1592.1.0-cn-shanghai-{IMAGE}-encrypted")
    assert creation.actions["ros:CreateStack"] == 1
    with Counted(call) as nothing:
        assert images.encrypted(call, "gardenlinux", "1592.1.0", IMAGE) == copy
    assert nothing.actions == {"ecs:DescribeImages": 2, "ros:ListStacks": 1, "ros:GetStack": 1}
