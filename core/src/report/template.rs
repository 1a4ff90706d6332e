//! Values that a program was to fill in before anybody sends the object.

use super::{ErrorType, Finding};
use crate::document::PatchOperation;

/// How such programs mark what they fill in.
const MARKS: [(&str, &str); 5] = [("{{", "}}"), ("${", "}"), ("$(", ")"), ("<%", "%>"), ("<", ">")];

/// Says in the place of the remedy of a finding about such a value what to do: no other value helps.
pub fn advise(finding: &mut Finding) {
    let value = finding.bad_value.as_ref().map(|value| value.as_str().trim_matches('"').trim());
    let is_mark = |text: &str| {
        MARKS.iter().any(|(open, close)| {
            let inside = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            inside.is_some_and(|inside| !inside.trim().is_empty() && !inside.contains(['<', '>', '\n']))
        })
    };
    let is_of_value = !finding.at_key && !matches!(finding.error_type, ErrorType::Forbidden | ErrorType::Warning);
    let goes = finding.fix.iter().flatten().any(|one: &PatchOperation| one.value.is_none());
    if is_of_value && !goes && value.is_some_and(is_mark) {
        finding.remedy = "This looks like a template: render it first (`helm template`, `envsubst`).".into();
        finding.fix = None;
        finding.choices.clear();
    }
}
