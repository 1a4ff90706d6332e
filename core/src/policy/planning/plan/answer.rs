//! The answer of `plan`: queries, findings, and what people read of a plan.

use serde::Serialize;

use super::Step;
use crate::call::Query;
use crate::collections::NameMap;
use crate::policy::State;
use crate::report::Finding;

/// The answer of `plan`: queries still to be answered; else a plan, findings, or both.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanAnswer {
    /// What somebody has to ask before there can be a plan: side by side, with the answers as facts of the next
    /// request. While there are any, there is nothing else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<Query>,
    /// The plan; absent where findings forbid one. A plan that comes with errors is for reading: it must not be
    /// carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Errors, which forbid to make a plan or to carry it out, and warnings, which forbid nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Gardener's codes of the errors, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<&'static str>,
}

/// What a run changes, and the steps that do it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The state as the facts show it. It replaces the recorded one before the first step.
    pub state: State,
    /// Resources that the state records and the cloud does not have, although no run deleted them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// Where the plan deletes everything: ids of resources that a run was creating when it ended, and that the
    /// cloud does not show. They may still appear: the host that carries the plan out waits, and asks once more
    /// with `waited`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<String>,
    /// Every resource that exists or will, in the order in which the plan creates them; then those that it
    /// deletes.
    pub resources: Vec<PlannedResource>,
    /// The changes, in the order of `resources`. A plan without changes has no steps.
    pub changes: Vec<ResourceChange>,
    /// The steps, each after those that it waits for.
    pub steps: Vec<Step>,
    /// Differences that the plan reports and leaves as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What follows once every step has succeeded. Where absent, the host observes once more: a plan without changes
    /// ends the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub afterwards: Option<Afterwards>,
}

/// What follows once every step of a plan has succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Afterwards {
    /// The run ends: its steps show for certain what there is.
    Done,
    /// The host observes once more, as often as it takes: the plan does a part of a known whole, such as a page of a
    /// long list.
    More,
}

/// A resource that the state records and the cloud does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// What it was, such as `NAT gateway`.
    pub kind: &'static str,
    /// Its name in the cloud.
    pub name: String,
    /// Its recorded id.
    pub resource_id: String,
}

/// A resource, and what the plan does to it.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlannedResource {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// What it is, such as `NAT gateway`.
    pub kind: &'static str,
    /// Its name in the cloud.
    pub name: String,
    /// Its id in the cloud; absent where it does not exist yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// What the plan does to it; absent where it does nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether somebody else owns it: a plan reads and associates it, and never updates or deletes it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// Whether the cloud charges for it by the hour, as long as it exists.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub billed: bool,
    /// Ids of the resources that it needs; of a resource that the plan deletes, of those that it uses.
    pub needs: Vec<String>,
}

/// What a plan does to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The plan creates the resource.
    Create,
    /// The plan updates the resource.
    Update,
    /// The plan deletes the resource and creates another one in its place.
    Replace,
    /// The plan deletes the resource.
    Delete,
    /// The plan takes over a resource that exists: it adds our tags, and records the id of the resource.
    Adopt,
    /// The plan binds two resources to each other.
    Associate,
}

/// A change of one resource, for people.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceChange {
    /// Id of the resource in the plan.
    pub id: String,
    /// What the plan does to it.
    pub action: Action,
    /// What it is.
    pub kind: &'static str,
    /// Its name in the cloud.
    pub name: String,
    /// Its id in the cloud, where it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Attributes that change, with their present values; null where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<NameMap<'static, Option<String>>>,
    /// Attributes that change, with their new values; null where only the cloud knows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<NameMap<'static, Option<String>>>,
    /// Names of the attributes whose difference is the reason for a replacement; none where the replacement of
    /// another resource is the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(default))]
    pub forces_replacement: Vec<&'static str>,
    /// What stops working during the change, or is different after it, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disruption: Option<String>,
    /// Ids of the steps that make the change; none where only the state changes, or where the deletion of another
    /// resource deletes this one.
    pub steps: Vec<String>,
}

/// A difference that the plan reports and leaves as it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Id of the resource in the plan.
    pub id: String,
    /// Name of the attribute.
    pub attribute: &'static str,
    /// The wanted value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The value that is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}
