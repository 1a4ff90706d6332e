//! The part of the cloud that a plan is about, as the facts show it.
//!
//! Texts are those of the API; a text that a response leaves out is empty.

use crate::provider::alicloud::security_groups::SecurityGroup;

/// What the facts say of the cloud. A list has what may concern the Shoot: what is in its VPC, has its tags, or
/// is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The VPC that is configured, recorded or tagged.
    pub vpc: Option<Vpc>,
    /// Every VSwitch of the VPC, also one that somebody else owns.
    pub vswitches: Vec<VSwitch>,
    /// Every NAT gateway of the VPC, also one that somebody else owns.
    pub nat_gateways: Vec<NatGateway>,
    /// Elastic IPs that are recorded, tagged, or named by the configuration.
    pub eips: Vec<Eip>,
    /// Every SNAT entry of the NAT gateway in use.
    pub snat_entries: Vec<SnatEntry>,
    /// Security groups of the VPC that are recorded, tagged or named as ours.
    pub security_groups: Vec<SecurityGroup>,
    /// All other security groups of the VPC; only read where the plan deletes the network.
    pub foreign_security_groups: Vec<SecurityGroup>,
    /// Route tables that are recorded, tagged or named as ours.
    pub route_tables: Vec<RouteTable>,
    /// Custom entries of the route table in use.
    pub route_entries: Vec<RouteEntry>,
    /// IPv6 gateways of the VPC.
    pub ipv6_gateways: Vec<Ipv6Gateway>,
    /// Zones that offer enhanced NAT gateways; `None` where no plan needs them.
    pub nat_zones: Option<Vec<String>>,
    /// Whether the service-linked role for NAT gateways exists; `None` where no plan needs it.
    pub nat_role: Option<Role>,
    /// Load balancers that the Shoot left behind; only read where the plan deletes its network.
    pub load_balancers: Vec<LoadBalancer>,
    /// Id of the account that the credentials belong to; empty where nobody knows it.
    pub account: String,
    /// Images that somebody has asked about.
    pub images: Vec<Image>,
    /// Stacks of ROS that create encrypted copies of images.
    pub stacks: Vec<Stack>,
    /// Instances that still have the legacy key pair.
    pub key_pair_instances: Vec<String>,
}

pub use crate::gardener::planning::Tags;

/// A VPC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vpc {
    /// `VpcId`
    pub id: String,
    /// `VpcName`
    pub name: String,
    /// `CidrBlock`
    pub cidr: String,
    /// `Ipv6CidrBlock`; empty while IPv6 is off.
    pub ipv6_cidr: String,
    /// `Status`: `Pending` or `Available`.
    pub status: String,
    /// `Tags`
    pub tags: Tags,
}

/// A VSwitch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VSwitch {
    /// `VSwitchId`
    pub id: String,
    /// `VSwitchName`
    pub name: String,
    /// `ZoneId`
    pub zone: String,
    /// `CidrBlock`
    pub cidr: String,
    /// `Ipv6CidrBlock`; empty without IPv6.
    pub ipv6_cidr: String,
    /// `Status`: `Pending` or `Available`.
    pub status: String,
    /// `RouteTable.RouteTableId`: the table that it is associated with.
    pub route_table: String,
    /// `Tags`
    pub tags: Tags,
}

/// A NAT gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NatGateway {
    /// `NatGatewayId`
    pub id: String,
    /// `Name`
    pub name: String,
    /// `NatGatewayPrivateInfo.VswitchId`
    pub vswitch: String,
    /// `Status`: `Creating`, `Available`, `Modifying`, `Deleting`, …
    pub status: String,
    /// `SnatTableIds.SnatTableId`
    pub snat_tables: Vec<String>,
    /// `IpLists.IpList`: allocation ids and addresses of the elastic IPs that are associated.
    pub addresses: Vec<(String, String)>,
    /// `Tags`
    pub tags: Tags,
}

/// An elastic IP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Eip {
    /// `AllocationId`
    pub id: String,
    /// `Name`
    pub name: String,
    /// `IpAddress`
    pub address: String,
    /// `Bandwidth`, in Mbit/s.
    pub bandwidth: String,
    /// `InternetChargeType`: `PayByTraffic` or `PayByBandwidth`.
    pub charge_type: String,
    /// `Status`: `Associating`, `Unassociating`, `InUse`, `Available` or `Releasing`.
    pub status: String,
    /// `InstanceId`: what it is associated with; empty where it is free.
    pub instance: String,
    /// `InstanceType` of that: `Nat`, `EcsInstance`, …
    pub instance_type: String,
    /// `Tags`
    pub tags: Tags,
}

/// A SNAT entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnatEntry {
    /// `SnatEntryId`
    pub id: String,
    /// `SnatEntryName`
    pub name: String,
    /// `SnatTableId`
    pub table: String,
    /// `SourceVSwitchId`
    pub vswitch: String,
    /// `SnatIp`: the addresses through which it leads, sorted. More than one where somebody has added addresses.
    pub addresses: Vec<String>,
    /// `Status`: `Pending`, `Available`, `Modifying` or `Deleting`.
    pub status: String,
}

impl SnatEntry {
    /// Whether it leads through an address.
    pub fn leads_through(&self, address: &str) -> bool {
        self.addresses.iter().any(|known| known == address)
    }
}

/// A route table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteTable {
    /// `RouteTableId`
    pub id: String,
    /// `RouteTableName`
    pub name: String,
    /// `Status`: `Pending` or `Available`.
    pub status: String,
    /// `VSwitchIds.VSwitchId`: the VSwitches that are associated with it.
    pub vswitches: Vec<String>,
    /// `Tags`
    pub tags: Tags,
}

/// A custom entry of a route table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteEntry {
    /// `RouteEntryId`
    pub id: String,
    /// `DestinationCidrBlock`
    pub destination: String,
    /// `NextHops.NextHop[0].NextHopId`, else `InstanceId`.
    pub next_hop: String,
    /// `Status`: `Pending`, `Available` or `Modifying`.
    pub status: String,
}

/// An IPv6 gateway.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ipv6Gateway {
    /// `Ipv6GatewayId`
    pub id: String,
    /// `Name`
    pub name: String,
    /// `Status`: `Pending`, `Available` or `Deleting`.
    pub status: String,
    /// `Tags`
    pub tags: Tags,
}

/// What the cloud says of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It exists, and belongs to the service.
    ServiceLinked,
    /// A role of that name exists that does not belong to the service.
    Other,
    /// It does not exist.
    Missing,
}

/// A kind of load balancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadBalancerKind {
    /// Server load balancer (classic).
    Slb,
    /// Network load balancer.
    Nlb,
}

/// A load balancer that the Shoot's cloud controller manager created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadBalancer {
    /// Its kind.
    pub kind: LoadBalancerKind,
    /// `LoadBalancerId`
    pub id: String,
    /// `LoadBalancerName`
    pub name: String,
    /// Whether it is protected against deletion.
    pub protected: bool,
}

/// A machine image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// `ImageId`
    pub id: String,
    /// Whether the Shoot's account sees it.
    pub visible: bool,
    /// `ImageOwnerAlias`: `system`, `self`, `others` or `marketplace`.
    pub owner: String,
}

/// A stack of ROS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// `StackName`
    pub name: String,
    /// `StackId`
    pub id: String,
}
