//! The errors among the findings of a policy, as one text for people.

use std::fmt::Write as _;

use serde_json::Value;

use trellis_policies::answer::{Finding, Severity};

/// The most characters of a value in a message.
const MOST_CHARACTERS: usize = 120;

/// All errors, each with its field, its value and its remedy; empty where there are none.
pub fn errors(findings: &[Finding]) -> String {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(line).collect::<Vec<String>>().join("; ")
}

/// What is wrong with which field, and what to do.
fn line(finding: &Finding) -> String {
    let mut text = String::new();
    if !finding.field.is_empty() {
        text.push_str(&finding.field);
        text.push_str(": ");
    }
    // Where a finding is no error of a field, its sort says nothing to a person.
    if !["Denied", "InternalError"].contains(&finding.type_.as_str()) {
        text.push_str(finding.sort());
        text.push_str(": ");
    }
    if let Some(value) = finding.bad_value.as_ref().and_then(|raw| shown(raw.get())) {
        // Writing to a string does not fail.
        let _ = write!(text, "{value}: ");
    }
    // Some remedies repeat the detail.
    let (detail, remedy) = (finding.detail.trim_end_matches('.'), finding.remedy.as_str());
    match (detail, remedy) {
        (detail, "") => text.push_str(detail),
        (detail, remedy) if remedy.contains(detail) => text.push_str(remedy),
        (detail, remedy) => {
            let _ = write!(text, "{detail}. {remedy}");
        }
    }
    text
}

/// A value as Kubernetes prints it.
fn shown(raw: &str) -> Option<String> {
    match serde_json::from_str(raw).ok()? {
        Value::Null => None,
        value => {
            let text = value.to_string();
            let cut: String = text.chars().take(MOST_CHARACTERS).collect();
            Some(if cut.len() < text.len() { format!("{cut}…") } else { text })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reported(change: &Value) -> String {
        let mut finding = json!({
            "rule": "ALI-ICV-008", "severity": "error", "type": "FieldValueInvalid", "field": "networks.vpc.id",
            "pointer": "/spec/providerConfig/networks/vpc/id", "badValue": "vpc-1",
            "detail": "no user natgateway found", "remedy": "Create one.",
        });
        crate::controller::runtime::testing::merge(&mut finding, change.clone());
        errors(&[serde_json::from_value(finding).unwrap()])
    }

    #[test]
    fn an_error_says_what_is_wrong_where_and_what_to_do() {
        for (change, expected) in [
            (json!({}), "networks.vpc.id: Invalid value: \"vpc-1\": no user natgateway found. Create one."),
            (
                json!({ "type": "InternalError", "field": "", "badValue": null, "remedy": "" }),
                "no user natgateway found",
            ),
            (
                json!({ "remedy": "no user natgateway found: create one." }),
                "networks.vpc.id: Invalid value: \"vpc-1\": no user natgateway found: create one.",
            ),
            (json!({ "severity": "warning" }), ""),
        ] {
            assert_eq!(reported(&change), expected);
        }
    }
}
