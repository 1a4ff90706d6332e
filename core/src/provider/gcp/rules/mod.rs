//! The rules of the GCP policy in words, one file a section. Findings, help texts and the rule reference quote them.

use crate::report::Rule;

/// Every rule, by section: what validation judges, what the cloud would be asked, what defaulting sets, what is only
/// advised.
pub const SECTIONS: &[&[&Rule]] = &[];
