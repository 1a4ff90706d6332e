//! Plans carried out against a cloud of scripted answers, in a time that passes at once.

#![cfg(feature = "apply")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "the inputs are our own, and scripts read better as values"
)]

mod cloud;
mod faults;
mod leave;
mod order;
mod probes;
mod reconcile;
#[cfg(all(feature = "native", feature = "simulate"))]
mod simulated;
