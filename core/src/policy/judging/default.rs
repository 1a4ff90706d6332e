//! `default`: fills in what a person left out.

use std::borrow::Cow;

use serde::Serialize;

use super::Judging;
use crate::call::Query;
use crate::document::{JsonText, PatchOperation, Value, parse, patch};
use crate::policy::answer::text;
use crate::policy::{RequestError, unsupported};
use crate::report::{Rule, Undecided};

pub(super) fn default(policy: &Judging, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = policy.read(&document)?;
    let defaulted = match policy.of_kind(policy.default, &request) {
        Some(default) => default(&request)?,
        None if policy.of_kind(policy.validate, &request).is_some() => Defaulted::unchanged(request.object),
        None => return Err(unsupported(request.object)),
    };
    let Defaulted { object, patch, changes, undecided } = defaulted;
    Ok(text(&Defaulting { object: JsonText::from(&object), patch, changes, undecided }))
}

/// What `default` did to an object.
#[derive(Debug)]
pub struct Defaulted<'r> {
    /// The object with its defaults.
    pub object: Value<'r>,
    /// What `default` changed, as a patch of the object of the request.
    pub patch: Vec<PatchOperation>,
    /// Why, one line for each operation of the patch.
    pub changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

impl<'r> Defaulted<'r> {
    /// An object without a change.
    pub fn unchanged(object: &Value<'r>) -> Self {
        Self { object: object.clone(), patch: Vec::new(), changes: Vec::new(), undecided: Vec::new() }
    }

    /// Sets a value, and says why. Nothing happens where the parent of the value does not exist.
    pub fn set(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        let operation = PatchOperation::add(pointer.clone(), &value);
        let Some(op) = patch::set(&mut self.object, &pointer, value) else { return };
        self.patch.push(PatchOperation { op, ..operation });
        self.changes.push(DefaultChange { rule: rule.id, pointer, reason: reason.into(), overrules: false });
    }

    /// Takes back what a person wrote, and says why: sets the value, or removes it where there is none.
    pub fn overrule(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        value: Option<Value<'r>>,
        reason: impl Into<Cow<'static, str>>,
    ) {
        let is_written = self.object.pointer(&pointer).is_some_and(|value| *value != Value::Null);
        let before = self.changes.len();
        match value {
            Some(value) => self.set(rule, pointer, value, reason),
            None => self.remove(rule, pointer, reason),
        }
        if let Some(change) = self.changes.get_mut(before) {
            change.overrules = is_written;
        }
    }

    /// Removes a member, and says why. Nothing happens where there is none.
    pub fn remove(&mut self, rule: &'static Rule, pointer: String, reason: impl Into<Cow<'static, str>>) {
        if patch::remove(&mut self.object, &pointer) {
            self.patch.push(PatchOperation::remove(pointer.clone()));
            self.changes.push(DefaultChange { rule: rule.id, pointer, reason: reason.into(), overrules: false });
        }
    }

    /// Reports that a default could not be decided.
    pub fn undecided(&mut self, rule: &'static Rule, why: impl Into<String>, query: Option<Query>) {
        self.undecided.push(Undecided { rule: rule.id, why: why.into(), query });
    }
}

/// One default that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DefaultChange {
    /// Id of the rule.
    pub rule: &'static str,
    /// Where, as an RFC 6901 pointer.
    pub pointer: String,
    /// Why, for the person whose manifest it is.
    pub reason: Cow<'static, str>,
    /// Whether the change takes back what a person wrote, which therefore has no effect.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overrules: bool,
}

/// The answer of `default`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Defaulting {
    /// The object with its defaults.
    pub object: JsonText,
    /// What `default` changed, as an RFC 6902 patch of the object of the request.
    pub patch: Vec<PatchOperation>,
    /// Why, one line for each operation of the patch.
    pub changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}
