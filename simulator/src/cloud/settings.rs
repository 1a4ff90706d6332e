//! What the settings say of actions, and whether they name what exists.

use std::time::Duration;

use super::{Pattern, PatternError};
use crate::action::{Action, Run, Service};
use crate::service::SERVICES;
use crate::settings::Settings;

/// Parameters that cut a list into pages.
const PAGING: [&str; 5] = ["MaxResult", "MaxResults", "NextToken", "PageNumber", "PageSize"];

/// Why settings are wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A name is not that of an action.
    #[error("`{setting}`: {error}")]
    Pattern {
        /// The setting.
        setting: &'static str,
        /// What is wrong.
        error: PatternError,
    },
    /// A name is not that of a quota.
    #[error("`quotas`: there is no quota `{name}`: there are {known}")]
    Quota {
        /// The name.
        name: String,
        /// The quotas that there are.
        known: String,
    },
    /// A rate has no time.
    #[error("`throttle.{0}.seconds` must be at least 1")]
    NoTime(String),
}

impl Settings {
    /// Checks the settings: all names must be those of existing actions and quotas.
    pub fn check(self) -> Result<Self, SettingsError> {
        let delays = self.delays.iter().map(|(name, _)| ("delays", name));
        let lag = self.lag.iter().map(|(name, _)| ("lag", name));
        let throttle = self.throttle.iter().map(|(name, _)| ("throttle", name));
        let ignored = self.ignore_filters.iter().map(|(name, _)| ("ignoreFilters", name));
        for (setting, name) in delays.chain(lag).chain(throttle).chain(ignored) {
            name.parse::<Pattern>().map_err(|error| SettingsError::Pattern { setting, error })?;
        }
        if let Some((name, _)) = self.throttle.iter().find(|(_, rate)| rate.seconds == 0) {
            return Err(SettingsError::NoTime(name.to_owned()));
        }
        let known = || SERVICES.iter().flat_map(|service| service.quotas).map(|quota| quota.name);
        if let Some(name) = self.quotas.keys().find(|name| !known().any(|known| known == *name)) {
            let known = known().collect::<Vec<_>>().join(", ");
            return Err(SettingsError::Quota { name: name.clone(), known });
        }
        Ok(self)
    }

    /// How far an action's reads lag behind writes.
    pub fn lag(&self, service: &Service, action: &Action) -> Duration {
        self.lag.get(service.code, action.name).unwrap_or_default().duration()
    }

    /// Whether an action uses a parameter. It always uses required parameters and those of paging.
    pub fn heeds(&self, service: &Service, action: &Action, name: &str) -> bool {
        let Run::Read(_) = action.run else { return true };
        let name = name.split('.').next().unwrap_or_default();
        PAGING.contains(&name)
            || action.parameter(name).is_none_or(|parameter| parameter.required)
            || self.ignore_filters.get(service.code, action.name) != Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{PerAction, Seconds};

    #[test]
    fn settings_name_what_exists() {
        for (text, words) in [
            (r#"{ "delays": { "vpc:CreatVpc": 1 } }"#, "`delays`: `vpc:CreatVpc` names the action `CreatVpc`"),
            (r#"{ "ignoreFilters": { "vpx:*": true } }"#, "`ignoreFilters`: `vpx:*` names the service `vpx`"),
            (r#"{ "lag": { "vpx:*": 1 } }"#, "`lag`: `vpx:*` names the service `vpx`"),
            (r#"{ "throttle": { "all": { "calls": 1, "seconds": 1 } } }"#, "`throttle`: `all` names no action"),
            (r#"{ "quotas": { "vpc": 0 } }"#, "`quotas`: there is no quota `vpc`: there are vpcs, vswitches"),
            (
                r#"{ "throttle": { "*": { "calls": 1, "seconds": 0 } } }"#,
                "`throttle.*.seconds` must be at least 1",
            ),
        ] {
            let error = serde_json::from_str::<Settings>(text).unwrap().check().unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
        assert!(Settings { lag: PerAction::all(Seconds::default()), ..Settings::default() }.check().is_ok());
    }
}
