//! Alibaba Cloud on loopback: its wire protocol, with state, time and faults.
//!
//! ```no_run
//! # async fn simulate() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use trellis_simulator::server::{Limits, Server};
//! use trellis_simulator::Options;
//!
//! let gateway = Arc::new(Options::default().start()?.gateway);
//! let server = Server::bind("127.0.0.1:0".parse()?, gateway, None, Limits::default()).await?;
//! println!("{}", server.url());
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

pub mod action;
pub mod cloud;
pub mod control;
mod file;
pub mod gateway;
mod options;
pub mod oss;
pub mod regions;
pub mod resource;
pub mod rpc;
pub mod server;
pub mod service;
pub mod settings;
pub mod signature;
#[cfg(test)]
mod testing;
pub mod world;

pub use options::{Options, StartError, Started};

/// The cloud that is simulated, as people name it.
pub const CLOUD: &str = "Alibaba Cloud";
