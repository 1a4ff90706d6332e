//! The documents of `plan`, `status` and `classify`, as a policy writes them. The host passes over members that it
//! does not know.

mod answer;
mod call;
mod plan;
pub mod pointer;
mod step;

use std::collections::BTreeMap;

pub use answer::{Classification, InfrastructureStatus, Outcome, Planning};
pub use call::{Argument, Call, Paging, Query};
pub use plan::{Action, Attributes, Change, Gone, Note, Plan, PlannedResource};
pub use step::{Condition, Effects, Item, Probe, Records, Step};

/// The recorded state: ids of resources, and what nobody but Trellis knows, by key.
pub type State = BTreeMap<String, String>;

#[cfg(test)]
mod tests;
