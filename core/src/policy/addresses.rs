//! The address space of an object: the answer of `addresses`.

use serde::Serialize;

pub use crate::cidr::Family as AddressFamily;

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
    /// Pods.
    Pods,
    /// Services.
    Services,
    /// What the cloud keeps for itself, or others have taken already.
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
    /// Name of the zone, or of what others have taken, where it is one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is written, as an RFC 6901 pointer; absent for what is written nowhere.
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

/// Addresses in the nodes' range and the VPC that nothing uses, between two ranges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressGap {
    /// First address.
    pub first: String,
    /// Last address.
    pub last: String,
    /// Number of addresses, a decimal number that may exceed 64 bits.
    pub size: String,
    /// The largest block in it, in CIDR notation; the first one of several.
    pub largest: String,
}

/// Two ranges of one space that do not go together. Of ranges of different protocols only `validate` tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressConflict {
    /// What is wrong.
    pub kind: ConflictKind,
    /// The ranges, by their index in `ranges`. The rule speaks of the second: for `outside`, it is to be inside the
    /// first; a reserved range is always the first.
    pub ranges: [usize; 2],
    /// Id of the rule of `validate` that forbids it when the object is created; absent where none of this policy does:
    /// Gardener itself judges nodes, pods and services against each other, and the cloud what it keeps for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// First address that both have; absent for `outside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Last address that both have; absent for `outside`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// The address space of one protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AddressSpace {
    /// Which protocol.
    pub family: AddressFamily,
    /// Present where addresses are counted from a prefix that the cloud chooses: who chooses it, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<&'static str>,
    /// Ranges, by first address, larger ones first.
    pub ranges: Vec<AddressRange>,
    /// Where further zones have room, by first address.
    pub free: Vec<AddressGap>,
    /// What does not go together, at most 1,000.
    pub conflicts: Vec<AddressConflict>,
}

/// A text that should be a range and is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadableRange {
    /// What it is for.
    pub role: AddressRole,
    /// Name of the zone, where it is one's.
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
    /// Length of the prefix that a new zone gets where none is asked for.
    pub prefix_length: u8,
    /// Shortest prefix that has room; absent where none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<u8>,
    /// Longest prefix that a zone may have.
    pub longest: u8,
}

/// The answer of `addresses`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Addresses {
    /// One a protocol that has ranges, IPv4 first; a relative one last.
    pub spaces: Vec<AddressSpace>,
    /// Texts that cannot be shown.
    pub unreadable: Vec<UnreadableRange>,
    /// Present where zones have ranges of their own, and the object has a place for them that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<ZoneChoice>,
}
