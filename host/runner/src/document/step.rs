//! The steps of a plan: a call, what the runner records of the response, and what the runner waits for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Argument, Call};

/// What to write to the state, by key; `None` removes a key.
pub type Effects = BTreeMap<String, Option<String>>;

/// What to write to the state from an answer: keys, and RFC 6901 pointers into the answer.
pub type Records = BTreeMap<String, String>;

/// One call of a plan. The runner goes through `remember`, the call, `record`, `expect`, `until`, `conclude`, in
/// this order.
///
/// In the pointers of a step and its probe a token `<member>=<text>` stands for the item of a list whose member is
/// that text: `/Outputs/OutputKey=ImageId/OutputValue`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Step {
    /// Names the step in the plan, such as `natgateway/create`.
    pub id: String,
    /// The call.
    pub call: Call,
    /// Ids of the steps that must be done before.
    #[serde(default)]
    pub after: Vec<String>,
    /// Of the steps with the same mutex, the runner makes one call at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutex: Option<String>,
    /// What to write to the state before the call.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remember: Effects,
    /// What to write to the state from the response.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record: Records,
    /// Conditions that must all hold of the response; otherwise the step fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Condition>,
    /// What to wait for; where absent, the step is done when the call has an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Probe>,
    /// What to write to the state when the step is done.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conclude: Effects,
    /// How to find what a call without a token has created, where nobody knows whether it has: before the call is
    /// sent again.
    #[serde(default, rename = "lookAgain", skip_serializing_if = "Option::is_none")]
    pub look_again: Option<Probe>,
    /// What the person may have to do before the call can succeed: a part of the error where the call fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// A call that the runner repeats until the response tells that the effect has come.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Probe {
    /// The call.
    pub call: Call,
    /// The item of the response to look at; where absent, the whole response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// Conditions that all hold of the item when the effect has come.
    pub success: Vec<Condition>,
    /// Conditions of which any one tells that the effect will not come, unless all of `success` hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<Condition>,
    /// What to write to the state from the item on success.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record: Records,
    /// The longest time between two calls, in seconds. The runner makes the first call at once.
    pub interval: u32,
    /// The longest time to wait, in seconds.
    pub limit: u32,
}

/// An item of a list in a response.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Item {
    /// The list, as an RFC 6901 pointer into the response.
    pub list: String,
    /// The member that tells the items apart.
    pub key: String,
    /// The value of that member in the item to look at.
    pub value: Argument,
}

/// A condition on an item. Of an item that does not exist, only `Gone` holds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Condition {
    /// The item does not exist.
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
    /// The item has a value, and the value is not empty.
    Present {
        /// The value, as an RFC 6901 pointer into the item.
        present: String,
    },
}
