//! Plans: the host asks a policy for a plan, and carries the plan out.

mod condition;
pub mod event;
mod graph;
pub mod guard;
pub mod ledger;
mod look;
pub mod observe;
pub mod options;
mod phase;
pub mod planner;
mod probes;
pub mod reconcile;
pub mod runner;
mod step;
pub mod token;

pub use graph::PlanError;
pub use step::StepFailure;
