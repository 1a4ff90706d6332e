//! The interface of every policy: its functions, and the documents that go in and out as JSON text.

mod about;
mod addresses;
mod answer;
pub mod claims;
mod classify;
mod default;
mod entry;
mod error;
mod function;
mod info;
mod join;
mod member;
mod merge;
mod module;
mod mutate;
mod object;
mod owner;
mod parent;
pub mod parts;
mod plan;
mod provider;
mod render;
mod request;
mod rollout;
mod rules;
mod scope;
mod state;
mod status;
mod subject;
mod validate;
mod verdict;
mod workers;
mod zones;

pub use about::{About, Calls, Reads, ReadsByKind};
pub use addresses::{
    AddressConflict, AddressFamily, AddressGap, AddressRange, AddressRole, AddressSpace, Addresses, ConflictKind,
    UnreadableRange, ZoneChoice,
};
pub use answer::failure;
pub use classify::{CallError, Classification, Outcome};
pub use default::{DefaultChange, Defaulted, Defaulting};
pub use entry::{Entry, Policies};
pub use error::{Failure, FailureCause, Refusal, RequestError};
pub use function::MUTATING;
#[cfg(feature = "schema")]
pub use function::documents;
pub use function::{ADDRESSING, COMMON, JUDGING, PLANNING, RENDERING};
pub use info::{ApiKind, Info};
pub use join::{JoinRequest, Joined, JointScope, join};
pub use merge::{MergeRequest, Merged};
pub use module::{Function, Module, Part, Table};
pub use mutate::{MutateRequest, Mutated, Mutates, Mutation};
pub use object::{
    CORE, SECURITY, judged_kind, kind_of, read, read_old, unsupported, unsupported_by, wrong_old_type, wrong_type,
};
pub use owner::PARENT_READ;
pub use parent::parent;
pub use plan::{
    Action, Afterwards, Baseline, Condition, Consent, Gone, Item, Note, Plan, PlanRequest, PlannedResource,
    Planning, Probe, ResourceChange, Step,
};
pub use provider::{Addressing, Plans, Policy, Provider, Renders, unanswered};
pub use render::{
    ClusterObjects, KeptSecret, ManagedResource, ManagedResourceSpec, ManifestSecret, ObjectName, Reference,
    RenderRequest, Rendering, Restart, SecretRef, ServerCertificate,
};
pub use request::Request;
pub use rollout::{Cause, NodeChange, PoolRollout, Range, Rollout};
pub use rules::Rules;
pub use scope::{Scope, Section};
pub use state::{Effects, State};
pub use status::{Ingress, StatusRequest, SubjectStatus};
pub use subject::{PlanOperation, PlanSubject, PlannedKind, SubjectKind, technical_id};
pub use validate::Validation;
pub use verdict::Verdict;
pub use workers::{
    AtOnce, CountOrPercent, InPlaceUpdate, MachineConfiguration, MachineDeployment, PoolHash, UpdateStrategy,
    Workers, WorkersRequest,
};
pub use zones::{AddedZones, NewZone};

#[cfg(test)]
mod tests;
