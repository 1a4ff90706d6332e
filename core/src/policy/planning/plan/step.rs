//! The steps of a plan, for the runner.

use serde::Serialize;

use crate::call::{Argument, Call};
use crate::collections::Entries;
use crate::policy::Effects;

/// One call of a plan.
///
/// Its effects come in the order `remember`, the call, `record`, `expect`, `until`, `conclude`. The runner saves
/// the state after each of them, so that a plan that is made after a crash anywhere goes on from there.
///
/// In the pointers of a step and its probe a token `<member>=<text>` stands for the item of a list whose member is
/// that text: `/Outputs/OutputKey=ImageId/OutputValue`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Names the step in the plan: the id of the resource and what the step does to it, such as
    /// `natgateway/create`.
    pub id: String,
    /// The call.
    pub call: Call,
    /// Ids of the steps that come before it.
    pub after: Vec<String>,
    /// Of the steps with the same mutex, one makes its call at a time; they may wait for `until` side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutex: Option<String>,
    /// What to write to the state before the call; null removes the key.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub remember: Effects,
    /// What to write to the state after the response: keys, and RFC 6901 pointers into the response.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub record: Entries<&'static str>,
    /// Conditions that must all hold of the response, as an API may answer that it did only a part. Where one does
    /// not, the step has failed, and the runner shows the beginning of the response.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Condition>,
    /// What the step waits for after the call; without it, the step is done with the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Probe>,
    /// What to write to the state when the step is done; null removes the key.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub conclude: Effects,
    /// Present on a step that creates something by a call without a token: how to find what the call has created.
    /// Where nobody knows whether the call had its effect, because it had no answer or the process ended, the
    /// runner looks before it sends the call again. An item of which `success` holds is what the call has created,
    /// unless `record` finds in it what `remember` has: that was there before. The runner then writes `record` of
    /// the probe in place of that of the step, and goes on with `until`. Where the item is not there until
    /// `limit`, the runner sends the call.
    #[serde(rename = "lookAgain", skip_serializing_if = "Option::is_none")]
    pub look_again: Option<Probe>,
    /// What the person may have to do before the call can succeed: the runner adds it to the error where the call
    /// fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Step {
    /// The step with a mutex.
    #[must_use]
    pub fn holding(mut self, mutex: &str) -> Self {
        self.mutex = Some(mutex.to_owned());
        self
    }

    /// The step with a probe that it waits for.
    #[must_use]
    pub fn until(mut self, probe: Probe) -> Self {
        self.until = Some(probe);
        self
    }
}

/// A call that the runner repeats until the conditions hold. The runner makes one call for equal probes of several
/// steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Probe {
    /// The call.
    pub call: Call,
    /// The item of the response that the conditions are about; the whole response where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// Conditions that must all hold of the item.
    pub success: Vec<Condition>,
    /// Conditions each of which ends the waiting with a failure, unless all of `success` hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<Condition>,
    /// What to write to the state on success: keys, and RFC 6901 pointers into the item.
    #[serde(skip_serializing_if = "Entries::is_empty")]
    pub record: Entries<&'static str>,
    /// Longest time between two calls, in seconds. The runner makes the first call at once.
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
    /// The member that distinguishes the items.
    pub key: &'static str,
    /// The value of that member.
    pub value: Argument,
}

/// A condition of an item. Where the response does not have the item, only `Gone` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Condition {
    /// The response does not have the item.
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
    /// The item has a value that is not empty.
    Present {
        /// The value, as an RFC 6901 pointer into the item.
        present: &'static str,
    },
}
