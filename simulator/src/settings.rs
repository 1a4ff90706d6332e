//! The settings: how the cloud behaves.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The settings: how the cloud behaves.
///
/// Names of actions are written `vpc:CreateVpc`, all of a service `vpc:*`, and all `*`; the most precise one
/// counts.
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

    /// The value for the action of this name of the service with this code.
    pub fn get(&self, service: &str, action: &str) -> Option<T> {
        if self.0.is_empty() {
            return None;
        }
        let precise = format!("{service}:{action}");
        let of_service = format!("{service}:*");
        [precise.as_str(), of_service.as_str(), "*"].iter().find_map(|name| self.0.get(*name).copied())
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

/// How many resources of a kind there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name in the settings, such as `vpcs`.
    pub name: &'static str,
    /// How many by default.
    pub default: usize,
}

impl Quota {
    /// A quota with the number that the cloud's documentation gives.
    pub const fn new(name: &'static str, default: usize) -> Self {
        Self { name, default }
    }
}

impl Settings {
    /// The longest lag of all reads.
    pub fn longest_lag(&self) -> Duration {
        self.lag.iter().map(|(_, lag)| lag.duration()).max().unwrap_or_default()
    }

    /// How many resources there may be.
    pub fn quota(&self, quota: &Quota) -> usize {
        self.quotas.get(quota.name).copied().unwrap_or(quota.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_precise_name_counts() {
        let settings: Settings =
            serde_json::from_str(r#"{ "delays": { "*": 1, "vpc:*": 2.5, "vpc:CreateVpc": 0 } }"#).unwrap();
        let delay = |service, action| settings.delays.get(service, action).map(Seconds::duration);
        assert_eq!(delay("vpc", "CreateVpc"), Some(Duration::ZERO));
        assert_eq!(delay("vpc", "DeleteVpc"), Some(Duration::from_millis(2500)));
        assert_eq!(delay("ecs", "RunInstances"), Some(Duration::from_secs(1)));
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
