//! Builders of steps, probes and attributes.

use super::Tags;
use crate::call::{Argument, Call};
use crate::collections::{Entries, sorted};
use crate::plan::{Attribute, Difference};
use crate::policy::{Condition, Item, Probe, Step};

/// Longest time between two looks, in seconds.
const INTERVAL: u32 = 5;

/// What a parameter of a call is set to, as a table of parameters has it.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// A text.
    Text(&'a str),
    /// What the state has under this key when the call is made.
    Reference(&'a str),
    /// Anything else.
    Argument(&'a Argument),
}

/// A table of parameters: names, and what each is set to.
pub type Parameters<'a> = [(&'static str, Parameter<'a>)];

impl Parameter<'_> {
    /// The argument of the call.
    pub fn argument(self) -> Argument {
        match self {
            Self::Text(text) => text.into(),
            Self::Reference(key) => Argument::Reference { key: key.to_owned() },
            Self::Argument(argument) => argument.clone(),
        }
    }
}

impl<'a> From<&'a str> for Parameter<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Argument> for Parameter<'a> {
    fn from(argument: &'a Argument) -> Self {
        Self::Argument(argument)
    }
}

/// The parameter that is what the state has under a key when the call is made.
pub fn reference(key: &str) -> Parameter<'_> {
    Parameter::Reference(key)
}

/// Ids of resources in the plan.
pub fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// A text that is not empty.
pub fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Tags in one line, sorted; `None` where there are none.
pub fn tag_text(tags: &Tags) -> Option<String> {
    let tags: Vec<String> = sorted(tags.iter().map(|(key, value)| format!("{key}={value}")).collect());
    text(&tags.join(", "))
}

/// A step: the resource, what the step does to it, and the call that does it.
pub fn step(resource: &str, verb: &str, call: Call) -> Step {
    Step { id: format!("{resource}/{verb}"), call, ..Step::default() }
}

/// A step that creates a resource, and records under a key the id that the response has at a pointer.
pub fn create(resource: &str, call: Call, key: &str, pointer: &'static str) -> Step {
    let call = Call { token: Some(String::new()), ..call };
    Step { record: [(key.to_owned(), pointer)].into_iter().collect(), ..step(resource, "create", call) }
}

/// A list in a response, and the member that distinguishes its items.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// Pointer to the list.
    pub list: &'static str,
    /// The member.
    pub key: &'static str,
}

impl Listing {
    /// A probe that waits until the item with an id is gone.
    pub fn gone(self, call: Call, id: Parameter<'_>, limit: u32) -> Probe {
        self.probe(call, id, Condition::Gone { gone: true }, limit)
    }

    /// A probe that waits until a condition holds of the item with an id.
    pub fn probe(self, call: Call, id: Parameter<'_>, success: Condition, limit: u32) -> Probe {
        Probe {
            call,
            item: Some(Item { list: self.list, key: self.key, value: id.argument() }),
            success: vec![success],
            failure: Vec::new(),
            record: Entries::new(),
            interval: INTERVAL,
            limit,
        }
    }
}

/// An attribute whose difference the plan reports.
pub fn report(name: &'static str, wanted: Option<String>, found: &str) -> Attribute {
    Attribute { name, wanted, found: text(found), difference: Difference::Report }
}

/// An attribute that steps update.
pub fn update(name: &'static str, wanted: Option<String>, found: &str, steps: Vec<Step>) -> Attribute {
    Attribute { name, wanted, found: text(found), difference: Difference::Update(steps, None) }
}

/// The status that a resource must have before others use it: where a run ended while it waited for that, the next
/// one waits again.
pub fn status(resource: &str, wanted: &str, found: &str, probe: Probe) -> Attribute {
    let call = probe.call.clone();
    let wait = step(resource, "wait", call).until(probe);
    update("status", Some(wanted.to_owned()), found, vec![wait])
}
