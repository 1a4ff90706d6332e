//! The answer of `workers`, as objects: machine classes with their Secrets, and machine deployments.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::{Machines, ManagedResource, Rendering};

/// The objects that the host applies in the namespace of the Worker.
impl From<Machines> for Rendering {
    fn from(machines: Machines) -> Self {
        let Machines { machine_deployments, objects, findings, undecided } = machines;
        let groups = objects.zip(machine_deployments).map(|(classes, deployments)| {
            let namespace = classes.first().map(|class| namespace(class)).unwrap_or_default();
            let deployments = deployments.iter().filter_map(|one| to_raw_value(&deployment(one, &namespace)).ok());
            vec![
                ManagedResource::of_machines("machine classes", classes),
                ManagedResource::of_machines("machine deployments", deployments.collect()),
            ]
        });
        Self { managed_resources: groups, findings, undecided, ..Self::default() }
    }
}

fn namespace(object: &RawValue) -> String {
    let object: Value = serde_json::from_str(object.get()).unwrap_or_default();
    object.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A machine deployment as an object (`gardener-contract` 3.4). How many machines there are is the autoscaler's to
/// say.
pub fn deployment(one: &Map<String, Value>, namespace: &str) -> Value {
    let at = |key: &str| one.get(key).cloned().unwrap_or_default();
    let (name, pool) = (at("name"), at("poolName"));
    let annotations: Map<String, Value> =
        members(&at("clusterAutoscalerAnnotations")).filter(|(_, value)| value != "").collect();
    let annotations = (!annotations.is_empty()).then(|| annotations.into());
    let metadata = object([
        ("name", Some(name.clone())),
        ("namespace", Some(namespace.into())),
        ("labels", Some(json!({ "worker.gardener.cloud/pool": pool }))),
        ("annotations", annotations),
    ]);
    let on_nodes =
        object([("annotations", one.get("annotations").cloned()), ("labels", one.get("labels").cloned())]);
    let node = object([
        ("metadata", Some(on_nodes)),
        ("spec", one.get("taints").map(|taints| json!({ "taints": taints }))),
    ]);
    let class = json!({ "kind": "MachineClass", "name": at("className") });
    let machine: Map<String, Value> = [("class".to_owned(), class), ("nodeTemplate".to_owned(), node)]
        .into_iter()
        .chain(members(&at("machineConfiguration")))
        .collect();
    let spec = object([
        ("minReadySeconds", Some(500.into())),
        ("revisionHistoryLimit", Some(0.into())),
        ("strategy", Some(at("strategy"))),
        ("autoPreserveFailedMachineMax", one.get("autoPreserveFailedMachineMax").cloned()),
        ("selector", Some(json!({ "matchLabels": { "name": name } }))),
        ("template", Some(json!({ "metadata": { "labels": { "name": name } }, "spec": machine }))),
    ]);
    json!({
        "apiVersion": "machine.sapcloud.io/v1alpha1",
        "kind": "MachineDeployment",
        "metadata": metadata,
        "spec": spec,
    })
}

/// An object of the members that are there.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

fn members(object: &Value) -> impl Iterator<Item = (String, Value)> {
    object.as_object().cloned().unwrap_or_default().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::read;

    #[test]
    fn a_machine_deployment_is_an_object_without_a_number_of_machines() {
        let text = r#"{"findings":[],"undecided":[],"objects":[{"metadata":{"namespace":"ns"}}],"machineDeployments":[
            {"name":"d","poolName":"p","className":"c","secretName":"c","minimum":1,"maximum":2,"labels":{"a":"b"},
             "taints":[{"key":"t"}],"strategy":{"type":"RollingUpdate"},"machineConfiguration":{"drainTimeout":"1h0m0s"},
             "clusterAutoscalerAnnotations":{"x":"","y":"1"}}]}"#;
        let rendering = Rendering::from(read::<Machines>(text).unwrap());
        let groups = rendering.managed_resources.unwrap();
        let object: Value = serde_json::from_str(groups[1].objects[0].get()).unwrap();
        let expected = json!({
            "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineDeployment",
            "metadata": {
                "name": "d", "namespace": "ns", "labels": { "worker.gardener.cloud/pool": "p" }, "annotations": { "y": "1" },
            },
            "spec": {
                "minReadySeconds": 500, "revisionHistoryLimit": 0, "strategy": { "type": "RollingUpdate" },
                "selector": { "matchLabels": { "name": "d" } },
                "template": { "metadata": { "labels": { "name": "d" } }, "spec": {
                    "class": { "kind": "MachineClass", "name": "c" }, "drainTimeout": "1h0m0s",
                    "nodeTemplate": { "metadata": { "labels": { "a": "b" } }, "spec": { "taints": [{ "key": "t" }] } },
                } },
            },
        });
        assert_eq!(object, expected);
        assert_eq!(groups[0].title(), "machine classes");
    }
}
