//! The network of a Shoot: what is asked of the cloud, what is wanted there, and the plan between the two.
//!
//! Rules and values are those of the fact sheet `alicloud-cloud`, section 2.

pub mod images;
mod names;
pub mod state;
pub mod status;
mod terraform;
mod world;
