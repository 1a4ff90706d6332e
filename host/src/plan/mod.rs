//! Plans: the host asks a policy for a plan, and carries the plan out.

pub(crate) mod backoff;
pub mod cloud;
mod condition;
pub mod document;
pub mod event;
mod graph;
pub mod guard;
pub mod leave;
pub mod ledger;
pub mod observe;
mod phase;
pub mod planner;
pub(crate) mod pointer;
mod probes;
pub mod reconcile;
pub(crate) mod resolve;
pub mod runner;
mod step;
pub mod stop;
pub mod tally;
pub mod tenure;

pub use graph::PlanError;
pub use resolve::ResolveError;
pub use step::StepFailure;
