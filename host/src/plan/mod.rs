//! Plans: asked of a policy, and carried out.

mod backoff;
pub mod cloud;
mod condition;
pub mod document;
pub mod event;
mod graph;
pub mod ledger;
pub mod observe;
mod phase;
pub mod planner;
mod probes;
pub mod reconcile;
mod resolve;
pub mod runner;
mod step;
pub mod stop;

pub use graph::PlanError;
pub use resolve::ResolveError;
pub use step::StepFailure;
