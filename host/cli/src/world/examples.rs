//! What the examples name as already there: a VPC with a NAT gateway, and an elastic IP; and the role for NAT
//! gateways, which an account keeps from its first one on. A simulated cloud begins with them, so that every
//! example can be applied, and the first run makes the calls that a preview counts.

use trellis_simulator::world::World;

/// Ids of what the examples name.
pub(crate) const IDS: [&str; 2] = ["vpc-gw8example0000000000a", "eip-gw8example0000000000a"];

/// The world that has them, as the simulator writes a world.
const WORLD: &str = include_str!("examples.json");

/// The world at the start.
pub(super) fn world() -> serde_json::Result<World> {
    serde_json::from_str(WORLD)
}
