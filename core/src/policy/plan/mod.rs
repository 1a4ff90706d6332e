//! `plan`: what a run changes of an infrastructure, and by which calls.

mod answer;
mod request;
mod step;

use crate::collections::Entries;

pub use answer::{Action, Gone, Note, Plan, PlannedResource, Planning, ResourceChange};
pub(super) use request::call;
pub use request::{Baseline, Consent, PlanRequest};
pub use step::{Condition, Item, Probe, Step};

/// The recorded state: values by keys, such as the id of each resource. A key is the one of the existing extension's flow
/// state where that has one.
pub type State = Entries<String>;

/// What to write to the state, by key; `None` removes the key.
pub type Effects = Entries<Option<String>>;
