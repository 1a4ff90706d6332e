//! What a person reads of a rule.

use std::fmt;

use super::{Rule, RuleOperation, Severity};

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
