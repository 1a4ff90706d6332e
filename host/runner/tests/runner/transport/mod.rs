//! The transport against the simulator, over sockets.

mod calls;
mod clock;
mod failures;
mod family;
mod objects;
mod sharing;
mod support;
mod tls;
