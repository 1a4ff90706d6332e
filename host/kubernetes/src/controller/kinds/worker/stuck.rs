//! A machine-controller-manager that does nothing any more (reference: gardener-contract 3.4).

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::machines::{Fleet, class_of};
use crate::api_server::member::text;
use crate::api_server::objects::name;

/// The label selector of its pods.
pub const PODS_OF_MANAGER: &str = "role=machine-controller-manager";
/// It has this time for a new machine deployment.
const GRACE: Duration = Duration::from_mins(2);
/// It knows a machine deployment that has this finalizer.
const FINALIZER: &str = "machine.sapcloud.io/machine-controller-manager";

/// A machine deployment that the machine-controller-manager knows and has no machine set for.
pub fn stuck_on(fleet: Fleet<'_>, now: Timestamp) -> Option<&str> {
    let sets = fleet.sets_by_deployment();
    let is_stuck = |deployment: &&Value| {
        let finalizers = deployment.pointer("/metadata/finalizers").and_then(Value::as_array);
        let is_known =
            finalizers.is_some_and(|finalizers| finalizers.iter().any(|finalizer| finalizer == FINALIZER));
        let created: Option<Timestamp> = text(deployment, "/metadata/creationTimestamp").parse().ok();
        let is_old =
            created.is_none_or(|created| now.duration_since(created).unsigned_abs() >= GRACE && now > created);
        let mut sets = sets.get(name(deployment)).into_iter().flatten();
        is_known && is_old && !sets.any(|set| class_of(set) == class_of(deployment))
    };
    fleet.deployments.iter().find(is_stuck).map(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_stuck_where_it_knows_a_machine_deployment_and_makes_no_machine_set() {
        let class = |name: &str| json!({ "template": { "spec": { "class": { "name": name } } } });
        let deployment = |finalizer: &str, created: &str| {
            json!({
                "metadata": { "name": "a", "finalizers": [finalizer], "creationTimestamp": created }, "spec": class("a-2"),
            })
        };
        let set = |name: &str| json!({ "metadata": { "labels": { "name": "a" } }, "spec": class(name) });
        let now = "2026-01-01T00:10:00Z".parse().unwrap();
        for (deployment, set, expected) in [
            (deployment(FINALIZER, "2026-01-01T00:08:00Z"), set("a-1"), Some("a")),
            (deployment(FINALIZER, "2026-01-01T00:08:00Z"), set("a-2"), None),
            (deployment(FINALIZER, "2026-01-01T00:08:01Z"), set("a-1"), None),
            (deployment(FINALIZER, "2026-01-01T00:20:00Z"), set("a-1"), None),
            (deployment("other", "2026-01-01T00:00:00Z"), set("a-1"), None),
        ] {
            let fleet = Fleet { deployments: std::slice::from_ref(&deployment), sets: &[set], machines: &[] };
            assert_eq!(stuck_on(fleet, now), expected, "{deployment}");
        }
    }
}
