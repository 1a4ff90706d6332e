//! Plans carried out against a cloud of scripted answers, states kept on an API server in memory, in a time that
//! passes at once; runs, and the policies that they ask; and the transport against the simulator, over sockets.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "the inputs are our own, and scripts and documents read better as values"
)]

mod api_server;
mod cloud;
mod plan;
mod run;
mod state;
mod transport;
