//! Why there is no plan: findings, and the codes that Gardener gives them.

use super::error_codes::CONFIGURATION_PROBLEM;
use crate::policy::PlanAnswer;
use crate::report::{ErrorType, Finding};

/// Findings that forbid a plan.
#[derive(Debug)]
pub struct Errors {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Gardener's codes of the errors, sorted.
    pub codes: Vec<&'static str>,
}

impl Errors {
    /// Errors of a configuration. Their code is `ERR_CONFIGURATION_PROBLEM`; where something outside the
    /// configuration failed, the existing extension reads codes from the text of all errors, which `codes_of`
    /// does.
    pub fn new(findings: Vec<Finding>, codes_of: fn(&str) -> Vec<&'static str>) -> Self {
        let is_internal = findings.iter().any(|finding| finding.error_type == ErrorType::Internal);
        let codes = if is_internal {
            let text: Vec<String> = findings.iter().map(printed).collect();
            codes_of(&text.join("\n"))
        } else {
            vec![CONFIGURATION_PROBLEM]
        };
        Self { findings, codes }
    }

    /// Errors of a configuration that nobody can read: only a person can fix it.
    pub fn unreadable(findings: Vec<Finding>) -> Self {
        Self { findings, codes: vec![CONFIGURATION_PROBLEM] }
    }
}

impl From<Errors> for PlanAnswer {
    fn from(Errors { findings, codes }: Errors) -> Self {
        Self { findings, codes, ..Self::default() }
    }
}

/// What an API says of a failure.
pub fn said(code: &str, message: &str) -> String {
    if message.is_empty() { code.to_owned() } else { format!("{code}: {message}") }
}

/// A finding as Kubernetes prints it.
fn printed(finding: &Finding) -> String {
    let error_type = match finding.error_type {
        ErrorType::Invalid => "Invalid value",
        ErrorType::NotFound => "Not found",
        ErrorType::Required => "Required value",
        ErrorType::Forbidden => "Forbidden",
        ErrorType::TooLong => "Too long",
        ErrorType::TooMany => "Too many",
        ErrorType::NotSupported => "Unsupported value",
        ErrorType::Duplicate => "Duplicate value",
        ErrorType::Internal | ErrorType::Denied | ErrorType::Warning => "Internal error",
    };
    format!("{}: {error_type}: {}", finding.field, finding.detail)
}
