//! The answers of a policy, as far as the host looks into them.

mod addresses;
mod failure;
mod finding;
mod joint;
mod machines;
mod rendering;
mod rollout;
mod scope;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use addresses::{
    AddedZones, AddressConflict, AddressGap, AddressRange, AddressSpace, Addresses, UnreadableRange, ZoneChoice,
};
pub use failure::{Failure, Refusal, read};
pub use finding::{Finding, FindingCause, PatchOperation};
pub use joint::{Answered, Defaults, JoinRequest, Joined, Opinion, World};
pub use machines::deployment as machine_deployment;
pub use machines::read_machines;
pub use rendering::{ManagedResource, ManifestSecret, ObjectName, Rendering, Restart};
pub use rollout::{NodeChange, PoolRollout, Rollout};
pub use scope::{Scope, Section};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The policy rejects the object.
    Error,
    /// The policy accepts the object with a warning.
    Warning,
}

/// The answer of `info`.
#[derive(Debug, Default, Deserialize)]
pub struct Info {
    /// Version of the policy.
    #[serde(default)]
    pub version: String,
    /// Release of the existing extension whose rules the policy carries.
    #[serde(default)]
    pub parity: String,
    /// Names of the functions that the policy answers; empty where the policy does not list them.
    #[serde(default)]
    pub functions: Vec<String>,
    /// Per function and kind of object, the parts of the context that the function reads, as RFC 6901 pointers
    /// with `*` for every entry of a list.
    #[serde(default)]
    pub reads: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Every call that plans of the policy can make, such as `vpc:CreateVpc`.
    #[serde(default)]
    pub calls: Vec<String>,
}

/// Whether an object may be admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every rule that may reject the object holds.
    Accept,
    /// Some rule does not hold.
    Reject,
    /// No rule rejects the object, but the policy could not judge every rule that may reject it.
    Undecided,
}

/// The answer of `validate`.
#[derive(Debug, Deserialize, Serialize)]
pub struct Validation {
    /// Whether the object may be admitted.
    pub verdict: Verdict,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
    /// The severities of which the policy found more than it lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Severity>,
    /// Rules that could not be judged.
    #[serde(default)]
    pub undecided: Vec<Undecided>,
    /// Whose rules the verdict covers; a policy of an older version does not tell.
    #[serde(default)]
    pub scope: Scope,
}

/// A rule that could not be judged.
#[derive(Debug, Deserialize, Serialize)]
pub struct Undecided {
    /// Id of the rule.
    pub rule: String,
    /// The policy whose rule it is: `gardener`, or a provider type. Empty until the host knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What is missing.
    pub why: String,
    /// What to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Box<RawValue>>,
}

/// The answer of `default`.
#[derive(Debug, Deserialize)]
pub struct Defaulting {
    /// The object with its defaults.
    pub object: Box<RawValue>,
    /// The changes, as an RFC 6902 patch.
    pub patch: Box<RawValue>,
    /// Why.
    #[serde(default)]
    pub changes: Vec<DefaultChange>,
    /// Defaults that could not be decided.
    #[serde(default)]
    pub undecided: Vec<Undecided>,
}

/// The answer of `merge`.
#[derive(Debug, Deserialize)]
pub struct Merged {
    /// What the API server is sent.
    pub object: Box<RawValue>,
    /// The changes, as an RFC 6902 patch of the manifest.
    pub patch: Box<RawValue>,
}

/// One default that was set.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct DefaultChange {
    /// Id of the rule.
    pub rule: String,
    /// The policy whose rule it is: `gardener`, or a provider type. Empty until the host knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Where, as an RFC 6901 pointer.
    pub pointer: String,
    /// Why.
    pub reason: String,
    /// Whether it takes back what a person wrote.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overrules: bool,
}

/// The answer of `mutate`. It has no `Debug`: a patch may hold credentials.
#[derive(Deserialize)]
pub struct Mutation {
    /// The changes, as an RFC 6902 patch; absent where findings forbid them, or a query has to be answered before.
    #[serde(default)]
    pub patch: Option<Box<RawValue>>,
    /// Why.
    #[serde(default)]
    pub changes: Vec<DefaultChange>,
    /// Errors, which forbid to change the object.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What has to be known before.
    #[serde(default)]
    pub undecided: Vec<Undecided>,
}

/// The answer of `rules`.
#[derive(Debug, Deserialize)]
pub struct Rules {
    /// Every rule.
    pub rules: Vec<Rule>,
}

/// One rule.
#[derive(Debug, Deserialize)]
pub struct Rule {
    /// Stable identifier.
    pub id: String,
    /// Kinds of the objects that the rule judges.
    pub kinds: Vec<String>,
    /// The requests for which it runs.
    pub operation: RuleOperation,
    /// Whether the rule judges an object or sets a default.
    pub effect: Effect,
    /// How grave its findings are; none for a rule that sets defaults.
    pub severity: Option<Severity>,
    /// Whether the rule can never reject or change anything.
    #[serde(default)]
    pub informative: bool,
    /// Ids of the rules of Gardener itself that the rule repeats.
    #[serde(default)]
    pub doubles: Vec<String>,
    /// The first release of Gardener that has the rule, such as `1.147`; none where all have it that the policy
    /// knows.
    pub since: Option<String>,
    /// The first release that has the rule no more; none where the newest one has it.
    pub until: Option<String>,
}

impl Rule {
    /// The releases that have the rule, in words; empty where all have it.
    pub fn releases(&self) -> String {
        match (&self.since, &self.until) {
            (None, None) => String::new(),
            (Some(since), None) => format!("{since} and newer"),
            (None, Some(until)) => format!("older than {until}"),
            (Some(since), Some(until)) => format!("{since} and newer, older than {until}"),
        }
    }
}

/// What a rule tells a person.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RuleWords {
    /// What must hold, or what is set.
    pub summary: String,
    /// Why it exists.
    pub why: String,
    /// How to fix a manifest.
    pub fix: String,
    /// Present on rules that can never reject or change anything: why that is so.
    pub informative: Option<String>,
}

/// When a rule runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleOperation {
    /// Only when an object is created.
    Create,
    /// Only when an object is changed.
    Update,
    /// On both.
    Both,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Rejects or warns.
    Validate,
    /// Changes the object.
    Default,
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

impl fmt::Display for RuleOperation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Both => "create and update",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_bad_value_is_told_from_none() {
        let finding = |rest: &str| {
            let text = format!(
                r#"{{"rule":"A","severity":"error","type":"T","field":"","pointer":"","detail":"","remedy":""{rest}}}"#
            );
            serde_json::to_string(&read::<Finding>(&text).unwrap()).unwrap()
        };
        assert!(finding(r#","badValue":null"#).contains(r#""badValue":null"#));
        assert!(finding(r#","badValue":1.30"#).contains(r#""badValue":1.30"#));
        assert!(!finding("").contains("badValue"));
    }

    #[test]
    fn a_rename_and_choices_are_handed_on() {
        let rest = r#","fix":[{"op":"move","from":"/a","path":"/b"}],"choices":["c","d"]}"#;
        let text = r#"{"rule":"A","severity":"error","type":"T","field":"","pointer":"","detail":"","remedy":"""#;
        let text = format!("{text}{rest}");
        assert_eq!(serde_json::to_string(&read::<Finding>(&text).unwrap()).unwrap(), text);
    }

    #[test]
    fn failures_and_foreign_answers_are_failures() {
        let denied = read::<Validation>(r#"{"error":{"code":"Denied","message":"no"}}"#).unwrap_err();
        assert_eq!(denied.code, Failure::DENIED);
        assert_eq!(read::<Validation>("nonsense").unwrap_err().code, "UnknownAnswer");
    }
}
