//! The process in a seed: its options, what it starts, and what it reports.

pub mod controllers;
pub mod election;
pub mod heartbeat;
pub mod logging;
pub mod options;
pub mod policies;
pub mod seed;
pub mod traces;
mod watches;
