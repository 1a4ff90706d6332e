//! The machine-controller-manager, as far as Workers see it: it rolls machine deployments, one machine at a time.

use serde_json::{Value, json};

use super::server::State;

const FINALIZER: &str = "machine.sapcloud.io/machine-controller-manager";

/// The instances that were ever made, and those that are left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cloud {
    pub made: usize,
    pub left: Vec<String>,
}

/// Does what there is to do now, if it runs at all.
pub(super) fn step(state: &mut State, cloud: &mut Cloud) {
    let runs = state
        .objects
        .get("deployments/machine-controller-manager")
        .is_some_and(|one| one["spec"]["replicas"] == 1);
    if !runs {
        return;
    }
    hold(state);
    for deployment in state.all("machinedeployments") {
        adopt(state, &deployment);
        if deployment["metadata"].get("deletionTimestamp").is_some() {
            remove(state, cloud, &deployment);
        } else {
            roll(state, cloud, &deployment);
        }
    }
    release(state);
}

/// Puts finalizers on what it uses.
fn hold(state: &mut State) {
    let mut keys: Vec<String> = Vec::new();
    for plural in ["machinedeployments", "machineclasses"] {
        keys.extend(state.names(plural).iter().map(|name| format!("{plural}/{name}")));
    }
    for class in state.names("machineclasses") {
        keys.push(format!("secrets/{class}"));
        keys.push("secrets/cloudprovider".to_owned());
    }
    for key in keys {
        let Some(object) = state.objects.get(&key) else { continue };
        let metadata = &object["metadata"];
        if metadata.get("deletionTimestamp").is_none() && metadata.get("finalizers").is_none() {
            state.patch(&key, json!({ "metadata": { "finalizers": [FINALIZER] } }));
        }
    }
}

/// Lets go of what nobody uses any more.
fn release(state: &mut State) {
    let let_go = json!({ "metadata": { "finalizers": null } });
    let of_class = |object: &Value, class: &str| {
        object["spec"]["class"]["name"] == class || object["spec"]["template"]["spec"]["class"]["name"] == class
    };
    for class in state.all("machineclasses") {
        let name = class["metadata"]["name"].as_str().unwrap().to_owned();
        let users = ["machines", "machinesets", "machinedeployments"];
        let is_used = users.iter().any(|plural| state.all(plural).iter().any(|object| of_class(object, &name)));
        if class["metadata"].get("deletionTimestamp").is_some() && !is_used {
            state.patch(&format!("machineclasses/{name}"), let_go.clone());
        }
    }
    let classes = state.names("machineclasses");
    for secret in state.all("secrets") {
        let name = secret["metadata"]["name"].as_str().unwrap().to_owned();
        let is_deleted = secret["metadata"].get("deletionTimestamp").is_some();
        if (name == "cloudprovider" && classes.is_empty()) || (is_deleted && !classes.contains(&name)) {
            state.patch(&format!("secrets/{name}"), let_go.clone());
        }
    }
}

/// Makes itself the owner of machine sets and machines that were restored.
fn adopt(state: &mut State, deployment: &Value) {
    let name = &deployment["metadata"]["name"];
    for set in state.all("machinesets") {
        if set["metadata"]["labels"]["name"] == *name && set["metadata"].get("ownerReferences").is_none() {
            let key = format!("machinesets/{}", set["metadata"]["name"].as_str().unwrap());
            let owner = json!([{ "kind": "MachineDeployment", "name": name }]);
            state.patch(&key, json!({ "metadata": { "ownerReferences": owner } }));
        }
    }
}

fn sets(state: &State, deployment: &Value) -> Vec<Value> {
    let owner = &deployment["metadata"]["name"];
    let mut sets = state.all("machinesets");
    sets.retain(|set| set["metadata"]["ownerReferences"][0]["name"] == *owner);
    sets
}

fn class(object: &Value) -> String {
    object["spec"]["template"]["spec"]["class"]["name"].as_str().unwrap().to_owned()
}

fn machines(state: &State, deployment: &Value, is_of: impl Fn(&str) -> bool) -> Vec<String> {
    let mut machines = state.all("machines");
    machines.retain(|machine| {
        machine["metadata"]["labels"]["name"] == deployment["metadata"]["name"]
            && is_of(machine["spec"]["class"]["name"].as_str().unwrap())
    });
    machines.iter().map(|machine| machine["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

fn unmake(state: &mut State, cloud: &mut Cloud, machine: &str) {
    let key = format!("machines/{machine}");
    let id = state.objects[&key]["spec"]["providerID"].as_str().unwrap().to_owned();
    state.objects.remove(&key);
    cloud.left.retain(|left| *left != id);
}

fn make(state: &mut State, cloud: &mut Cloud, deployment: &Value) {
    let (class, id) = (class(deployment), format!("i-{}", cloud.made));
    cloud.made += 1;
    cloud.left.push(id.clone());
    assert!(state.objects.contains_key(&format!("machineclasses/{class}")), "a machine needs its class");
    assert!(state.objects.contains_key(&format!("secrets/{class}")), "a machine needs its user data");
    let machine = json!({
        "metadata": {
            "name": format!("{class}-{id}"), "labels": { "name": deployment["metadata"]["name"], "node": id },
            "ownerReferences": [{ "kind": "MachineSet", "name": class }],
        },
        "spec": { "class": { "name": class }, "providerID": id },
    });
    state.put("machines", machine);
}

/// Brings a machine deployment a machine further.
fn roll(state: &mut State, cloud: &mut Cloud, deployment: &Value) {
    let (name, class) = (deployment["metadata"]["name"].as_str().unwrap(), class(deployment));
    if sets(state, deployment).iter().any(|set| self::class(set) == class) {
        let wanted = usize::try_from(deployment["spec"]["replicas"].as_i64().unwrap_or_default()).unwrap();
        let old = machines(state, deployment, |of| of != class);
        let new = machines(state, deployment, |of| of == class);
        if new.len() < wanted {
            make(state, cloud, deployment);
        } else if let Some(machine) = old.first() {
            unmake(state, cloud, machine);
        } else if new.len() > wanted {
            unmake(state, cloud, &new[0]);
        } else {
            for set in sets(state, deployment).iter().filter(|set| self::class(set) != class) {
                state.objects.remove(&format!("machinesets/{}", set["metadata"]["name"].as_str().unwrap()));
            }
        }
    } else {
        let set = json!({
            "metadata": { "name": class, "labels": { "name": name },
                "ownerReferences": [{ "kind": "MachineDeployment", "name": name }] },
            "spec": { "template": { "spec": { "class": { "name": class } } } },
        });
        state.put("machinesets", set);
    }
    let (all, new) = (machines(state, deployment, |_| true), machines(state, deployment, |of| of == class));
    let wanted = deployment["spec"]["replicas"].as_u64().unwrap_or_default();
    let is_available = all.len() as u64 >= wanted;
    let available = json!({ "type": "Available", "status": if is_available { "True" } else { "False" } });
    let status = json!({
        "observedGeneration": deployment["metadata"]["generation"], "replicas": all.len(), "updatedReplicas": new.len(),
        "availableReplicas": all.len(), "unavailableReplicas": 0, "conditions": [available],
    });
    state.patch(&format!("machinedeployments/{name}"), json!({ "status": status }));
}

/// Brings a machine deployment that is deleted a machine nearer to its end.
fn remove(state: &mut State, cloud: &mut Cloud, deployment: &Value) {
    let name = deployment["metadata"]["name"].as_str().unwrap();
    if let Some(machine) = machines(state, deployment, |_| true).first() {
        let class =
            state.objects[&format!("machines/{machine}")]["spec"]["class"]["name"].as_str().unwrap().to_owned();
        assert!(state.objects.contains_key(&format!("machineclasses/{class}")), "a deletion needs the class");
        unmake(state, cloud, machine);
        return;
    }
    for set in sets(state, deployment) {
        state.objects.remove(&format!("machinesets/{}", set["metadata"]["name"].as_str().unwrap()));
    }
    state.patch(&format!("machinedeployments/{name}"), json!({ "metadata": { "finalizers": null } }));
}
