//! Conditions of an object: what reports change of them (reference: gardener-contract 6.1).

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::report::Report;
use crate::api_server::member::text;

/// The status that a condition has, and for how long.
pub fn before<'c>(conditions: &'c [Value], kind: &str, now: Timestamp) -> Option<(&'c str, Duration)> {
    let condition = find(conditions, kind)?;
    let since: Option<Timestamp> = text(condition, "/lastTransitionTime").parse().ok();
    let lasted = since.and_then(|since| now.duration_since(since).try_into().ok()).unwrap_or_default();
    Some((text(condition, "/status"), lasted))
}

/// The conditions with those of the reports, and without those that are `removed`; none where nothing changes.
/// What others have written stays.
pub fn merge(
    conditions: &[Value],
    reports: &[(&str, Report)],
    removed: &[&str],
    now: Timestamp,
) -> Option<Vec<Value>> {
    let kept = conditions.iter().filter(|condition| !removed.contains(&text(condition, "/type")));
    let mut merged: Vec<Value> = kept.cloned().collect();
    for (kind, report) in reports {
        let written = write(kind, report, find(conditions, kind), now);
        match merged.iter_mut().find(|condition| text(condition, "/type") == *kind) {
            Some(condition) => *condition = written,
            None => merged.push(written),
        }
    }
    (merged != conditions).then_some(merged)
}

/// A condition after a report. Its times change with what they are the times of.
fn write(kind: &str, report: &Report, old: Option<&Value>, now: Timestamp) -> Value {
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now).to_string();
    let member = |key: &str| old.and_then(|old| old.get(key)).and_then(Value::as_str);
    let codes: Vec<&str> =
        old.and_then(|old| old.get("codes")?.as_array()).into_iter().flatten().filter_map(Value::as_str).collect();
    let has_status = member("status") == Some(report.status.name());
    let is_same = has_status
        && member("reason") == Some(report.reason)
        && member("message") == Some(&report.message)
        && codes == report.codes;
    let time = |key: &str, stays: bool| member(key).filter(|time| stays && !time.is_empty()).unwrap_or(&now);
    let mut condition = Map::from_iter([
        ("type".to_owned(), json!(kind)),
        ("status".to_owned(), json!(report.status.name())),
        ("lastTransitionTime".to_owned(), json!(time("lastTransitionTime", has_status))),
        ("lastUpdateTime".to_owned(), json!(time("lastUpdateTime", is_same))),
        ("reason".to_owned(), json!(report.reason)),
        ("message".to_owned(), json!(report.message)),
    ]);
    if !report.codes.is_empty() {
        condition.insert("codes".to_owned(), json!(report.codes));
    }
    Value::Object(condition)
}

fn find<'c>(conditions: &'c [Value], kind: &str) -> Option<&'c Value> {
    conditions.iter().find(|condition| text(condition, "/type") == kind)
}

#[cfg(test)]
mod tests {
    use super::super::report::Found;
    use super::*;

    const THEN: &str = "2026-01-01T00:00:00Z";

    fn now() -> Timestamp {
        "2026-01-01T00:05:00.7Z".parse().unwrap()
    }

    fn old(status: &str, reason: &str, message: &str, codes: &Value) -> Value {
        let mut old = json!({
            "type": "Own", "status": status, "lastTransitionTime": THEN, "lastUpdateTime": THEN, "reason": reason, "message": message,
        });
        if !codes.is_null() {
            old["codes"] = codes.clone();
        }
        old
    }

    fn failed() -> Report {
        Report::of(&[Found::Unhealthy("a".to_owned(), vec!["CODE".to_owned()])], None)
    }

    #[test]
    fn a_time_changes_with_what_it_is_the_time_of() {
        let (reason, codes) = ("HealthCheckUnsuccessful", json!(["CODE"]));
        for (old, transition_changes, update_changes) in [
            (old("True", "HealthCheckSuccessful", "All health checks successful", &Value::Null), true, true),
            (old("True", reason, "a.", &codes), true, true),
            (old("False", "Other", "a.", &codes), false, true),
            (old("False", reason, "b.", &codes), false, true),
            (old("False", reason, "a.", &Value::Null), false, true),
        ] {
            let merged = merge(std::slice::from_ref(&old), &[("Own", failed())], &[], now()).unwrap();
            let changes = |key: &str| match merged[0][key].as_str().unwrap() {
                THEN => false,
                time => time == "2026-01-01T00:05:00Z",
            };
            assert_eq!(
                (changes("lastTransitionTime"), changes("lastUpdateTime")),
                (transition_changes, update_changes),
                "{old}"
            );
        }
        let same = old("False", reason, "a.", &codes);
        assert_eq!(merge(&[same], &[("Own", failed())], &[], now()), None);
    }

    #[test]
    fn codes_go_with_their_failure() {
        let failing = old("False", "HealthCheckUnsuccessful", "a.", &json!(["CODE"]));
        let merged = merge(&[failing], &[("Own", Report::of(&[], None))], &[], now()).unwrap();
        assert_eq!((&merged[0]["status"], merged[0].get("codes")), (&json!("True"), None));
    }

    #[test]
    fn conditions_of_others_stay_as_and_where_they_are() {
        let other = json!({ "type": "Other", "status": "True", "extra": 1 });
        let gone = json!({ "type": "Gone", "status": "True" });
        let conditions = [gone, other.clone()];
        let merged = merge(&conditions, &[("Own", failed())], &["Gone"], now()).unwrap();
        assert_eq!((merged.len(), &merged[0], &merged[1]["type"]), (2, &other, &json!("Own")));
        let merged = merge(&conditions, &[], &["Gone"], now()).unwrap();
        assert_eq!(merged, [other]);
    }

    #[test]
    fn the_status_before_lasts_since_its_transition() {
        let conditions = [old("Progressing", "a", "b", &Value::Null)];
        assert_eq!(before(&conditions, "Own", now()), Some(("Progressing", Duration::from_millis(300_700))));
        assert_eq!(before(&conditions, "Other", now()), None);
        let unreadable = [json!({ "type": "Own", "status": "Progressing", "lastTransitionTime": "x" })];
        assert_eq!(before(&unreadable, "Own", now()), Some(("Progressing", Duration::ZERO)));
    }
}
