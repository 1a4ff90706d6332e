//! The documents of `plan`, `status` and `classify`, as a policy writes them. The host passes over members that it
//! does not know.

mod argument;
mod generated;
mod operation;
mod plan;
pub mod pointer;
mod status;
mod subject;

use std::collections::BTreeMap;

pub use argument::Argument;
pub use generated::{
    Action, Afterwards, Call, Change, Classification, Cluster, Condition, Consent, Gone, Item, NextPage, Note,
    Operation, Outcome, PageMarker, Paging, Plan, PlannedResource, Planning, Probe, Query, Step, SubjectRequest,
    SubjectStatus,
};

pub use subject::{BASTION, DNS_RECORD, INFRASTRUCTURE, SUBJECTS, is_cluster_scoped, is_of_cluster};

/// The recorded state: ids of resources, and what nobody but Trellis knows, by key.
pub type State = BTreeMap<String, String>;

/// Attributes with their values; null where there is no value, or only the cloud knows it.
pub type Attributes = BTreeMap<String, Option<String>>;

/// What to write to the state, by key; `None` removes a key.
pub type Effects = BTreeMap<String, Option<String>>;

/// What to write to the state from an answer: keys, and RFC 6901 pointers into the answer.
pub type Records = BTreeMap<String, String>;

#[cfg(test)]
mod tests;
