//! What several test programs and benchmarks share.

pub mod garden;
pub mod reviewer;
