//! Machine deployments as they are written (reference: gardener-contract 3.4).

use serde_json::{Map, Value, json};

use super::desired::DesiredDeployment;
use super::owned::owned;
use crate::api_server::member::{number, text};
use crate::api_server::objects::difference;
use crate::controller::runtime::machines::WORKER_NAME;
use trellis_policies::answer::machine_deployment;

/// A machine deployment that does not exist yet.
pub fn new(wanted: &DesiredDeployment, worker: &Value, replicas: i64) -> Value {
    let mut object = object(wanted, worker);
    set(&mut object, &["spec"], "replicas", json!(replicas));
    object
}

/// What to change of a machine deployment; none where nothing differs. `replicas` absent leaves the number of
/// machines alone.
pub fn patch(wanted: &DesiredDeployment, worker: &Value, live: &Value, replicas: Option<i64>) -> Option<Value> {
    let object = object(wanted, worker);
    let at = |pointer: &str| object.pointer(pointer).cloned().unwrap_or_default();
    let whole = |pointer: &str| owned(live.pointer(pointer), at(pointer));
    let mut spec = json!({
        "minReadySeconds": at("/spec/minReadySeconds"),
        "revisionHistoryLimit": at("/spec/revisionHistoryLimit"),
        "strategy": whole("/spec/strategy"),
        "selector": whole("/spec/selector"),
        // Annotations of the template are others' and stay.
        "template": {
            "metadata": { "labels": whole("/spec/template/metadata/labels") },
            "spec": whole("/spec/template/spec"),
        },
    });
    // Older definitions of the kind do not have the number, and Go leaves out a number that is 0.
    let most = "/spec/autoPreserveFailedMachineMax";
    if number(live, most) != number(&object, most) {
        set(&mut spec, &[], "autoPreserveFailedMachineMax", at(most));
    }
    if let Some(replicas) = replicas.filter(|replicas| *replicas != number(live, "/spec/replicas")) {
        set(&mut spec, &[], "replicas", json!(replicas));
    }
    let mut metadata = json!({ "labels": at("/metadata/labels") });
    let annotations = autoscaler(wanted, live);
    if !annotations.is_empty() {
        set(&mut metadata, &[], "annotations", Value::Object(annotations));
    }
    difference(live, &json!({ "metadata": metadata, "spec": spec }))
}

/// The annotations that the cluster autoscaler reads, null where an option is not set any more.
fn autoscaler(wanted: &DesiredDeployment, live: &Value) -> Map<String, Value> {
    let known = live.pointer("/metadata/annotations");
    let annotations = wanted.entry.get("clusterAutoscalerAnnotations").and_then(Value::as_object);
    let change = |(key, value): (&String, &Value)| match value.as_str() {
        Some("") if known.is_none_or(|known| known.get(key).is_none()) => None,
        Some("") => Some((key.clone(), Value::Null)),
        _ => Some((key.clone(), value.clone())),
    };
    annotations.into_iter().flatten().filter_map(change).collect()
}

/// The object without a number of machines.
fn object(wanted: &DesiredDeployment, worker: &Value) -> Value {
    let mut object = machine_deployment(&wanted.entry, text(worker, "/metadata/namespace"));
    if wanted.is_in_place {
        // By this label the Worker of a machine is found.
        let labels = ["spec", "template", "metadata", "labels"];
        set(&mut object, &labels, WORKER_NAME, json!(text(worker, "/metadata/name")));
    }
    object
}

/// Sets a member of an object in an object.
fn set(object: &mut Value, path: &[&str], key: &str, value: Value) {
    let inner = path.iter().try_fold(object, |object, key| object.get_mut(*key));
    if let Some(Value::Object(members)) = inner {
        members.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(strategy: &Value) -> DesiredDeployment {
        serde_json::from_value(json!({
            "name": "shoot--a--b-pool-z1", "poolName": "pool", "className": "c-1", "secretName": "c-1",
            "minimum": 1, "maximum": 3, "strategy": strategy, "labels": { "a": "b" },
            "taints": [{ "key": "t", "effect": "NoSchedule" }], "machineConfiguration": { "drainTimeout": "1h0m0s" },
            "clusterAutoscalerAnnotations": { "autoscaler.gardener.cloud/x": "0.5", "autoscaler.gardener.cloud/y": "" },
        }))
        .unwrap()
    }

    fn rolling() -> Value {
        json!({ "type": "RollingUpdate", "rollingUpdate": { "maxSurge": 1, "maxUnavailable": "10%" } })
    }

    fn worker() -> Value {
        json!({ "metadata": { "name": "b", "namespace": "shoot--a--b" } })
    }

    #[test]
    fn a_new_machine_deployment_has_its_number_of_machines() {
        let object = new(&wanted(&rolling()), &worker(), 0);
        assert_eq!(object["spec"]["replicas"], 0);
        assert_eq!(object["metadata"]["annotations"], json!({ "autoscaler.gardener.cloud/x": "0.5" }));
        assert_eq!(object["metadata"]["labels"], json!({ "worker.gardener.cloud/pool": "pool" }));
        assert_eq!(object["metadata"]["namespace"], "shoot--a--b");
        assert_eq!(object["spec"]["template"]["metadata"]["labels"], json!({ "name": "shoot--a--b-pool-z1" }));
        assert_eq!(object["spec"]["template"]["spec"]["class"], json!({ "kind": "MachineClass", "name": "c-1" }));
    }

    #[test]
    fn machines_of_pools_that_are_updated_in_place_name_their_worker() {
        let strategy = json!({ "type": "InPlaceUpdate", "inPlaceUpdate": { "orchestrationType": "Auto" } });
        let object = new(&wanted(&strategy), &worker(), 1);
        let labels = json!({ "name": "shoot--a--b-pool-z1", "worker.gardener.cloud/name": "b" });
        assert_eq!(object["spec"]["template"]["metadata"]["labels"], labels);
        assert_eq!(object["spec"]["selector"]["matchLabels"], json!({ "name": "shoot--a--b-pool-z1" }));
    }

    #[test]
    fn a_machine_deployment_as_wanted_is_not_written() {
        let mut live = new(&wanted(&rolling()), &worker(), 2);
        assert_eq!(patch(&wanted(&rolling()), &worker(), &live, None), None);
        assert_eq!(patch(&wanted(&rolling()), &worker(), &live, Some(2)), None);
        // What Go writes for a value that is not set.
        live["spec"]["template"]["spec"]["nodeTemplate"]["metadata"]["creationTimestamp"] = Value::Null;
        live["spec"]["template"]["spec"]["nodeTemplate"]["metadata"]["annotations"] = json!({});
        assert_eq!(patch(&wanted(&rolling()), &worker(), &live, None), None);
        // No option of the autoscaler is set, and none was.
        let mut without = wanted(&rolling());
        without.entry.insert("clusterAutoscalerAnnotations".to_owned(), json!({ "x": "" }));
        let other = new(&without, &worker(), 2);
        assert_eq!(patch(&without, &worker(), &other, None), None);
        // Go leaves out a number that is 0.
        live["spec"].as_object_mut().unwrap().remove("replicas");
        assert_eq!(patch(&wanted(&rolling()), &worker(), &live, Some(0)), None);
    }

    #[test]
    fn how_many_failed_machines_are_kept_is_written_where_the_pool_says_so_and_goes_with_that() {
        let with = |most: Option<i64>| {
            let mut wanted = wanted(&rolling());
            wanted.entry.extend(most.map(|most| ("autoPreserveFailedMachineMax".to_owned(), json!(most))));
            wanted
        };
        let live = |most: Option<i64>| new(&with(most), &worker(), 2);
        assert_eq!(live(Some(2))["spec"]["autoPreserveFailedMachineMax"], 2);
        assert_eq!(live(None)["spec"].get("autoPreserveFailedMachineMax"), None);
        for (has, wants, expected) in [
            (None, Some(2), Some(json!(2))),
            (Some(1), Some(2), Some(json!(2))),
            (Some(2), Some(0), Some(json!(0))),
            (Some(2), None, Some(Value::Null)),
            (Some(2), Some(2), None),
            (Some(0), None, None),
            (None, Some(0), None),
            (None, None, None),
        ] {
            let expected = expected.map(|most| json!({ "spec": { "autoPreserveFailedMachineMax": most } }));
            assert_eq!(patch(&with(wants), &worker(), &live(has), None), expected, "{has:?} {wants:?}");
        }
    }

    #[test]
    fn what_others_own_stays_and_what_is_ours_is_replaced() {
        let mut live = new(&wanted(&rolling()), &worker(), 2);
        live["metadata"]["labels"]["other"] = json!("x");
        live["metadata"]["annotations"] =
            json!({ "deployment.kubernetes.io/revision": "2", "autoscaler.gardener.cloud/y": "1" });
        live["spec"]["paused"] = json!(true);
        live["spec"]["template"]["metadata"]["annotations"] = json!({ "other": "x" });
        live["spec"]["template"]["metadata"]["labels"]["old"] = json!("x");
        live["spec"]["template"]["spec"]["healthTimeout"] = json!("10m0s");
        live["spec"]["template"]["spec"]["class"]["name"] = json!("c-0");
        live["spec"]["template"]["spec"]["nodeTemplate"]["metadata"]["labels"] = json!({ "gone": "x" });
        live["spec"]["template"]["spec"]["nodeTemplate"]["spec"]["taints"] = json!([]);
        live["spec"]["strategy"] = json!({ "type": "InPlaceUpdate", "inPlaceUpdate": { "maxSurge": 1 } });
        let expected = json!({
            "metadata": { "annotations": { "autoscaler.gardener.cloud/x": "0.5", "autoscaler.gardener.cloud/y": null } },
            "spec": {
                "replicas": 3,
                "strategy": { "type": "RollingUpdate", "inPlaceUpdate": null,
                    "rollingUpdate": { "maxSurge": 1, "maxUnavailable": "10%" } },
                "template": { "metadata": { "labels": { "old": null } }, "spec": {
                    "class": { "name": "c-1" }, "healthTimeout": null,
                    "nodeTemplate": { "metadata": { "labels": { "a": "b", "gone": null } },
                        "spec": { "taints": [{ "key": "t", "effect": "NoSchedule" }] } },
                } },
            },
        });
        assert_eq!(patch(&wanted(&rolling()), &worker(), &live, Some(3)), Some(expected));
    }
}
