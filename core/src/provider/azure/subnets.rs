//! What Azure makes of subnets. Source: "What address ranges can I use in my virtual networks?" and "Are there any
//! restrictions on using IP addresses within these subnets?" in the questions and answers on Azure Virtual
//! Network.

use crate::gardener::addresses::{Outer, Sizes};

/// How large subnets may be.
pub const SIZES: Sizes = Sizes { shortest: 2, longest: 29, subnet: "subnet" };

/// Addresses of a subnet that no node gets: the first four and the last.
pub const RESERVED_ADDRESSES: u128 = 5;

/// The virtual network, which the subnets lie in.
pub const VNET: Outer = Outer { key: "vnet", name: "virtual network" };
