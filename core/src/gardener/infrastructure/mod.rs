//! What the planning of an infrastructure has of its own on every cloud: its configuration, and the state of the
//! predecessors of the existing extensions.

pub mod config;
pub mod terraform;
