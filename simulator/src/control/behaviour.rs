//! Time and settings.

use serde::Deserialize;
use serde_json::{Value, json};

use super::route::Input;
use super::{Answered, Failed, plain};
use crate::cloud::{ClockError, Cloud};
use crate::settings::{Seconds, Settings};

pub(super) fn health(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION"), "time": cloud.now() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rate {
    rate: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    seconds: Seconds,
}

fn clock_now(cloud: &Cloud) -> Value {
    json!({ "time": cloud.now(), "rate": cloud.rate() })
}

pub(super) fn clock(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(clock_now(cloud))
}

pub(super) fn set_clock(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let Rate { rate } = asked.body()?;
    cloud.set_rate(rate).map_err(|error| match error {
        ClockError::Rate(error) => Failed::bad(format!("`rate`: {error}")),
        ClockError::Keep(error) => error.into(),
    })?;
    Ok(clock_now(cloud))
}

pub(super) fn step(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let Step { seconds } = asked.body()?;
    cloud.step(seconds.duration())?;
    Ok(clock_now(cloud))
}

pub(super) fn settings(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    plain(&*cloud.settings())
}

pub(super) fn put_settings(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let settings = check(asked.body()?)?;
    cloud.set_settings(settings)?;
    plain(&*cloud.settings())
}

pub(super) fn patch_settings(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let patch: Value = asked.body()?;
    if !patch.is_object() {
        return Err(Failed::bad("the body must be an object with the settings to change"));
    }
    cloud.change_settings(|settings| {
        let mut patched = plain(settings)?;
        json_patch::merge(&mut patched, &patch);
        let settings = serde_json::from_value(patched);
        check(settings.map_err(|error| Failed::bad(format!("the settings would be wrong: {error}")))?)
    })?;
    plain(&*cloud.settings())
}

fn check(settings: Settings) -> Result<Settings, Failed> {
    settings.check().map_err(|error| Failed::bad(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Api;
    use super::*;

    #[test]
    fn health_shows_the_time() {
        let health = Api::new().get("health");
        assert_eq!((&health["status"], &health["time"]), (&json!("ok"), &json!("2026-01-02T03:04:05Z")));
    }

    #[test]
    fn a_clock_is_stepped_and_set() {
        let api = Api::new();
        let id = api.test.text("vpc", "CreateVpc", &[], "VpcId");
        assert_eq!(api.get("clock"), json!({ "time": "2026-01-02T03:04:05Z", "rate": 0.0 }));
        let stepped = api.ok("POST", "clock/step", &json!({ "seconds": 3.5 }));
        assert_eq!(stepped, json!({ "time": "2026-01-02T03:04:08.5Z", "rate": 0.0 }));
        assert!(api.get("inventory").to_string().contains("\"Available\""), "{id}");
        assert_eq!(api.ok("PUT", "clock", &json!({ "rate": 60 }))["rate"], 60.0);
        for (method, path, body, words) in [
            ("PUT", "clock", json!({ "rate": -1 }), "`rate`: the rate of the clock must be from 0"),
            ("PUT", "clock", json!({ "time": 1 }), "unknown field `time`"),
            ("POST", "clock/step", json!({ "seconds": -1 }), "a time must be from 0"),
            ("POST", "clock/step", json!({}), "missing field `seconds`"),
        ] {
            let (status, message) = api.refused(method, path, &body);
            assert!(status == 400 && message.contains(words), "{path} {body}: {message}");
        }
    }

    #[test]
    fn settings_are_replaced_and_merged() {
        let api = Api::new();
        let first = json!({ "delays": { "*": 0.0, "vpc:CreateVpc": 9.0 }, "quotas": { "vpcs": 1 } });
        let put = api.ok("PUT", "settings", &first);
        assert_eq!((&put["delays"], &put["quotas"]), (&first["delays"], &first["quotas"]));
        let patch = json!({ "delays": { "vpc:CreateVpc": null, "vpc:*": 2.0 }, "vswitchConflicts": true });
        let patched = api.ok("PATCH", "settings", &patch);
        assert_eq!(patched["delays"], json!({ "*": 0.0, "vpc:*": 2.0 }));
        assert_eq!((&patched["quotas"], &patched["vswitchConflicts"]), (&first["quotas"], &json!(true)));
        assert_eq!(api.get("settings"), patched);
        assert_eq!(api.ok("PUT", "settings", &json!({}))["quotas"], json!({}));
    }

    #[test]
    fn settings_that_mean_nothing_are_refused() {
        let api = Api::new();
        for (method, body, words) in [
            ("PUT", json!({ "delays": { "vpc:CreatVpc": 1 } }), "`vpc:CreatVpc` names the action `CreatVpc`"),
            ("PATCH", json!({ "lag": { "vpx:*": 1 } }), "`lag`: `vpx:*` names the service `vpx`"),
            ("PATCH", json!({ "throttle": { "*": { "calls": 1, "seconds": 0 } } }), "must be at least 1"),
            ("PATCH", json!({ "colour": 1 }), "unknown field `colour`"),
            ("PATCH", json!([]), "the body must be an object"),
        ] {
            let (status, message) = api.refused(method, "settings", &body);
            assert!(status == 400 && message.contains(words), "{body}: {message}");
        }
        assert_eq!(*api.test.cloud.settings(), Settings::default());
    }
}
