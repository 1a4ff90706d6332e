//! `plan`: what becomes of an infrastructure, and by which calls.

mod answer;
mod request;
mod step;

use crate::collections::Entries;

pub use answer::{Action, Gone, Note, Plan, PlannedResource, Planning, ResourceChange};
pub(super) use request::call;
pub use request::{Baseline, Consent, PlanRequest};
pub use step::{Condition, Item, Probe, Step};

/// The recorded state: what is bound to which id, and what only we know, by key. A key is the one of the existing
/// extension's flow state where it has one.
pub type State = Entries<String>;

/// What to write to the state, by key; `None` takes a key away.
pub type Effects = Entries<Option<String>>;
