//! Builders of calls, attributes and probes, as far as Alibaba Cloud has ways of its own.

use crate::call::Call;
use crate::gardener::planning::steps;
pub use crate::gardener::planning::steps::{
    Listing, Parameter, Parameters, create, ids, reference, report, step, text, update,
};
use crate::plan::Attribute;
use crate::policy::{Condition, Probe};
pub use crate::provider::alicloud::queries::{IMAGES, Region, VSWITCHES};
pub use crate::provider::alicloud::tags::{Tagged, tags};

/// Most seconds that a run waits for a VPC, an address, a route table, or for something to be gone
/// (`alicloud-cloud` 2.2, 2.14).
pub const SHORT: u32 = 90;
/// Most seconds that a run waits for anything else.
pub const LONG: u32 = 300;

/// The status of a resource that others may use.
const AVAILABLE: &str = "Available";

impl Region<'_> {
    /// A call to the API of networks.
    pub fn vpc(self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        self.call("vpc", action, parameters)
    }

    /// A call to the API of servers, which security groups and images belong to.
    pub fn ecs(self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        self.call("ecs", action, parameters)
    }
}

/// VPCs in a response.
pub const VPCS: Listing = Listing { list: "/Vpcs/Vpc", key: "VpcId" };
/// NAT gateways in a response.
pub const NAT_GATEWAYS: Listing = Listing { list: "/NatGateways/NatGateway", key: "NatGatewayId" };
/// Elastic IPs in a response.
pub const EIPS: Listing = Listing { list: "/EipAddresses/EipAddress", key: "AllocationId" };
/// SNAT entries in a response.
pub const SNAT_ENTRIES: Listing = Listing { list: "/SnatTableEntries/SnatTableEntry", key: "SnatEntryId" };
/// Route tables in a response.
pub const ROUTE_TABLES: Listing = Listing { list: "/RouterTableList/RouterTableListType", key: "RouteTableId" };
/// Route entries in a response.
pub const ROUTE_ENTRIES: Listing = Listing { list: "/RouteEntrys/RouteEntry", key: "RouteEntryId" };
/// IPv6 gateways in a response.
pub const IPV6_GATEWAYS: Listing = Listing { list: "/Ipv6Gateways/Ipv6Gateway", key: "Ipv6GatewayId" };
/// Network load balancers in a response.
pub const LOAD_BALANCERS: Listing = Listing { list: "/LoadBalancers", key: "LoadBalancerId" };

impl Listing {
    /// A probe that waits until the item with an id is available.
    pub fn available(self, call: Call, id: Parameter<'_>, limit: u32) -> Probe {
        self.probe(call, id, Condition::Among { at: "/Status", among: &[AVAILABLE] }, limit)
    }
}

/// The status as an attribute: a resource must be available before others use it.
pub fn status(resource: &str, found: &str, probe: Probe) -> Attribute {
    steps::status(resource, AVAILABLE, found, probe)
}
