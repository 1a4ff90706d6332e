//! The plan of a BackupEntry: the objects of one Shoot in a bucket of OSS (`alicloud-cloud` 4.2, B.2).
//!
//! A reconciliation changes nothing in the cloud, and asks nothing. A deletion removes the objects whose keys begin with
//! the name of the entry and a `/`.

mod input;
mod plan;
mod status;
#[cfg(test)]
mod tests;

pub use plan::plan;
pub use status::status;
