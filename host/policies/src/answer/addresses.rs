//! The answers about the address space of an object.

use serde::{Deserialize, Serialize};

use super::{PatchOperation, Undecided};

/// The answer of `addresses`.
#[derive(Debug, Deserialize, Serialize)]
pub struct Addresses {
    /// One entry for each protocol that has ranges.
    pub spaces: Vec<AddressSpace>,
    /// Texts that should be ranges and cannot be read as such.
    pub unreadable: Vec<UnreadableRange>,
    /// What is known of the zones that can be added; none where zones have no ranges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zones: Option<ZoneChoice>,
}

/// The address space of one protocol.
#[derive(Debug, Deserialize, Serialize)]
pub struct AddressSpace {
    /// `IPv4` or `IPv6`.
    pub family: String,
    /// Present where addresses are counted from a prefix that the cloud chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
    /// Ranges, by first address.
    pub ranges: Vec<AddressRange>,
    /// Where further zones have room.
    pub free: Vec<AddressGap>,
    /// Pairs of ranges that conflict.
    pub conflicts: Vec<AddressConflict>,
}

/// A range of addresses.
#[derive(Debug, Deserialize, Serialize)]
pub struct AddressRange {
    /// What it is for.
    pub role: String,
    /// Name of the zone, or of what others have taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The range in CIDR notation.
    pub cidr: String,
    /// First address.
    pub first: String,
    /// Last address.
    pub last: String,
    /// Number of addresses.
    pub size: String,
}

/// Addresses that nothing uses.
#[derive(Debug, Deserialize, Serialize)]
pub struct AddressGap {
    /// First address.
    pub first: String,
    /// Last address.
    pub last: String,
    /// Number of addresses.
    pub size: String,
    /// The largest block in the gap.
    pub largest: String,
}

/// Two ranges that conflict.
#[derive(Debug, Deserialize, Serialize)]
pub struct AddressConflict {
    /// `overlap` or `outside`.
    pub kind: String,
    /// The ranges, by their index.
    pub ranges: [usize; 2],
    /// Id of the rule that forbids it, if one of the policy does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// First address that both have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Last address that both have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// A text that should be a range and cannot be read as such.
#[derive(Debug, Deserialize, Serialize)]
pub struct UnreadableRange {
    /// What it is for.
    pub role: String,
    /// Name of the zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is written.
    pub pointer: String,
    /// What is written there.
    pub text: String,
}

/// What is known of the zones that can be added.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ZoneChoice {
    /// Names of zones.
    pub names: Vec<String>,
    /// Length of the prefix that a new zone gets by default.
    pub prefix_length: u8,
    /// Shortest prefix that has room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<u8>,
    /// Longest prefix that a zone may have.
    pub longest: u8,
}

/// The answer of `zones`.
#[derive(Debug, Deserialize, Serialize)]
pub struct AddedZones {
    /// The zones that are added.
    pub zones: Vec<AddressRange>,
    /// The RFC 6902 patch that adds the zones to the object.
    pub patch: Vec<PatchOperation>,
    /// What the policy could not take into account.
    #[serde(default)]
    pub undecided: Vec<Undecided>,
}
