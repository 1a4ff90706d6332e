//! The answer of `plan`, for people: what changes.

use serde::Serialize;

use super::Step;
use crate::call::Query;
use crate::collections::NameMap;
use crate::policy::State;
use crate::report::Finding;

/// The answer of `plan`: queries still to be answered; else a plan, findings, or both.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Planning {
    /// What has to be known before there can be a plan; to be asked side by side, and added to the facts of the next
    /// request. While there are any, there is nothing else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<Query>,
    /// The plan; absent where findings forbid one. One that comes with errors is to be looked at, not to be carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Errors forbid a plan, or to carry it out; warnings go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Gardener error codes of the errors, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<&'static str>,
}

/// What would be done, and the steps that do it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The state as observation found it. It replaces the recorded one before the first step.
    pub state: State,
    /// What is recorded, but gone: nobody deleted it from here, and the cloud does not have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// Where all goes: ids of resources that were being made by a run that did not end, and that the cloud does not show. They
    /// may still come: whoever carries the plan out waits, and asks once more with `waited`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<String>,
    /// Every resource that there is or will be, in the order in which they are made.
    pub resources: Vec<PlannedResource>,
    /// What changes, in the order of `resources`. A plan without changes has no steps.
    pub changes: Vec<ResourceChange>,
    /// The calls, each after those that it waits for.
    pub steps: Vec<Step>,
    /// Differences that are told and left as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A resource that is recorded, and that the cloud does not have.
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

/// A resource, and what becomes of it.
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
    /// Its id in the cloud; absent for one that is not there yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Absent where nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether somebody else made it: it is read and associated, never changed or deleted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// Whether it is charged by the hour, as long as it is there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub billed: bool,
    /// Ids of the resources that it stands on.
    pub needs: Vec<String>,
}

/// What becomes of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is made.
    Create,
    /// It stays and is mended.
    Update,
    /// It goes, and another one comes in its place.
    Replace,
    /// It goes.
    Delete,
    /// It is there already and becomes ours: tags, records.
    Adopt,
    /// Two resources that are there are bound to each other.
    Associate,
}

/// A change of one resource, for people.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResourceChange {
    /// Id of the resource in the plan.
    pub id: String,
    /// What becomes of it.
    pub action: Action,
    /// What it is.
    pub kind: &'static str,
    /// Its name in the cloud.
    pub name: String,
    /// Its id in the cloud, where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Attributes that change, as they are; null where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<NameMap<'static, Option<String>>>,
    /// Attributes that change, as they will be; null where only the cloud will tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<NameMap<'static, Option<String>>>,
    /// What stops working meanwhile, or is no longer the same afterwards, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disruption: Option<String>,
    /// Ids of the steps that make the change; none where only the record changes, or it goes with another resource.
    pub steps: Vec<String>,
}

/// A difference that is told and left as it is.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Id of the resource in the plan.
    pub id: String,
    /// The attribute.
    pub attribute: &'static str,
    /// What it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}
