//! The hashes of pools whose nodes are updated in place: gardenlet compares them with its own to see that an
//! update is done (reference: gardener-contract 3.4).

use serde_json::{Map, Value, json};

use super::desired::DesiredMachines;
use crate::api_server::member::{number, text};

/// The label of a machine deployment that names its pool.
const POOL: &str = "/metadata/labels/worker.gardener.cloud~1pool";
/// Where the status of a Worker has the hashes.
const HASHES: &str = "/status/inPlaceUpdates/workerPoolToHashMap";

/// What to write into the status once the machines are as wanted; none where nothing differs. The nodes of a pool
/// that a person updates have their new hash once none of them is old.
pub fn hashes(worker: &Value, wanted: &DesiredMachines, deployments: &[Value]) -> Option<Value> {
    let mut changes = Map::new();
    let known = worker.pointer(HASHES).and_then(Value::as_object);
    let pools: Vec<&Value> =
        worker.pointer("/spec/pools").and_then(Value::as_array).into_iter().flatten().collect();
    let is_in_place =
        |pool: &&&Value| ["AutoInPlaceUpdate", "ManualInPlaceUpdate"].contains(&text(pool, "/updateStrategy"));
    let in_place: Vec<&&Value> = pools.iter().filter(is_in_place).collect();
    for pool in &in_place {
        let name = text(pool, "/name");
        let hash =
            wanted.pools.iter().find(|known| known.name == name).and_then(|pool| pool.in_place_hash.as_deref());
        let is_due = text(pool, "/updateStrategy") == "AutoInPlaceUpdate" || is_updated(name, deployments);
        if let Some(hash) = hash.filter(|_| is_due)
            && known.and_then(|known| known.get(name)).and_then(Value::as_str) != Some(hash)
        {
            changes.insert(name.to_owned(), json!(hash));
        }
    }
    for name in known.into_iter().flat_map(Map::keys) {
        if !in_place.iter().any(|pool| text(pool, "/name") == name) {
            changes.insert(name.clone(), Value::Null);
        }
    }
    (!changes.is_empty()).then(|| json!({ "inPlaceUpdates": { "workerPoolToHashMap": changes } }))
}

/// Whether no node of a pool is old.
fn is_updated(pool: &str, deployments: &[Value]) -> bool {
    let mut of_pool = deployments.iter().filter(|deployment| text(deployment, POOL) == pool);
    of_pool
        .all(|deployment| number(deployment, "/status/updatedReplicas") >= number(deployment, "/status/replicas"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(known: &Value) -> Value {
        json!({
            "spec": { "pools": [
                { "name": "roll" }, { "name": "auto", "updateStrategy": "AutoInPlaceUpdate" },
                { "name": "manual", "updateStrategy": "ManualInPlaceUpdate" },
            ] },
            "status": { "inPlaceUpdates": { "workerPoolToHashMap": known } },
        })
    }

    fn deployment(pool: &str, replicas: i64, updated: i64) -> Value {
        json!({
            "metadata": { "labels": { "worker.gardener.cloud/pool": pool } },
            "status": { "replicas": replicas, "updatedReplicas": updated },
        })
    }

    #[test]
    fn hashes_are_written_for_pools_that_are_updated_and_go_with_their_pools() {
        let pools = json!([
            { "name": "roll", "hash": "x" }, { "name": "auto", "inPlaceHash": "a2" }, { "name": "manual", "inPlaceHash": "m2" },
        ]);
        let wanted: DesiredMachines =
            serde_json::from_value(json!({ "machineDeployments": [], "pools": pools })).unwrap();
        let (old, new) = ([deployment("auto", 2, 0), deployment("manual", 2, 1)], [deployment("manual", 2, 2)]);
        for (known, deployments, expected) in [
            (json!({}), &old[..], Some(json!({ "auto": "a2" }))),
            (json!({ "manual": "m1", "auto": "a1" }), &old, Some(json!({ "auto": "a2" }))),
            (json!({ "manual": "m1", "auto": "a2" }), &old, None),
            (json!({ "manual": "m1", "auto": "a2" }), &new, Some(json!({ "manual": "m2" }))),
            (json!({ "manual": "m2", "auto": "a2" }), &new, None),
            (
                json!({ "manual": "m2", "auto": "a2", "roll": "r", "gone": "g" }),
                &new,
                Some(json!({ "roll": null, "gone": null })),
            ),
        ] {
            let expected = expected.map(|changes| json!({ "inPlaceUpdates": { "workerPoolToHashMap": changes } }));
            assert_eq!(hashes(&worker(&known), &wanted, deployments), expected, "{known}");
        }
        assert_eq!(hashes(&json!({}), &DesiredMachines::default(), &[]), None);
    }
}
