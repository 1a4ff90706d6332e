//! `plan`: what a run changes in the cloud for a subject, and by which calls.

mod answer;
mod request;
mod step;

use super::Planning;
use crate::document::parse;
use crate::policy::RequestError;
use crate::policy::answer::text;

pub use answer::{Action, Afterwards, Gone, Note, Plan, PlanAnswer, PlannedResource, ResourceChange};
#[cfg(feature = "schema")]
pub use request::shape;
pub use request::{Baseline, Consent, PlanRequest};
pub use step::{Condition, Item, Probe, Step};

pub(super) fn plan(policy: &Planning, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = PlanRequest::read(&document)?;
    let subject = policy.of(&request.request)?;
    Ok(text(&(subject.plan)(&request)?))
}
