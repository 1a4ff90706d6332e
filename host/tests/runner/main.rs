//! Plans carried out against a cloud of scripted answers, and states kept on an API server in memory, in a time that passes
//! at once; and whole runs against the simulator.

#![cfg(feature = "apply")]
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
#[cfg(feature = "native")]
mod form;
mod interleavings;
#[cfg(all(feature = "native", feature = "simulate"))]
mod killed;
mod leave;
mod object_store;
#[cfg(all(feature = "native", feature = "simulate"))]
mod objects;
mod order;
#[cfg(all(feature = "native", feature = "simulate"))]
#[path = "../support/points.rs"]
mod points;
mod probes;
mod reconcile;
#[cfg(all(feature = "native", feature = "simulate"))]
mod simulated;
#[cfg(all(feature = "native", feature = "simulate"))]
#[path = "../infrastructure/world.rs"]
mod world;
