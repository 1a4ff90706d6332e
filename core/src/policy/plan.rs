//! Infrastructure: the requests and answers of `plan`, `status` and `classify`.

use serde::Serialize;

use super::{Argument, Call, Query};
use crate::entries::Entries;
use crate::json::JsonText;
use crate::names::NameMap;
use crate::report::Finding;

/// The recorded state: what is bound to which id, and what only we know, by key. A key is the one of the existing
/// extension's flow state where it has one.
pub type State = Entries<String>;

/// What to write to the state, by key; `None` takes a key away.
pub type Effects = Entries<Option<String>>;

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
    pub changes: Vec<Change>,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlanChange"))]
#[serde(rename_all = "camelCase")]
pub struct Change {
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

/// One call of a plan.
///
/// The order of its effects is `remember`, the call, `record`, `expect`, `until`, `conclude`. State is kept after each of them,
/// so that a plan made after a crash anywhere goes on from there.
///
/// In the pointers of a step and its probe a token `<member>=<text>` stands for the item of a list whose member is that text:
/// `/Outputs/OutputKey=ImageId/OutputValue`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Names the step in the plan: the resource's id and what is done, such as `natgateway/create`.
    pub id: String,
    /// The call.
    pub call: Call,
    /// Ids of the steps that have to be done before.
    pub after: Vec<String>,
    /// Of steps with the same mutex, one makes its call at a time; `until` may wait side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutex: Option<String>,
    /// What to write to the state before the call; null takes a key away.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub remember: Effects,
    /// What to write to the state once the call is answered: keys, and RFC 6901 pointers into the response.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub record: Entries<&'static str>,
    /// What must hold of the response, all of it: an API may answer that it did only a part. Otherwise the step has failed,
    /// and the beginning of the response is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Condition>,
    /// What to wait for; the step is done when the call is answered where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Probe>,
    /// What to write to the state when the step is done; null takes a key away.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub conclude: Effects,
}

/// A call that is repeated until it tells what is waited for. Equal probes of several steps are one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Probe {
    /// The call.
    pub call: Call,
    /// The item of the response that is looked at; the whole response where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// What must hold of the item, all of it.
    pub success: Vec<Condition>,
    /// What of the item ends the waiting in vain, any of it, unless all of `success` holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<Condition>,
    /// What to write to the state on success: keys, and RFC 6901 pointers into the item.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub record: Entries<&'static str>,
    /// Longest time between two calls, in seconds. The first call is made at once.
    pub interval: u32,
    /// Most time to wait, in seconds.
    pub limit: u32,
}

/// An item of a list in a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Item {
    /// The list, as an RFC 6901 pointer into the response.
    pub list: &'static str,
    /// The member that tells the items apart.
    pub key: &'static str,
    /// Its value in the item that is meant.
    pub value: Argument,
}

/// Something that holds of an item or does not. Of an item that is not there, only `Gone` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Condition {
    /// It is not there.
    Gone {
        /// Always true.
        gone: bool,
    },
    /// A value is one of some texts.
    Among {
        /// The value, as an RFC 6901 pointer into the item.
        at: &'static str,
        /// The texts.
        among: &'static [&'static str],
    },
    /// A value ends with one of some texts.
    Ends {
        /// The value, as an RFC 6901 pointer into the item.
        at: &'static str,
        /// The texts.
        ends: &'static [&'static str],
    },
    /// A value is there and not empty.
    Present {
        /// The value, as an RFC 6901 pointer into the item.
        present: &'static str,
    },
}

/// The answer of `status`: what goes into the status of an Infrastructure.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InfrastructureStatus {
    /// `status.providerStatus`; absent where nothing is known to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_status: Option<JsonText>,
    /// `status.state`: the recorded state in the provider's own form, which the existing extension can read.
    pub state: JsonText,
    /// `status.egressCIDRs`; absent where none is known, and what is there stays.
    #[serde(rename = "egressCIDRs", skip_serializing_if = "Option::is_none")]
    pub egress_cidrs: Option<Vec<String>>,
}

/// The answer of `classify`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Classification {
    /// What to do about the error.
    pub outcome: Outcome,
    /// Gardener error codes, sorted.
    pub codes: Vec<&'static str>,
    /// What to tell the person: what happened, and what mends it.
    pub message: String,
}

/// What to do about the error of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The same call may succeed later.
    Retry,
    /// What the call is for is so already: what is to be deleted is gone, what is to be read is an empty list.
    AlreadySatisfied,
    /// The call will not succeed.
    Fail,
}
