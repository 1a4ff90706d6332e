//! Runs, and the policies that they ask: versions, a second version in shadow, threads, breakdowns, authority.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "the inputs are our own, and documents read better as values"
)]

mod breakdown;
#[path = "../runner/cloud.rs"]
#[allow(dead_code, reason = "not every test needs all of it")]
mod cloud;
mod double;
mod hostile;
mod reads;
mod shadow;
mod threads;
mod versions;
