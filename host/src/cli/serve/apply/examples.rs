//! What the examples name as already there: a VPC with a NAT gateway, and an elastic IP. The simulated cloud begins with
//! them, so that every example can be applied.

use trellis_simulator::world::World;

/// Ids of what the examples name.
pub(super) const IDS: [&str; 2] = ["vpc-gw8example0000000000a", "eip-gw8example0000000000a"];

/// The world that has them, as the simulator writes a world.
const WORLD: &str = include_str!("examples.json");

/// The world at the start.
pub(super) fn world() -> Result<World, String> {
    serde_json::from_str(WORLD).map_err(|error| format!("the world of the examples cannot be read: {error}"))
}
