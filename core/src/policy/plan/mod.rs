//! `plan`: what a run changes of an infrastructure, and by which calls.

mod answer;
mod request;
mod step;

pub use answer::{Action, Gone, Note, Plan, PlannedResource, Planning, ResourceChange};
pub use request::{Baseline, Consent, PlanRequest};
pub use step::{Condition, Item, Probe, Step};
