//! The network of a Shoot: what the policy asks the cloud, what it wants there, and the plan between the two.
//!
//! Rules and values are those of the fact sheet `alicloud-cloud`, section 2.

mod check;
mod desired;
mod imagine;
mod input;
mod names;
mod observe;
mod places;
pub mod plan;
pub mod pool_images;
mod queries;
mod select;
pub mod state;
pub mod status;
mod steps;
mod terraform;
mod world;

#[cfg(test)]
mod testing;
