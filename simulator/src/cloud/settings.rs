//! The settings: how the cloud behaves.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Pattern, PatternError};
use crate::action::{Action, Run, Service};
use crate::service::SERVICES;
use crate::world::Quota;

/// Parameters that cut a list into pages.
const PAGING: [&str; 5] = ["MaxResult", "MaxResults", "NextToken", "PageNumber", "PageSize"];

/// The settings: how the cloud behaves.
///
/// Names of actions are written `vpc:CreateVpc`, all of a service `vpc:*`, and all `*`; the most precise one counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// The duration of the transition that an action starts, in seconds, in place of the declared one.
    pub delays: PerAction<Seconds>,
    /// How far reads lag behind writes, in seconds.
    pub lag: PerAction<Seconds>,
    /// How many calls of an action each account may make.
    pub throttle: PerAction<Rate>,
    /// How many resources there may be, by the name of the quota.
    pub quotas: BTreeMap<String, usize>,
    /// Whether a read ignores its filters and lists everything that exists.
    pub ignore_filters: PerAction<bool>,
    /// Whether a write to a VSwitch is refused while another VSwitch of the same VPC is being created or deleted.
    pub vswitch_conflicts: bool,
}

/// A number of calls in a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// How many calls.
    pub calls: u32,
    /// In how many seconds.
    pub seconds: u32,
}

/// A time in seconds, of at most some centuries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(Duration);

impl Seconds {
    /// A longer time has no use, and would exceed the largest time.
    const MOST: f64 = 1e9;

    /// The time.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl From<Duration> for Seconds {
    fn from(time: Duration) -> Self {
        Self(time.min(Duration::from_secs_f64(Self::MOST)))
    }
}

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> Self {
        seconds.0.as_secs_f64()
    }
}

/// A number is not a time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a time must be from 0 to 1000000000 seconds")]
pub struct NotSeconds;

impl TryFrom<f64> for Seconds {
    type Error = NotSeconds;

    fn try_from(seconds: f64) -> Result<Self, NotSeconds> {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| NotSeconds)?;
        if seconds <= Self::MOST { Ok(Self(time)) } else { Err(NotSeconds) }
    }
}

/// A value for some actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerAction<T>(BTreeMap<String, T>);

impl<T> Default for PerAction<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Copy> PerAction<T> {
    /// The same value for all actions.
    pub fn all(value: T) -> Self {
        Self(BTreeMap::from([("*".to_owned(), value)]))
    }

    /// The value for an action.
    pub fn get(&self, service: &Service, action: &Action) -> Option<T> {
        if self.0.is_empty() {
            return None;
        }
        let precise = format!("{}:{}", service.code, action.name);
        let of_service = format!("{}:*", service.code);
        [precise.as_str(), of_service.as_str(), "*"].iter().find_map(|name| self.0.get(*name).copied())
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

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

    /// The duration of the transition that an action starts.
    pub fn takes(&self, service: &Service, action: &Action) -> Duration {
        self.delays.get(service, action).map_or(action.takes, Seconds::duration)
    }

    /// How far an action's reads lag behind writes.
    pub fn lag(&self, service: &Service, action: &Action) -> Duration {
        self.lag.get(service, action).unwrap_or_default().duration()
    }

    /// Whether an action uses a parameter. It always uses required parameters and those of paging.
    pub fn heeds(&self, service: &Service, action: &Action, name: &str) -> bool {
        let Run::Read(_) = action.run else { return true };
        let name = name.split('.').next().unwrap_or_default();
        PAGING.contains(&name)
            || action.parameter(name).is_none_or(|parameter| parameter.required)
            || self.ignore_filters.get(service, action) != Some(true)
    }

    /// The longest lag of all reads.
    pub fn longest_lag(&self) -> Duration {
        self.lag.iter().map(|(_, lag)| lag.duration()).max().unwrap_or_default()
    }

    /// How many resources there may be.
    pub fn quota(&self, quota: &Quota) -> usize {
        debug_assert!(
            SERVICES.iter().any(|service| service.quotas.contains(&quota)),
            "no service declares the quota {}",
            quota.name
        );
        self.quotas.get(quota.name).copied().unwrap_or(quota.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::vpc;

    #[test]
    fn the_most_precise_name_counts() {
        let settings: Settings =
            serde_json::from_str(r#"{ "delays": { "*": 1, "vpc:*": 2.5, "vpc:CreateVpc": 0 } }"#).unwrap();
        let action = |name| vpc::SERVICE.action(name).unwrap();
        assert_eq!(settings.takes(&vpc::SERVICE, action("CreateVpc")), Duration::ZERO);
        assert_eq!(settings.takes(&vpc::SERVICE, action("DeleteVpc")), Duration::from_millis(2500));
    }

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

    #[test]
    fn what_is_no_setting_is_refused() {
        for text in [
            r#"{ "delay": {} }"#,
            r#"{ "delays": { "*": -1 } }"#,
            r#"{ "delays": { "*": 1e300 } }"#,
            r#"{ "throttle": { "*": { "calls": 1 } } }"#,
        ] {
            assert!(serde_json::from_str::<Settings>(text).is_err(), "{text}");
        }
    }
}
