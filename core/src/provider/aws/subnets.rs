//! What AWS makes of subnets. Source: "Subnet sizing" in the user guide of Amazon VPC.

use crate::gardener::addresses::Sizes;

/// The sizes of subnets and VPCs.
pub const SIZES: Sizes = Sizes { shortest: 16, longest: 28, subnet: "subnet" };
/// Addresses of a subnet that no node gets: the first four and the last.
pub const RESERVED_ADDRESSES: u128 = 5;
