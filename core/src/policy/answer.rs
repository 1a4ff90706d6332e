//! What comes out of a policy.

use std::borrow::Cow;

use serde::Serialize;

use super::Query;
use crate::json::{JsonText, Value};
use crate::names::NameMap;
use crate::patch::{self, PatchOperation};
use crate::report::{Finding, Rule, Severity, Undecided};

/// What a policy is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// Provider type, as in `spec.provider.type`.
    pub provider: &'static str,
    /// Version of the policy.
    pub version: &'static str,
    /// Release of the existing extension whose rules it carries.
    pub parity: &'static str,
    /// Names of the functions that it answers, sorted.
    pub functions: &'static [&'static str],
    /// Kinds of the provider's own API.
    pub kinds: Vec<Kind>,
    /// Per function and kind of object, what is read of the request's context, as RFC 6901 pointers with
    /// `*` for every entry of a list. Callers need to send no more.
    pub reads: NameMap<'static, NameMap<'static, &'static [&'static str]>>,
    /// Every call that its plans and their queries and probes can make on behalf of the Shoot's account, such as
    /// `vpc:CreateVpc`, sorted.
    pub calls: &'static [&'static str],
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Kind {
    /// Group and version.
    pub api_version: &'static str,
    /// Name of the kind.
    pub kind: &'static str,
}

/// Whether the object may be admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every rule holds.
    Accept,
    /// Some rule does not hold.
    Reject,
    /// No rule is known not to hold, but some could not be judged. Nobody may admit on this.
    Undecided,
}

/// The answer of `validate`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validation {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors in the order of the rules, then warnings.
    pub findings: Vec<Finding>,
    /// Present where there are more findings than a report holds: the severities of those that were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Severity>,
    /// Rules that could not be judged.
    pub undecided: Vec<Undecided>,
}

/// What `default` did to an object.
#[derive(Debug)]
pub struct Defaulted<'r> {
    /// The object with its defaults.
    pub object: Value<'r>,
    /// What was done, as a patch of the object given.
    pub patch: Vec<PatchOperation>,
    /// Why, one line an operation.
    pub changes: Vec<Change>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

impl<'r> Defaulted<'r> {
    /// The object as it is.
    pub fn unchanged(object: &Value<'r>) -> Self {
        Self { object: object.clone(), patch: Vec::new(), changes: Vec::new(), undecided: Vec::new() }
    }

    /// Sets a value whose parent exists, and says why.
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
        self.changes.push(Change { rule: rule.id, pointer, reason: reason.into() });
    }

    /// Says that a default could not be decided.
    pub fn undecided(&mut self, rule: &'static Rule, why: impl Into<String>, query: Option<Query>) {
        self.undecided.push(Undecided { rule: rule.id, why: why.into(), query });
    }
}

/// One default that was set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// Id of the rule.
    pub rule: &'static str,
    /// Where, as an RFC 6901 pointer.
    pub pointer: String,
    /// Why, for the person whose manifest it is.
    pub reason: Cow<'static, str>,
}

/// The answer of `default`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Defaulting {
    /// The object with its defaults.
    pub object: JsonText,
    /// What was done, as an RFC 6902 patch of the object given.
    pub patch: Vec<PatchOperation>,
    /// Why, one line an operation.
    pub changes: Vec<Change>,
    /// Defaults that could not be decided.
    pub undecided: Vec<Undecided>,
}

/// The answer of `rules`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<&'static Rule>,
}

/// The answer when there is no other.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What is wrong with the request.
    pub error: FailureCause,
}

/// What is wrong with a request.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureCause {
    /// A word for programs: `Malformed`, `TooLarge`, `TooDeep`, `UnknownProvider`, `UnknownFunction`,
    /// `UnsupportedKind`, `OtherProvider` where the object names another provider, `Denied` where the existing extension
    /// refuses to set defaults, or `Impossible` where a zone that is asked for cannot be added.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Where in the object, as an RFC 6901 pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}
