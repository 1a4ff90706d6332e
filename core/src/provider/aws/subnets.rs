//! What AWS makes of subnets. Source: "Subnet sizing" in the user guide of Amazon VPC.

/// Shortest prefix of a subnet and of a VPC.
pub const SHORTEST: u8 = 16;
/// Longest prefix of a subnet and of a VPC.
pub const LONGEST: u8 = 28;
/// Addresses of a subnet that no node gets: the first four and the last.
pub const RESERVED_ADDRESSES: u128 = 5;
