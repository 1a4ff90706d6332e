//! Why there can be no plan.

use crate::policy::Planning;
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
    /// words of the failures tell.
    pub fn new(findings: Vec<Finding>) -> Self {
        let internal = findings.iter().any(|finding| finding.error_type == ErrorType::Internal);
        let codes = if internal { Vec::new() } else { vec!["ERR_CONFIGURATION_PROBLEM"] };
        Self { findings, codes }
    }
}

impl From<Errors> for Planning {
    fn from(Errors { findings, codes }: Errors) -> Self {
        Self { findings, codes, ..Self::default() }
    }
}
