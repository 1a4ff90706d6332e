//! The plan of a BackupBucket: a bucket of OSS, its encryption, its rule about unfinished uploads and its retention
//! (`alicloud-cloud` 4.1, B.1).
//!
//! A bucket is emptied and deleted only if the state records that a run created it, or if the existing extension has
//! reconciled it and it has the marks of that, or if a person says so: backups outlive mistakes.

mod bucket;
mod input;
mod plan;
mod retention;
mod status;
#[cfg(test)]
mod tests;
mod world;

pub use plan::plan;
pub use status::status;
