//! Runs policies: reads manifests, asks the policy of their provider, and tells people what it says.

#[cfg(feature = "controller")]
pub mod admission;
pub mod answer;
#[cfg(feature = "controller")]
pub mod certificates;
pub mod cli;
mod cluster;
#[cfg(feature = "controller")]
pub mod controller;
#[cfg(feature = "apply")]
pub mod credentials;
pub mod digest;
pub mod engine;
mod file;
pub mod garden;
mod headline;
mod invisible;
pub mod judge;
pub mod manifest;
#[cfg(feature = "apply")]
pub mod plan;
pub mod policy;
#[cfg(feature = "apply")]
pub mod run;
#[cfg(feature = "sandbox")]
pub mod sandbox;
#[cfg(feature = "controller")]
pub mod scan;
#[cfg(feature = "serve")]
pub mod serve;
pub mod source;
#[cfg(feature = "apply")]
mod span;
#[cfg(feature = "apply")]
pub mod state;
#[cfg(feature = "apply")]
pub mod transport;
#[cfg(feature = "controller")]
pub mod webhook;
