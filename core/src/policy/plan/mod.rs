//! `plan`: what a run changes in the cloud for a subject, and by which calls.

mod answer;
mod request;
mod step;

pub use answer::{Action, Afterwards, Gone, Note, Plan, PlannedResource, Planning, ResourceChange};
pub use request::{Baseline, Consent, PlanRequest};
pub use step::{Condition, Item, Probe, Step};
