//! What one policy said of an object.

use std::borrow::Cow;

use super::GARDENER;
use crate::document::{JsonText, Value};
use crate::policy::RequestError;
use crate::policy::member::{known_members, malformed};

/// The code of the error by which a policy refuses to set defaults.
const DENIED: &str = "Denied";

/// What one policy said of the object.
#[derive(Debug)]
pub(super) struct Opinion<'r> {
    /// The name of the policy.
    pub source: &'r str,
    /// The ids of Gardener's rules that the policy's own rules repeat, by the ids of these.
    pub doubles: Option<&'r Value<'r>>,
    /// The answer of `default`, where it was asked.
    pub default: Option<&'r Value<'r>>,
    /// The answer of `validate`, where it was asked.
    pub validate: Option<&'r Value<'r>>,
}

/// What is said, and the policy that says so.
#[derive(Clone)]
pub(super) struct Sourced<'r> {
    pub source: &'r str,
    pub value: Cow<'r, Value<'r>>,
}

impl<'r> Sourced<'r> {
    pub fn all(source: &'r str, values: &'r [Value<'r>]) -> impl Iterator<Item = Self> {
        values.iter().map(move |value| Self { source, value: Cow::Borrowed(value) })
    }

    pub fn text(&self, member: &str) -> &str {
        self.value.get(member).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn is_gardeners(&self) -> bool {
        self.source == GARDENER
    }

    pub fn is_error(&self) -> bool {
        self.text("severity") == "error"
    }

    /// The JSON text, signed with the name of the policy.
    pub fn signed(self) -> JsonText {
        let mut value = self.value.into_owned();
        if let Value::Object(members) = &mut value {
            members.retain(|(key, _)| key != "source");
            members.push((Cow::Borrowed("source"), Value::string(self.source)));
        }
        JsonText::from(&value)
    }
}

impl<'r> Opinion<'r> {
    pub fn read(value: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(value, "an opinion", &["default", "doubles", "source", "validate"])?;
        let source = value.get("source").and_then(Value::as_str);
        Ok(Self {
            source: source.ok_or_else(|| malformed("`source` of an opinion must be the name of a policy"))?,
            doubles: value.get("doubles"),
            default: value.get("default"),
            validate: value.get("validate"),
        })
    }

    pub fn defaults(&self, member: &str) -> impl Iterator<Item = Sourced<'r>> + use<'r> {
        let values = self.default.and_then(|answer| answer.get(member)).map(Value::items).unwrap_or_default();
        Sourced::all(self.source, values)
    }

    pub fn validated(&self, member: &str) -> impl Iterator<Item = Sourced<'r>> + use<'r> {
        let values = self.validate.and_then(|answer| answer.get(member)).map(Value::items).unwrap_or_default();
        Sourced::all(self.source, values)
    }

    /// Why the policy gave no answer; none where it refuses to set defaults, which is an answer.
    pub fn failure(&self) -> Option<&'r Value<'r>> {
        let answers = [self.default.filter(|answer| !is_denied(answer)), self.validate];
        answers.into_iter().flatten().find_map(|answer| answer.get("error"))
    }

    /// The findings about what a person wrote and the API server takes back.
    pub fn without_effect(&self) -> impl Iterator<Item = Value<'r>> + use<'r> {
        let changes = self.default.and_then(|answer| answer.get("changes")).map(Value::items).unwrap_or_default();
        let overrules = |change: &&Value<'_>| matches!(change.get("overrules"), Some(Value::Bool(true)));
        changes.iter().filter(overrules).map(|change| {
            let text = |member| change.get(member).and_then(Value::as_str).unwrap_or_default();
            Value::object([
                ("rule", Value::string(text("rule"))),
                ("severity", Value::string("warning")),
                ("type", Value::string("Warning")),
                ("field", Value::string("")),
                ("pointer", Value::string(text("pointer"))),
                ("detail", Value::string(crate::text::join(&["has no effect: ", text("reason")], ""))),
                ("remedy", Value::string("Leave it out.")),
            ])
        })
    }

    /// The finding for a refusal to set defaults; none where an error at the same place says the same.
    pub fn refusal(&self) -> Option<Value<'r>> {
        let error = self.default.filter(|answer| is_denied(answer))?.get("error")?;
        let pointer = error.get("pointer").and_then(Value::as_str).unwrap_or_default();
        if self.validated("findings").any(|finding| finding.is_error() && finding.text("pointer") == pointer) {
            return None;
        }
        let text = |member| Value::string(error.get(member).and_then(Value::as_str).unwrap_or_default());
        let remedy = "Fix this first: the policy cannot set defaults on the object as it is.";
        let mut finding = Value::object([
            ("severity", Value::string("error")),
            ("type", Value::string(DENIED)),
            ("field", Value::string("")),
            ("pointer", text("pointer")),
            ("detail", text("message")),
            ("remedy", error.get("remedy").cloned().unwrap_or(Value::string(remedy))),
        ]);
        if let Value::Object(members) = &mut finding {
            for key in ["rule", "atKey", "fix", "assume"] {
                members.extend(error.get(key).map(|value| (Cow::Borrowed(key), value.clone())));
            }
        }
        Some(finding)
    }
}

/// Whether a policy refuses to set defaults.
fn is_denied(answer: &Value<'_>) -> bool {
    answer.at(&["error", "code"]).and_then(Value::as_str) == Some(DENIED)
}
