//! What controllers of all kinds share.

pub mod actuator;
pub mod asking;
pub mod cache;
pub mod client;
pub mod cluster;
pub mod clusters;
pub mod configuration;
pub mod delivered;
pub(crate) mod errors;
pub mod events;
pub mod extension;
pub mod granted;
pub mod image_vector;
pub mod kind;
pub mod machines;
pub mod managed_resources;
pub mod metadata;
pub mod queue;
pub mod reader;
pub mod reconcile;
pub(crate) mod request_error;
pub mod safeguards;
pub mod secret_store;
pub mod secrets;
pub mod status;
#[cfg(test)]
pub(crate) mod testing;
pub mod trigger;
pub(crate) mod unchanged;
pub mod wake;
mod watch;
