//! What the policy wants: its answer to `workers`, as far as the controller looks into it.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::api_server::member::text;
use crate::api_server::objects::ResourceVersions;

/// The machines that a Worker stands for. It holds user data, and nothing prints it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DesiredMachines {
    /// The machine deployments, in the order of pools and of their zones. An answer without them wants nothing
    /// deleted: it is none.
    #[serde(rename = "machineDeployments")]
    pub deployments: Vec<DesiredDeployment>,
    /// The worker pools.
    #[serde(default)]
    pub pools: Vec<Pool>,
    /// The machine classes and their Secrets.
    #[serde(default)]
    pub objects: Vec<Value>,
    /// `status.providerStatus` of the Worker: the images in use.
    #[serde(default)]
    pub provider_status: Option<Value>,
    /// The Secrets of the Worker's namespace that the answer depends on; none where it depends on other objects,
    /// too.
    #[serde(skip)]
    pub secrets: Option<ResourceVersions>,
}

/// A worker pool.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// For `status.inPlaceUpdates` of the Worker, where nodes are updated in place.
    #[serde(default)]
    pub in_place_hash: Option<String>,
}

/// A machine deployment: the nodes of a pool in a zone.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct DesiredDeployment {
    /// Its name.
    pub name: String,
    /// The name of the machine class.
    pub class_name: String,
    /// The name of the class's Secret.
    pub secret_name: String,
    /// Smallest number of machines.
    pub minimum: i64,
    /// Largest number of machines.
    pub maximum: i64,
    /// The order in which the cluster autoscaler considers pools.
    pub priority: Option<i64>,
    /// Whether nodes are updated in place.
    pub is_in_place: bool,
    /// Everything that the policy says of it.
    pub entry: Map<String, Value>,
}

impl TryFrom<Map<String, Value>> for DesiredDeployment {
    type Error = serde_json::Error;

    fn try_from(entry: Map<String, Value>) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Head {
            name: String,
            class_name: String,
            secret_name: String,
            minimum: i64,
            maximum: i64,
            #[serde(default)]
            priority: Option<i64>,
        }
        let value = Value::Object(entry);
        let Head { name, class_name, secret_name, minimum, maximum, priority } = Head::deserialize(&value)?;
        let is_in_place = text(&value, "/strategy/type") == "InPlaceUpdate";
        let Value::Object(entry) = value else { return Err(serde::de::Error::custom("not an object")) };
        Ok(Self { name, class_name, secret_name, minimum, maximum, priority, is_in_place, entry })
    }
}

/// Why an answer is not carried out. No text of it quotes the answer, which holds user data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachinesError {
    /// It is something else.
    #[error("the policy's answer has another form")]
    Form,
    /// There are pools, and no machines for them.
    #[error("the policy makes no machines for the pools, and does not say why")]
    NoMachines,
    /// An object is none of a machine class, or of another namespace.
    #[error("the policy's answer has an object that is no machine class of this Worker, nor its Secret")]
    Foreign,
    /// A machine class is for machines of another cloud.
    #[error("the policy's answer has a machine class that is not granted to the provider's policy")]
    Class,
}

impl DesiredMachines {
    /// Reads the answer for a Worker. `class` is the `provider` of the machine classes that are granted to the
    /// policy.
    pub fn read(answer: Value, worker: &Value, class: &str) -> Result<Self, MachinesError> {
        let wanted: Self = serde_json::from_value(answer).map_err(|_| MachinesError::Form)?;
        let pools = worker.pointer("/spec/pools").and_then(Value::as_array);
        if wanted.deployments.is_empty() && pools.is_some_and(|pools| !pools.is_empty()) {
            return Err(MachinesError::NoMachines);
        }
        let is_own = |object: &Value| {
            ["MachineClass", "Secret"].contains(&text(object, "/kind"))
                && text(object, "/metadata/namespace") == text(worker, "/metadata/namespace")
        };
        if !wanted.objects.iter().all(is_own) {
            return Err(MachinesError::Foreign);
        }
        let is_granted = |of: &Value| text(of, "/provider") == class;
        if wanted.objects_of("MachineClass").all(is_granted) { Ok(wanted) } else { Err(MachinesError::Class) }
    }

    /// Whether a machine deployment is wanted.
    pub fn has_deployment(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.name == name)
    }

    /// Whether a machine class is wanted.
    pub fn has_class(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.class_name == name)
    }

    /// Whether the Secret of a machine class is wanted.
    pub fn has_secret(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.secret_name == name)
    }

    /// The objects of a kind.
    pub fn objects_of<'w>(&'w self, kind: &'w str) -> impl Iterator<Item = &'w Value> {
        self.objects.iter().filter(move |object| text(object, "/kind") == kind)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_without_machines_or_with_what_is_somebody_elses_is_not_carried_out() {
        let worker = json!({ "metadata": { "namespace": "n" }, "spec": { "pools": [{ "name": "p" }] } });
        let deployment = json!({ "name": "d", "className": "c", "secretName": "c", "minimum": 1, "maximum": 1 });
        let object = |kind: &str, namespace: &str| {
            let metadata = json!({ "name": "c", "namespace": namespace });
            let object = json!({ "kind": kind, "metadata": metadata, "provider": "Own" });
            json!({ "machineDeployments": [deployment], "objects": [object] })
        };
        let read_as = |answer: Value, class: &str| DesiredMachines::read(answer, &worker, class).map(|_| ());
        let read = |answer: Value| read_as(answer, "Own");
        assert_eq!(read(json!({})), Err(MachinesError::Form));
        assert_eq!(read(json!({ "machineDeployments": [] })), Err(MachinesError::NoMachines));
        assert_eq!(read(object("Secret", "garden")), Err(MachinesError::Foreign));
        assert_eq!(read(object("ClusterRole", "n")), Err(MachinesError::Foreign));
        assert_eq!(read(object("MachineClass", "n")), Ok(()));
        assert_eq!(read_as(object("MachineClass", "n"), "Other"), Err(MachinesError::Class));
    }
}
