//! What is wrong with an object.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::Severity;

/// One error or warning.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Id of the rule; none where the policy refuses to set defaults.
    #[serde(default)]
    pub rule: Option<String>,
    /// The policy whose rule it is: `gardener`, or a provider type. Empty until the host knows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// How grave it is.
    pub severity: Severity,
    /// Reason of the field error.
    #[serde(rename = "type")]
    pub error_type: String,
    /// The field as Kubernetes prints it; may be empty.
    pub field: String,
    /// The place in the object, as an RFC 6901 pointer.
    pub pointer: String,
    /// Whether the key is wrong and not the value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_key: bool,
    /// The value there; `null` where there is none, left out for objects, lists and secrets.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub bad_value: Option<Box<RawValue>>,
    /// What is wrong.
    pub detail: String,
    /// What is wrong, in a phrase, where the detail does not say it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What the person can do.
    pub remedy: String,
    /// Present where one fix is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<PatchOperation>>,
    /// The changes of the object after which policies can judge on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assume: Vec<PatchOperation>,
    /// Texts to choose from, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// All supported values, where there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supported: Vec<String>,
    /// The finding that this one follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caused_by: Option<FindingCause>,
    /// Whether the finding holds for a value that the policy assumes, because another value cannot be decoded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
    /// The release of Gardener that brought the finding, such as `1.145`, where nobody told the release of the
    /// garden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// The finding that another one follows from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct FindingCause {
    /// Id of its rule.
    pub rule: String,
    /// Its place in the object, as an RFC 6901 pointer.
    pub pointer: String,
}

impl Finding {
    /// The sort of the error, in the words of Kubernetes.
    pub fn sort(&self) -> &str {
        match self.error_type.as_str() {
            "FieldValueNotFound" => "Not found",
            "FieldValueRequired" => "Required value",
            "FieldValueDuplicate" => "Duplicate value",
            "FieldValueInvalid" | "FieldValueTypeInvalid" => "Invalid value",
            "FieldValueNotSupported" => "Unsupported value",
            "FieldValueForbidden" => "Forbidden",
            "FieldValueTooLong" => "Too long",
            "FieldValueTooMany" => "Too many",
            "InternalError" => "Internal error",
            other => other,
        }
    }

    /// Whether the finding is about a value of which several other ones may be meant.
    pub fn is_guess(&self) -> bool {
        self.error_type == "FieldValueNotSupported"
    }

    /// Whether the finding is about the object as a whole, and not about a value.
    pub fn is_denial(&self) -> bool {
        self.error_type == "Denied"
    }

    /// What a finding that follows from this one calls it; none without a rule.
    pub fn as_cause(&self) -> Option<FindingCause> {
        Some(FindingCause { rule: self.rule.clone()?, pointer: self.pointer.clone() })
    }

    /// An error about a field that is missing, which is of no rule of a policy.
    pub fn required(source: &str, field: &str, pointer: &str, detail: String, remedy: &str) -> Self {
        Self {
            rule: None,
            source: source.to_owned(),
            severity: Severity::Error,
            error_type: "FieldValueRequired".to_owned(),
            field: field.to_owned(),
            pointer: pointer.to_owned(),
            at_key: false,
            bad_value: None,
            detail,
            summary: String::new(),
            remedy: remedy.to_owned(),
            fix: None,
            assume: Vec::new(),
            choices: Vec::new(),
            supported: Vec::new(),
            caused_by: None,
            assumed: false,
            since: None,
        }
    }
}

/// One operation of an RFC 6902 patch.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PatchOperation {
    /// `add`, `replace`, `remove` or `move`.
    pub op: String,
    /// Where the value was, in an operation that moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where.
    pub path: String,
    /// The new value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<RawValue>>,
}

impl PartialEq for PatchOperation {
    fn eq(&self, other: &Self) -> bool {
        let value = |one: &Self| one.value.as_ref().map(|value| value.get().to_owned());
        (&self.op, &self.from, &self.path) == (&other.op, &other.from, &other.path) && value(self) == value(other)
    }
}

impl PatchOperation {
    /// Whether the operation removes the value at the pointer.
    pub fn is_removal(&self, pointer: &str) -> bool {
        self.op == "remove" && self.path == pointer
    }
}

/// `null` is a value, not the absence of one.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}
