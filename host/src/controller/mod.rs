//! Controllers of a seed: they reconcile extension resources of Gardener with the policy of a provider.
//!
//! [`seed::run`] is the process. [`queue`] turns events of objects into reconciles, [`trigger`] tells which events do so.
//! [`reconcile`] is one reconcile: what is written before and after an operation, whatever the kind. An
//! [`Actuator`](actuator::Actuator) does the operation: [`infrastructure`] by a run of the policy's
//! plans, [`control_plane`] by what the policy renders, [`worker`] by the machines that the policy makes. [`health_check`] writes conditions.
//! [`webhooks`] change objects before they are stored.

pub mod actuator;
pub mod api;
pub mod asking;
mod bare;
pub mod cache;
pub mod caution;
pub mod client;
pub mod cluster;
pub mod clusters;
pub mod configuration;
pub mod control_plane;
pub mod controllers;
pub mod delivered;
pub mod election;
mod errors;
pub mod events;
pub mod extension;
pub mod health;
pub mod health_check;
pub mod heartbeat;
pub mod image_vector;
pub mod infrastructure;
pub mod kind;
pub mod logging;
pub mod managed_resources;
pub mod metrics;
pub mod objects;
pub mod policies;
pub mod queue;
pub mod reader;
pub mod reconcile;
pub mod resource;
pub mod secret_store;
pub mod secrets;
pub mod seed;
pub mod status;
#[cfg(test)]
pub(crate) mod testing;
pub mod traces;
pub mod trigger;
mod unchanged;
pub mod webhooks;
pub mod worker;
