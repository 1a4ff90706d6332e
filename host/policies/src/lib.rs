//! Reads manifests, and asks policies about them: policies that are linked into the program, or that run in a
//! sandbox.

pub mod answer;
pub mod cluster;
pub mod digest;
pub mod engine;
pub mod file;
pub mod garden;
pub mod headline;
pub mod invisible;
pub mod judge;
pub mod manifest;
pub mod policy;
pub mod rounds;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod source;
pub mod span;
