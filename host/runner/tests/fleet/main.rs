//! Many runs in one process: what they make of a cloud that is throttled and faulty, what they survive, and what
//! becomes of a process that was asleep beyond its lease.
//!
//! The process with the runs is this test program once more ([`child`]), so that it can be killed and frozen.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic, the inputs are our own"
)]

mod asleep;
mod child;
mod cloud;
mod survive;
