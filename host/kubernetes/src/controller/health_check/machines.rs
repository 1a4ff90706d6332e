//! Health of the machines of a Worker, as Gardener judges it (reference: gardener-contract 6.1). Nodes are not
//! counted here: Gardener's own library counts them, and draws no conclusion; gardenlet does.

use serde_json::Value;

use super::condition;
use super::workload::{missing, observed};
use crate::api_server::member::text;
use crate::api_server::objects::{name, namespace};

/// Why machines are not healthy: the first one that failed, else the first machine deployment that is not healthy.
pub fn check(deployments: &[Value]) -> Result<(), String> {
    let failed = |deployment: &Value| deployment.pointer("/status/failedMachines")?.as_array()?.first().cloned();
    if let Some(machine) = deployments.iter().find_map(failed) {
        let why = text(&machine, "/lastOperation/description");
        return Err(format!("machine {:?} failed: {why}", text(&machine, "/name")));
    }
    deployments.iter().try_for_each(|deployment| {
        healthy(deployment).map_err(|why| {
            let (name, namespace) = (name(deployment), namespace(deployment));
            format!("machine deployment {name:?} in namespace {namespace:?} is unhealthy: {why}")
        })
    })
}

fn healthy(deployment: &Value) -> Result<(), String> {
    observed(deployment)?;
    let has = |kind: &str, wanted: &str| match condition(deployment, kind) {
        Some(condition) if text(condition, "/status") != wanted => {
            Err(format!("{} ({})", text(condition, "/message").trim_matches('.'), text(condition, "/reason")))
        }
        _ => Ok(()),
    };
    condition(deployment, "Available").ok_or_else(|| missing("Available"))?;
    has("Available", "True")?;
    has("Progressing", "True")?;
    has("ReplicaFailure", "False")?;
    has("Frozen", "False")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn deployment(conditions: &[(&str, &str)]) -> Value {
        let conditions: Vec<_> = conditions
            .iter()
            .map(|(kind, status)| json!({ "type": kind, "status": status, "reason": "Why", "message": "words." }))
            .collect();
        json!({
            "metadata": { "namespace": "s", "name": "a", "generation": 2 },
            "status": { "observedGeneration": 2, "conditions": conditions },
        })
    }

    #[test]
    fn machine_deployments_are_available_and_neither_stuck_nor_frozen() {
        let unhealthy =
            |why: &str| Err(format!("machine deployment \"a\" in namespace \"s\" is unhealthy: {why}"));
        for (conditions, expected) in [
            (&[("Available", "True")][..], Ok(())),
            (
                &[
                    ("Available", "True"),
                    ("Progressing", "True"),
                    ("ReplicaFailure", "False"),
                    ("Frozen", "False"),
                ],
                Ok(()),
            ),
            (&[], unhealthy("condition \"Available\" is missing")),
            (&[("Available", "False")], unhealthy("words (Why)")),
            (&[("Available", "True"), ("Progressing", "False")], unhealthy("words (Why)")),
            (&[("Available", "True"), ("ReplicaFailure", "True")], unhealthy("words (Why)")),
            (&[("Available", "True"), ("Frozen", "True")], unhealthy("words (Why)")),
        ] {
            assert_eq!(check(&[deployment(conditions)]), expected, "{conditions:?}");
        }
        assert_eq!(check(&[]), Ok(()));
        let mut old = deployment(&[("Available", "True")]);
        old["status"]["observedGeneration"] = json!(1);
        assert_eq!(check(&[old]), unhealthy("observed generation outdated (1/2)"));
    }

    #[test]
    fn a_machine_that_failed_is_named_before_any_machine_deployment() {
        let mut failing = deployment(&[("Available", "True")]);
        let machine = |name: &str| json!({ "name": name, "lastOperation": { "description": "out of stock" } });
        failing["status"]["failedMachines"] = json!([machine("m-1"), machine("m-2")]);
        let found = check(&[deployment(&[]), failing]);
        assert_eq!(found, Err("machine \"m-1\" failed: out of stock".to_owned()));
    }
}
