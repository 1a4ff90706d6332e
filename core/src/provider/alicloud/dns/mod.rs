//! The plan of a DNSRecord: the rows of one name, one type and the default line in Alidns (`alicloud-cloud` 4.3, B.3).
//!
//! All rows are one resource, because they come and go as the values of one object: a new value is there before the
//! plan removes an old one, and a change of values destroys nothing.

mod form;
mod input;
mod plan;
mod rows;
mod status;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod world;

pub use plan::plan;
pub use status::status;

/// The type of DNSRecords, as in `spec.type`.
pub const TYPE: &str = "alicloud-dns";
