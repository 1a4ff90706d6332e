//! The documents of `plan`, `status` and `classify`, as a policy answers them. Members that are not known here are passed
//! over.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answer::Finding;

/// The recorded state: what is bound to which id, and what only we know, by key.
pub type State = BTreeMap<String, String>;

/// What to write to the state, by key; `None` takes a key away.
pub type Effects = BTreeMap<String, Option<String>>;

/// What to write to the state from an answer: keys, and RFC 6901 pointers into the answer.
pub type Records = BTreeMap<String, String>;

/// The answer of `plan`: queries still to be answered; else a plan, findings, or both.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Planning {
    /// What has to be known before there can be a plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<Query>,
    /// The plan; absent where findings forbid one. One that comes with errors is to be looked at, not to be carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Errors forbid a plan, or to carry it out; warnings go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Gardener error codes of the errors, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
}

/// What would be done, and the steps that do it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Plan {
    /// The state as observation found it. It replaces the recorded one before the first step.
    #[serde(default)]
    pub state: State,
    /// What is recorded, but gone: nobody deleted it from here, and the cloud does not have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Gone>,
    /// Where all goes: ids of resources that were being made by a run that did not end, and that the cloud does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<String>,
    /// Every resource that there is or will be, in the order in which they are made.
    #[serde(default)]
    pub resources: Vec<PlannedResource>,
    /// What changes, in the order of `resources`.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// The calls, each after those that it waits for.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Differences that are told and left as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Plan {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.steps.is_empty()
    }
}

/// A resource that is recorded, and that the cloud does not have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// What it was, such as `NAT gateway`.
    pub kind: String,
    /// Its name in the cloud.
    pub name: String,
    /// Its recorded id.
    pub resource_id: String,
}

/// A resource, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedResource {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`.
    pub id: String,
    /// What it is, such as `NAT gateway`.
    pub kind: String,
    /// Its name in the cloud.
    pub name: String,
    /// Its id in the cloud; absent for one that is not there yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Absent where nothing changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether somebody else made it: it is read and associated, never changed or deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
    /// Whether it is charged by the hour, as long as it is there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub billed: bool,
    /// Ids of the resources that it stands on.
    #[serde(default)]
    pub needs: Vec<String>,
}

/// What becomes of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
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

/// Attributes with their values; null where there is none, or only the cloud will tell.
pub type Attributes = BTreeMap<String, Option<String>>;

/// A change of one resource, for people.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Id of the resource in the plan.
    pub id: String,
    /// What becomes of it.
    pub action: Action,
    /// What it is.
    pub kind: String,
    /// Its name in the cloud.
    pub name: String,
    /// Its id in the cloud, where it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Attributes that change, as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Attributes>,
    /// Attributes that change, as they will be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Attributes>,
    /// What stops working meanwhile, or is no longer the same afterwards, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disruption: Option<String>,
    /// Ids of the steps that make the change.
    #[serde(default)]
    pub steps: Vec<String>,
}

/// A difference that is told and left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Note {
    /// Id of the resource in the plan.
    pub id: String,
    /// The attribute.
    pub attribute: String,
    /// What it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

/// One call of a plan. The order of its effects is `remember`, the call, `record`, `expect`, `until`, `conclude`.
///
/// In the pointers of a step and its probe a token `<member>=<text>` stands for the item of a list whose member is that text:
/// `/Outputs/OutputKey=ImageId/OutputValue`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Step {
    /// Names the step in the plan, such as `natgateway/create`.
    pub id: String,
    /// The call.
    pub call: Call,
    /// Ids of the steps that have to be done before.
    #[serde(default)]
    pub after: Vec<String>,
    /// Of steps with the same mutex, one makes its call at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutex: Option<String>,
    /// What to write to the state before the call.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remember: Effects,
    /// What to write to the state from the response.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record: Records,
    /// What must hold of the response, all of it; otherwise the step has failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Condition>,
    /// What to wait for; the step is done when the call is answered where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Probe>,
    /// What to write to the state when the step is done.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conclude: Effects,
}

/// A call that is repeated until it tells what is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Probe {
    /// The call.
    pub call: Call,
    /// The item of the response that is looked at; the whole response where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// What must hold of the item, all of it.
    pub success: Vec<Condition>,
    /// What of the item ends the waiting in vain, any of it, unless all of `success` holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<Condition>,
    /// What to write to the state from the item on success.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record: Records,
    /// Longest time between two calls, in seconds. The first call is made at once.
    pub interval: u32,
    /// Most time to wait, in seconds.
    pub limit: u32,
}

/// An item of a list in a response.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Item {
    /// The list, as an RFC 6901 pointer into the response.
    pub list: String,
    /// The member that tells the items apart.
    pub key: String,
    /// Its value in the item that is meant.
    pub value: Argument,
}

/// Something that holds of an item or does not. Of an item that is not there, only `Gone` holds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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
        at: String,
        /// The texts.
        among: Vec<String>,
    },
    /// A value ends with one of some texts.
    Ends {
        /// The value, as an RFC 6901 pointer into the item.
        at: String,
        /// The texts.
        ends: Vec<String>,
    },
    /// A value is there and not empty.
    Present {
        /// The value, as an RFC 6901 pointer into the item.
        present: String,
    },
}

/// A question to the world outside; its answer is a fact of the next request.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Query {
    /// Names the query; equal queries have equal ids.
    pub id: String,
    /// The call to make.
    pub call: Call,
    /// How further pages are asked for; the response then has the entries of all pages.
    pub paging: Paging,
    /// Present where the answer depends on nothing but the credentials: the RFC 6901 pointer into the response to the account
    /// that the credentials belong to. Such a query is asked once a credential and process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
}

/// A call to a cloud's API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Call {
    /// The API, such as `vpc`.
    pub service: String,
    /// The action, such as `DescribeVSwitches`.
    pub action: String,
    /// Arguments by the names of parameters.
    #[serde(default)]
    pub parameters: BTreeMap<String, Argument>,
    /// Role of the account on whose behalf the call is made, where that is another one than the Shoot's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Seed of the idempotency token, on a call that must have its effect only once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// What a parameter is set to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Argument {
    /// A text; numbers and booleans are texts on the wire.
    Text(String),
    /// What the recorded state has under a key when the call is made.
    Reference {
        /// The key.
        #[serde(rename = "ref")]
        key: String,
    },
    /// Texts and references in one.
    Concat {
        /// The parts, in their order.
        concat: Vec<Argument>,
    },
    /// A list.
    List(Vec<Argument>),
    /// Members.
    Object(BTreeMap<String, Argument>),
}

/// How an API hands out long lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Paging {
    /// In one piece.
    None,
    /// By `PageNumber` and `PageSize`, until there are as many entries as `TotalCount` says. The call has `PageSize`.
    PageNumber,
    /// By `NextToken`, until a response has none.
    NextToken,
}

/// The answer of `status`: what goes into the status of an Infrastructure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InfrastructureStatus {
    /// `status.providerStatus`; absent where nothing is known to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_status: Option<Box<RawValue>>,
    /// `status.state`: the recorded state in the provider's own form.
    pub state: Box<RawValue>,
    /// `status.egressCIDRs`; absent where none is known, and what is there stays.
    #[serde(default, rename = "egressCIDRs", skip_serializing_if = "Option::is_none")]
    pub egress_cidrs: Option<Vec<String>>,
}

impl InfrastructureStatus {
    /// Whether a text has nothing but the members of a status.
    pub fn is_status(text: &[u8]) -> bool {
        const MEMBERS: [&str; 3] = ["egressCIDRs", "providerStatus", "state"];
        let members: Option<BTreeMap<String, &RawValue>> = serde_json::from_slice(text).ok();
        members.is_some_and(|members| {
            members.contains_key("state") && members.keys().all(|member| MEMBERS.contains(&member.as_str()))
        })
    }
}

/// The answer of `classify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Classification {
    /// What to do about the error.
    pub outcome: Outcome,
    /// Gardener error codes, sorted.
    #[serde(default)]
    pub codes: Vec<String>,
    /// What to tell the person: what happened, and what mends it.
    pub message: String,
}

/// What to do about the error of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The same call may succeed later.
    Retry,
    /// What the call is for is so already: what is to be deleted is gone, what is to be read is an empty list.
    AlreadySatisfied,
    /// The call will not succeed.
    Fail,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_by_their_shape() {
        let text =
            r#"{"a":"x","b":{"ref":"VPC"},"c":{"concat":["p-",{"ref":"Zones/a/ID"}]},"d":["1",{"Key":"k"}]}"#;
        let read: BTreeMap<String, Argument> = serde_json::from_str(text).unwrap();
        let reference = |key: &str| Argument::Reference { key: key.to_owned() };
        let literal = |text: &str| Argument::Text(text.to_owned());
        assert_eq!(read["a"], literal("x"));
        assert_eq!(read["b"], reference("VPC"));
        assert_eq!(read["c"], Argument::Concat { concat: vec![literal("p-"), reference("Zones/a/ID")] });
        let object = Argument::Object(BTreeMap::from([("Key".to_owned(), literal("k"))]));
        assert_eq!(read["d"], Argument::List(vec![literal("1"), object]));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }

    #[test]
    fn an_object_with_more_than_a_reference_is_no_reference() {
        let read: Argument = serde_json::from_str(r#"{"ref":"VPC","more":"x"}"#).unwrap();
        assert!(matches!(read, Argument::Object(members) if members.len() == 2));
    }

    #[test]
    fn conditions_are_read_by_their_members() {
        let text = concat!(
            r#"[{"gone":true},{"at":"/Status","among":["Available"]},"#,
            r#"{"at":"/Status","ends":["ing"]},{"present":"/Ip"}]"#
        );
        let read: Vec<Condition> = serde_json::from_str(text).unwrap();
        assert!(matches!(
            read.as_slice(),
            [
                Condition::Gone { gone: true },
                Condition::Among { .. },
                Condition::Ends { .. },
                Condition::Present { .. }
            ]
        ));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }

    #[test]
    fn a_plan_of_a_newer_policy_is_read_as_far_as_it_is_known() {
        let text = r#"{"plan":{"state":{"VPC":"vpc-1"},"news":1,"steps":[{"id":"a","call":{"service":"vpc",
            "action":"CreateVpc"},"later":true}]}}"#;
        let plan = serde_json::from_str::<Planning>(text).unwrap().plan.unwrap();
        assert_eq!((plan.state["VPC"].as_str(), plan.steps[0].call.action.as_str()), ("vpc-1", "CreateVpc"));
        assert!(!plan.is_empty());
    }
}
