//! Connections, over real sockets: those that are slow, large, broken, gone, or cut.

#[path = "../support/mod.rs"]
mod support;

mod faults;
mod limits;
mod requests;
mod served;
