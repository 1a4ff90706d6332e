//! What tests of several crates of the host share.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "tests may panic, the inputs are our own"
)]

pub mod engine;
pub mod guests;
pub mod loopback;
pub mod points;
pub mod reviews;
pub mod world;
