//! Alibaba Cloud on loopback: its wire protocol, with state, time and faults.

pub mod action;
pub mod cloud;
pub mod control;
pub mod gateway;
pub mod rpc;
pub mod server;
pub mod service;
pub mod signature;
#[cfg(test)]
mod testing;
pub mod world;
