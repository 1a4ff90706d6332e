//! Names of actions in settings and faults.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::action::{Action, Service};
use crate::service::SERVICES;

/// One action (`vpc:CreateVpc`), all of a service (`vpc:*`), or all (`*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub struct Pattern {
    service: Option<&'static str>,
    action: Option<&'static str>,
}

/// Why a text names no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The text does not have the form.
    #[error("`{0}` names no action: write `vpc:CreateVpc` for one, `vpc:*` for all of a service, `*` for all")]
    Form(String),
    /// There is no such service.
    #[error("`{pattern}` names the service `{service}`, which does not exist: there are {known}")]
    Service {
        /// The text.
        pattern: String,
        /// The service in it.
        service: String,
        /// The services that there are.
        known: String,
    },
    /// There is no such action.
    #[error(
        "`{pattern}` names the action `{action}`, which `{service}` does not have; /_simulator/actions lists all"
    )]
    Action {
        /// The text.
        pattern: String,
        /// The service in it.
        service: &'static str,
        /// The action in it.
        action: String,
    },
}

impl Pattern {
    /// All actions.
    pub const ALL: Self = Self { service: None, action: None };

    /// Whether the pattern matches an action.
    pub fn matches(self, service: &Service, action: &Action) -> bool {
        self.matches_names(service.code, action.name)
    }

    /// Whether the pattern matches the action of this name of the service with this code.
    pub fn matches_names(self, service: &str, action: &str) -> bool {
        self.service.is_none_or(|code| code == service) && self.action.is_none_or(|name| name == action)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text == "*" {
            return Ok(Self::ALL);
        }
        let (code, name) = text.split_once(':').ok_or_else(|| PatternError::Form(text.to_owned()))?;
        let service = SERVICES.iter().find(|service| service.code == code).ok_or_else(|| {
            let known: Vec<_> = SERVICES.iter().map(|service| service.code).collect();
            PatternError::Service { pattern: text.to_owned(), service: code.to_owned(), known: known.join(", ") }
        })?;
        if name == "*" {
            return Ok(Self { service: Some(service.code), action: None });
        }
        let action = service.action(name).ok_or_else(|| PatternError::Action {
            pattern: text.to_owned(),
            service: service.code,
            action: name.to_owned(),
        })?;
        Ok(Self { service: Some(service.code), action: Some(action.name) })
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        String::deserialize(input)?.parse().map_err(D::Error::custom)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.to_string()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.service, self.action) {
            (None, _) => out.write_str("*"),
            (Some(service), None) => write!(out, "{service}:*"),
            (Some(service), Some(action)) => write!(out, "{service}:{action}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_the_actions_that_it_names() {
        for (pattern, creates_vpcs, describes_vpcs, runs_instances) in [
            ("*", true, true, true),
            ("vpc:*", true, true, false),
            ("vpc:CreateVpc", true, false, false),
            ("ecs:*", false, false, true),
        ] {
            let read: Pattern = pattern.parse().unwrap();
            assert_eq!(read.to_string(), pattern);
            assert_eq!(read.matches_names("vpc", "CreateVpc"), creates_vpcs, "{pattern}");
            assert_eq!(read.matches_names("vpc", "DescribeVpcs"), describes_vpcs, "{pattern}");
            assert_eq!(read.matches_names("ecs", "RunInstances"), runs_instances, "{pattern}");
        }
    }

    #[test]
    fn what_names_no_action_is_refused_by_name() {
        for (pattern, words) in [
            ("CreateVpc", "`CreateVpc` names no action"),
            ("", "`` names no action"),
            ("vpx:CreateVpc", "the service `vpx`, which does not exist: there are vpc, ecs"),
            ("vpc:CreatVpc", "the action `CreatVpc`, which `vpc` does not have"),
        ] {
            let error = pattern.parse::<Pattern>().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
