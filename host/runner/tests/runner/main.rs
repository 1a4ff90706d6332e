//! Plans carried out against a cloud of scripted answers, and states kept on an API server in memory, in a time that passes
//! at once; and whole runs against the simulator.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "the inputs are our own, and scripts read better as values"
)]

#[path = "../support/api_server.rs"]
mod api_server;
mod cloud;
mod faults;
mod form;
mod interleavings;
mod killed;
mod leave;
mod object_store;
mod objects;
mod order;
mod probes;
mod reconcile;
mod simulated;
mod tokens;
mod unknown;
