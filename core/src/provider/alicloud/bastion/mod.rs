//! The plan of a Bastion: an instance in the network of the nodes, and a security group by which the given ranges reach
//! it and it reaches the nodes (`alicloud-cloud` 4.4, B.4).
//!
//! The rules are there before the instance is, because an instance without them could open any connection.

mod choice;
mod form;
mod group;
mod input;
mod instance;
mod plan;
mod status;
#[cfg(test)]
mod tests;
mod world;

pub use plan::plan;
pub use status::status;
