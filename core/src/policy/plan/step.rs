//! The steps of a plan, for the runner.

use serde::Serialize;

use crate::call::{Argument, Call};
use crate::collections::Entries;
use crate::policy::Effects;

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
