//! The transport against the simulator, over sockets.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "the inputs are our own")]

mod calls;
mod clock;
mod family;
mod objects;
mod sharing;
mod support;
mod tls;
mod trouble;
