//! Why there can be no plan.

use crate::gardener::infrastructure::error_codes::CONFIGURATION_PROBLEM;
use crate::policy::Planning;
use crate::provider::alicloud::error_codes;
use crate::report::{ErrorType, Finding};

/// Findings that forbid a plan, with the codes that Gardener gives them.
#[derive(Debug)]
pub struct Errors {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Gardener error codes, sorted.
    pub codes: Vec<&'static str>,
}

impl Errors {
    /// Errors of a configuration: their code is `ERR_CONFIGURATION_PROBLEM`, unless something outside it failed. Then the
    /// words of all of them tell.
    pub fn new(findings: Vec<Finding>) -> Self {
        let internal = findings.iter().any(|finding| finding.error_type == ErrorType::Internal);
        let codes = if internal {
            let text: Vec<String> = findings.iter().map(words).collect();
            error_codes::codes(&text.join("\n"))
        } else {
            vec![CONFIGURATION_PROBLEM]
        };
        Self { findings, codes }
    }
}

impl From<Errors> for Planning {
    fn from(Errors { findings, codes }: Errors) -> Self {
        Self { findings, codes, ..Self::default() }
    }
}

/// What an API says of a failure.
pub fn cause(code: &str, message: &str) -> String {
    if message.is_empty() { code.to_owned() } else { format!("{code}: {message}") }
}

/// A finding as Kubernetes prints it, as far as error codes are told from it.
fn words(finding: &Finding) -> String {
    let what = match finding.error_type {
        ErrorType::Invalid => "Invalid value",
        ErrorType::NotFound => "Not found",
        ErrorType::Required => "Required value",
        ErrorType::Forbidden => "Forbidden",
        _ => "Internal error",
    };
    format!("{}: {what}: {}", finding.field, finding.detail)
}
