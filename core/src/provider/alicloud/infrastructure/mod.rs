//! The network of a Shoot: what is asked of the cloud, what is wanted there, and the plan between the two.
//!
//! Rules and values are those of the fact sheet `alicloud-cloud`, section 2.

mod check;
mod errors;
mod facts;
pub mod images;
mod imagine;
mod input;
mod names;
mod observe;
mod queries;
mod select;
pub mod state;
pub mod status;
mod terraform;
mod world;

#[cfg(test)]
mod testing;
