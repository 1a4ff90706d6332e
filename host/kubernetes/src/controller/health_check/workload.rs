//! Health of Deployments, `StatefulSet`s and `DaemonSet`s, as Gardener judges it (reference: gardener-contract
//! 6.1).

use serde_json::Value;

use super::condition;
use crate::api_server::member::{number, text};
use crate::api_server::resource::{DAEMON_SETS, DEPLOYMENTS, Resource, STATEFUL_SETS};
use crate::controller::runtime::granted::Workload;

impl Workload {
    /// Its kind.
    pub fn resource(self) -> &'static Resource {
        match self {
            Self::Deployment => &DEPLOYMENTS,
            Self::StatefulSet => &STATEFUL_SETS,
            Self::DaemonSet => &DAEMON_SETS,
        }
    }

    /// Gardener's word for an object that is missing or cannot be read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Deployment => "deployment",
            Self::StatefulSet => "StatefulSet",
            Self::DaemonSet => "DaemonSet",
        }
    }

    /// Gardener's word for an object that is not healthy.
    pub fn unhealthy_word(self) -> &'static str {
        match self {
            Self::Deployment => "deployment",
            Self::StatefulSet => "statefulSet",
            Self::DaemonSet => "daemonSet",
        }
    }

    /// Why an object is not healthy.
    pub fn check(self, object: &Value) -> Result<(), String> {
        observed(object)?;
        match self {
            Self::Deployment => deployment(object),
            Self::StatefulSet => stateful_set(object),
            Self::DaemonSet => daemon_set(object),
        }
    }
}

/// Whether the status is about the spec as it is.
pub fn observed(object: &Value) -> Result<(), String> {
    let (observed, generation) =
        (number(object, "/status/observedGeneration"), number(object, "/metadata/generation"));
    if observed < generation {
        return Err(format!("observed generation outdated ({observed}/{generation})"));
    }
    Ok(())
}

/// A condition that must be there.
pub fn missing(kind: &str) -> String {
    format!("condition {kind:?} is missing")
}

fn deployment(object: &Value) -> Result<(), String> {
    let has = |kind: &str, wanted: &str| match condition(object, kind) {
        Some(condition) if text(condition, "/status") != wanted => Err(format!(
            "condition {kind:?} has invalid status {} (expected {wanted}) due to {}: {}",
            text(condition, "/status"),
            text(condition, "/reason"),
            text(condition, "/message")
        )),
        _ => Ok(()),
    };
    condition(object, "Available").ok_or_else(|| missing("Available"))?;
    has("Available", "True")?;
    has("Progressing", "True")?;
    has("ReplicaFailure", "False")
}

fn stateful_set(object: &Value) -> Result<(), String> {
    let wanted = object.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or(1);
    let ready = number(object, "/status/readyReplicas");
    if ready < wanted { Err(format!("not enough ready replicas ({ready}/{wanted})")) } else { Ok(()) }
}

fn daemon_set(object: &Value) -> Result<(), String> {
    let of = |key: &str| number(object, &format!("/status/{key}"));
    let (desired, current, unavailable) =
        (of("desiredNumberScheduled"), of("currentNumberScheduled"), of("numberUnavailable"));
    let misplaced = of("numberMisscheduled");
    if current < desired {
        return Err(format!("not enough scheduled pods ({current}/{desired})"));
    }
    if misplaced > 0 {
        return Err(format!("misscheduled pods found ({misplaced})"));
    }
    let is_rolling = of("updatedNumberScheduled") < desired;
    let most = if is_rolling { most_unavailable(object, desired) } else { 0 };
    match unavailable > most {
        false => Ok(()),
        true if is_rolling => Err(format!(
            "too many unavailable pods found ({unavailable}/{current}, only max. {most} unavailable pods allowed)"
        )),
        true => Err(format!("too many unavailable pods found ({unavailable}/{current})")),
    }
}

/// How many pods may be unavailable while a `DaemonSet` is rolled: a number, or a percentage of those that are
/// wanted.
fn most_unavailable(object: &Value, desired: i64) -> i64 {
    if text(object, "/spec/updateStrategy/type") != "RollingUpdate" {
        return 0;
    }
    match object.pointer("/spec/updateStrategy/rollingUpdate/maxUnavailable") {
        Some(Value::Number(most)) => most.as_i64().unwrap_or_default(),
        Some(Value::String(most)) => {
            let percent = most.strip_suffix('%').and_then(|percent| percent.parse::<i64>().ok());
            percent.unwrap_or_default().saturating_mul(desired) / 100
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn generations(mut object: Value, observed: i64) -> Value {
        object["metadata"] = json!({ "generation": 2 });
        object["status"]["observedGeneration"] = json!(observed);
        object
    }

    fn conditions(of: &[(&str, &str)]) -> Value {
        let of: Vec<_> = of
            .iter()
            .map(|(kind, status)| json!({ "type": kind, "status": status, "reason": "Why", "message": "words" }))
            .collect();
        json!({ "status": { "conditions": of } })
    }

    #[test]
    fn a_deployment_is_available_and_neither_stuck_nor_short_of_pods() {
        for (of, expected) in [
            (&[("Available", "True")][..], Ok(())),
            (&[("Available", "True"), ("Progressing", "True"), ("ReplicaFailure", "False")], Ok(())),
            (&[], Err("condition \"Available\" is missing")),
            (&[("Progressing", "True")], Err("condition \"Available\" is missing")),
            (
                &[("Available", "False"), ("Progressing", "False")],
                Err("condition \"Available\" has invalid status False (expected True) due to Why: words"),
            ),
            (
                &[("Available", "True"), ("Progressing", "False")],
                Err("condition \"Progressing\" has invalid status False (expected True) due to Why: words"),
            ),
            (
                &[("Available", "True"), ("ReplicaFailure", "True")],
                Err("condition \"ReplicaFailure\" has invalid status True (expected False) due to Why: words"),
            ),
        ] {
            let found = Workload::Deployment.check(&generations(conditions(of), 2));
            assert_eq!(found, expected.map_err(str::to_owned), "{of:?}");
        }
    }

    #[test]
    fn a_status_of_an_older_spec_says_nothing() {
        let old = generations(conditions(&[("Available", "True")]), 1);
        for workload in [Workload::Deployment, Workload::StatefulSet, Workload::DaemonSet] {
            assert_eq!(workload.check(&old), Err("observed generation outdated (1/2)".to_owned()));
        }
    }

    #[test]
    fn a_stateful_set_has_its_replicas_ready() {
        for (spec, ready, expected) in [
            (json!({}), 1, Ok(())),
            (json!({}), 0, Err("not enough ready replicas (0/1)")),
            (json!({ "replicas": 3 }), 2, Err("not enough ready replicas (2/3)")),
            (json!({ "replicas": 0 }), 0, Ok(())),
        ] {
            let object = json!({ "spec": spec, "status": { "readyReplicas": ready } });
            let found = Workload::StatefulSet.check(&generations(object, 2));
            assert_eq!(found, expected.map_err(str::to_owned), "{spec}");
        }
    }

    #[test]
    fn a_daemon_set_is_everywhere_and_misses_few_while_it_is_rolled() {
        let rolling =
            |most: Value| json!({ "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": most } });
        let none = json!({ "type": "OnDelete" });
        // The numbers: desired, current, misplaced, updated, unavailable.
        for (strategy, [desired, current, misplaced, updated, unavailable], expected) in [
            (rolling(json!(1)), [0, 0, 0, 0, 0], Ok(())),
            (rolling(json!(1)), [4, 4, 0, 4, 0], Ok(())),
            (rolling(json!(1)), [4, 3, 0, 4, 0], Err("not enough scheduled pods (3/4)")),
            (rolling(json!(1)), [4, 4, 2, 4, 0], Err("misscheduled pods found (2)")),
            (rolling(json!(1)), [4, 4, 0, 4, 1], Err("too many unavailable pods found (1/4)")),
            (rolling(json!(1)), [4, 4, 0, 3, 1], Ok(())),
            (
                rolling(json!(1)),
                [4, 4, 0, 3, 2],
                Err("too many unavailable pods found (2/4, only max. 1 unavailable pods allowed)"),
            ),
            (rolling(json!("30%")), [10, 10, 0, 3, 3], Ok(())),
            (
                rolling(json!("39%")),
                [10, 10, 0, 3, 4],
                Err("too many unavailable pods found (4/10, only max. 3 unavailable pods allowed)"),
            ),
            (
                rolling(json!("many")),
                [4, 4, 0, 3, 1],
                Err("too many unavailable pods found (1/4, only max. 0 unavailable pods allowed)"),
            ),
            (
                none,
                [4, 4, 0, 3, 1],
                Err("too many unavailable pods found (1/4, only max. 0 unavailable pods allowed)"),
            ),
        ] {
            let object = json!({
                "spec": { "updateStrategy": strategy },
                "status": {
                    "desiredNumberScheduled": desired, "currentNumberScheduled": current,
                    "numberMisscheduled": misplaced, "updatedNumberScheduled": updated, "numberUnavailable": unavailable,
                },
            });
            let found = Workload::DaemonSet.check(&generations(object.clone(), 2));
            assert_eq!(found, expected.map_err(str::to_owned), "{object}");
        }
    }
}
