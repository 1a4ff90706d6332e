//! The address space of an object: the answer of `addresses`.

use serde::Serialize;

use super::{Addressing, is_shoot};
use crate::document::parse;
use crate::policy::answer::text;
use crate::policy::owner::is_of_provider;
use crate::policy::{Request, RequestError};

pub use crate::cidr::Family as AddressFamily;

pub(super) fn addresses(policy: &Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = Request::read(&document, &Request::MEMBERS)?;
    is_of_provider(&request, policy.about.provider)?;
    is_shoot(&request)?;
    Ok(text(&(policy.addresses)(&request)?))
}

/// What a range of addresses is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AddressRole {
    /// The cloud's network that all others lie in.
    Vpc,
    /// Nodes of all zones.
    Nodes,
    /// Nodes of one zone.
    Zone,
    /// The subnet of the worker nodes of all zones.
    Workers,
    /// The subnet of public load balancers, of one zone where zones have subnets.
    Public,
    /// The subnet of internal load balancers, of one zone where zones have subnets.
    Internal,
    /// Pods.
    Pods,
    /// Services.
    Services,
    /// Addresses that the cloud keeps for itself, or that others use already.
    Reserved,
}

/// What is wrong between two ranges: they share addresses that they must not, or one is not inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ConflictKind {
    /// They share addresses.
    Overlap,
    /// One is not inside the other.
    Outside,
}

/// A range of addresses that an object names, or that the cloud keeps for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressRange {
    /// What it is for.
    pub role: AddressRole,
    /// Name of the zone, or of the resource that others have; absent for all other ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where the object has the range, as an RFC 6901 pointer; absent for a range that the object does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The range in CIDR notation, from its first address.
    pub cidr: String,
    /// First address.
    pub first: String,
    /// Last address.
    pub last: String,
    /// Number of addresses, a decimal number that may exceed 64 bits.
    pub size: String,
}

/// Free addresses between two ranges, inside the range of the nodes and the VPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressGap {
    /// First address.
    pub first: String,
    /// Last address.
    pub last: String,
    /// Number of addresses, a decimal number that may exceed 64 bits.
    pub size: String,
    /// The largest block of the gap, in CIDR notation; of several such blocks, the first.
    pub largest: String,
}

/// Two ranges of one space that conflict. Conflicts between ranges of different protocols are in the answer of
/// `validate` only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressConflict {
    /// What is wrong.
    pub kind: ConflictKind,
    /// The two ranges, by their index in `ranges`. The rule complains about the second range. For `outside`, the
    /// second range has to be inside the first. A reserved range is always the first.
    pub ranges: [usize; 2],
    /// Id of the rule of `validate` that forbids the conflict when the object is created. Absent where no rule of
    /// this policy does: Gardener itself compares nodes, pods and services, and the cloud refuses the addresses
    /// that it reserves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// First address that both ranges have; absent for `outside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Last address that both ranges have; absent for `outside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// The address space of one protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressSpace {
    /// Which protocol.
    pub family: AddressFamily,
    /// Present where the cloud chooses the prefix from which addresses count: a sentence that says who chooses
    /// the prefix, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<&'static str>,
    /// Ranges, by first address, larger ones first.
    pub ranges: Vec<AddressRange>,
    /// Where further zones have room, by first address; empty where zones have no ranges of their own.
    pub free: Vec<AddressGap>,
    /// The conflicts between ranges, at most 1,000.
    pub conflicts: Vec<AddressConflict>,
}

/// A text that should be a range of addresses, and is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadableRange {
    /// What the range is for.
    pub role: AddressRole,
    /// Name of the zone; absent for a range that is not a zone's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is written, as an RFC 6901 pointer.
    pub pointer: String,
    /// What is written there.
    pub text: String,
}

/// What is known of the zones that can be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ZoneChoice {
    /// Names of the region's zones that the object does not use yet, as far as the CloudProfile is known.
    pub names: Vec<String>,
    /// Length of the prefix that a new zone gets where the request asks for none.
    pub prefix_length: u8,
    /// Shortest prefix for which there is room; absent where there is no room at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<u8>,
    /// Longest prefix that a zone may have.
    pub longest: u8,
}

/// The answer of `addresses`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Addresses {
    /// One space for each protocol that has ranges, IPv4 first; a space with `relative` comes last.
    pub spaces: Vec<AddressSpace>,
    /// Texts that should be ranges, and are none.
    pub unreadable: Vec<UnreadableRange>,
    /// Present where zones have ranges of their own, and the policy can read where the object has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<ZoneChoice>,
}
