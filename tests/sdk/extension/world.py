"""What a Shoot asks for, the state that is kept between runs, and names."""

from dataclasses import dataclass, field

NAMESPACE = "shoot--garden--sample"
CLUSTER_TAG = {f"kubernetes.io/cluster/{NAMESPACE}": "1"}
VPC_BLOCK = "10.250.0.0/16"
POD_BLOCK = "100.64.0.0/12"
ZONES = ["cn-shanghai-b", "cn-shanghai-g", "cn-shanghai-m"]


@dataclass(frozen=True)
class Config:
    """An infrastructure config, as far as it decides which calls are made."""

    zones: int = 1
    # The user's VPC, and whether the NAT gateway in it is managed nevertheless.
    vpc: str | None = None
    managed_nat: bool = False
    dual_stack: bool = False
    route_table: bool = False
    # The user's elastic address of each zone.
    eips: tuple[str, ...] = ()

    @property
    def names(self):
        """The zones."""
        return ZONES[: self.zones]

    @property
    def manages_nat(self):
        return self.vpc is None or self.managed_nat


@dataclass
class Zone:
    """What is known of a zone."""

    suffix: str
    vswitch: str | None = None
    eip: str | None = None
    address: str | None = None


@dataclass
class State:
    """The identifiers that are kept from run to run."""

    vpc: str | None = None
    group: str | None = None
    nat: str | None = None
    ipv6: str | None = None
    table: str | None = None
    zones: dict[str, Zone] = field(default_factory=dict)


def block(zone):
    """The workers' addresses of a zone."""
    return f"10.250.{ZONES.index(zone)}.0/24"


def vswitch_name(zone):
    return f"{NAMESPACE}-{zone}-vsw"


def tags(name):
    """The tags of a managed resource, its name being the namespace with something behind."""
    return {"Name": f"{NAMESPACE}-{name}" if name else NAMESPACE, **CLUSTER_TAG}
