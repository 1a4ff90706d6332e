//! Worker pools: the same machines as the existing extension makes, and which nodes an edit rolls.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod cases;
mod findings;
mod hashes;
mod preservation;
mod preview;
mod properties;
mod recorded;
mod rollout;
