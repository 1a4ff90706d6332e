//! `mutate`: what the webhooks change.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

mod canary;
mod laws;
mod random;
mod recorded;
mod table;
