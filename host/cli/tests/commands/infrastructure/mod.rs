//! `trellis plan`, `apply` and `destroy` as processes against a cloud on loopback: what they build, what they
//! survive, what they leave alone, and how many calls they make.
//!
//! What runs here by default is a sample; `make verify` runs a quarter of the rest (`--ignored`), and `make soak`
//! all of it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic, the inputs are our own"
)]

mod bastions;
mod buckets;
mod commands;
mod counts;
mod crash;
mod dns_records;
mod drift;
mod edits;
mod endings;
mod faults;
mod files;
mod hosts;
mod lag;
mod layout;
mod neighbours;
mod owners;
mod prerequisites;
mod refusals;
mod running;
mod side_by_side;
mod site;
mod stage;
mod takeovers;
