//! What several test programs and benchmarks share.

pub mod charts;
pub mod garden;
pub mod reviewer;
