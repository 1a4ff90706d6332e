//! Plays machine-controller-manager for many Shoots, whose own programs need 84 MB for each.
//!
//! It does, in rounds over all namespaces of the seed: a MachineDeployment gets a MachineSet of its class and as
//! many Machines as it wants, and a status that says so; MachineSets of other classes and Machines too many go;
//! the Secret with the credentials is held while there are MachineClasses. What a deleted MachineDeployment owns,
//! the landscape's actor collects.
//!
//! It does not roll (surge, unavailability), has no finalizers on its objects, no instances, no Nodes, and no
//! errors.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use kube::api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::seed::{Seed, resource};

/// How machine-controller-manager holds the credentials.
const FINALIZER: &str = "machine.sapcloud.io/machine-controller-manager";
const GROUP: &str = "machine.sapcloud.io/v1alpha1";

/// The play, until it is dropped.
pub struct Machines(JoinHandle<()>);

impl Machines {
    pub fn start(seed: &Seed) -> Self {
        let seed = seed.clone();
        Self(tokio::spawn(async move {
            loop {
                let began = Instant::now();
                // What changed meanwhile, the next round does.
                let _ = round(&seed).await;
                // Rounds take a fifth of the time at most.
                tokio::time::sleep(Duration::from_secs(1).max(began.elapsed() * 4)).await;
            }
        }))
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// All objects of a kind of machine-controller-manager.
pub async fn all(seed: &Seed, kind: &str) -> Result<Vec<DynamicObject>, kube::Error> {
    let kind = resource("machine.sapcloud.io", "v1alpha1", kind);
    Ok(seed.global(&kind).list(&ListParams::default()).await?.items)
}

async fn round(seed: &Seed) -> Result<(), kube::Error> {
    let (classes, sets, machines) =
        tokio::try_join!(all(seed, "MachineClass"), all(seed, "MachineSet"), all(seed, "Machine"))?;
    hold_credentials(seed, &classes).await?;
    let (sets, machines) = (by_owner(&sets), by_owner(&machines));
    for deployment in all(seed, "MachineDeployment").await? {
        if deployment.metadata.deletion_timestamp.is_none() {
            bring(seed, &deployment, &sets, &machines).await?;
        }
    }
    Ok(())
}

fn namespace(object: &DynamicObject) -> &str {
    object.metadata.namespace.as_deref().unwrap_or_default()
}

fn name(object: &DynamicObject) -> &str {
    object.metadata.name.as_deref().unwrap_or_default()
}

async fn hold_credentials(seed: &Seed, classes: &[DynamicObject]) -> Result<(), kube::Error> {
    let used: BTreeSet<&str> = classes.iter().map(namespace).collect();
    let kind = resource("", "v1", "Secret");
    let only = ListParams::default().fields("metadata.name=cloudprovider");
    for secret in seed.global(&kind).list(&only).await? {
        let namespace = namespace(&secret);
        let is_held = secret.metadata.finalizers.iter().flatten().any(|finalizer| finalizer == FINALIZER);
        if is_held != used.contains(namespace) {
            let finalizers = if is_held { Value::Null } else { json!([FINALIZER]) };
            let patch = Patch::Merge(json!({ "metadata": { "finalizers": finalizers } }));
            seed.namespaced(namespace, &kind).patch(name(&secret), &PatchParams::default(), &patch).await?;
        }
    }
    Ok(())
}

/// An object that another one owns.
fn owned(kind: &str, name: &str, owner: &DynamicObject, of: &str, spec: &Value) -> DynamicObject {
    serde_json::from_value(json!({
        "apiVersion": GROUP, "kind": kind,
        "metadata": {
            "name": name, "namespace": namespace(owner), "labels": spec["template"]["metadata"]["labels"],
            "ownerReferences": [{
                "apiVersion": GROUP, "kind": of, "name": self::name(owner), "uid": owner.metadata.uid,
                "controller": true, "blockOwnerDeletion": true,
            }],
        },
        "spec": spec,
    }))
    .unwrap()
}

/// Objects by the uid of the one that owns them.
type Owned<'o> = BTreeMap<&'o str, Vec<&'o DynamicObject>>;

fn by_owner(objects: &[DynamicObject]) -> Owned<'_> {
    let mut owned = Owned::new();
    for object in objects {
        for owner in object.metadata.owner_references.iter().flatten() {
            owned.entry(&owner.uid).or_default().push(object);
        }
    }
    owned
}

/// What an object owns.
fn of<'o, 'a>(owner: &DynamicObject, objects: &'a Owned<'o>) -> &'a [&'o DynamicObject] {
    owner.metadata.uid.as_deref().and_then(|uid| objects.get(uid)).map_or(&[], Vec::as_slice)
}

/// Brings what a MachineDeployment owns, and its status, to what it wants.
async fn bring(
    seed: &Seed,
    deployment: &DynamicObject,
    sets: &Owned<'_>,
    machines: &Owned<'_>,
) -> Result<(), kube::Error> {
    let spec = &deployment.data["spec"];
    let kind =
        |kind: &str| seed.namespaced(namespace(deployment), &resource("machine.sapcloud.io", "v1alpha1", kind));
    let class = &spec["template"]["spec"]["class"]["name"];
    let mut own = None;
    for set in of(deployment, sets) {
        if set.data["spec"]["template"]["spec"]["class"]["name"] == *class {
            own = Some((*set).clone());
        } else {
            kind("MachineSet").delete(name(set), &DeleteParams::default()).await?;
        }
    }
    let set = if let Some(set) = own {
        set
    } else {
        let of_class = class.as_str().unwrap_or_default();
        let name = format!("{}-{}", name(deployment), of_class.rsplit('-').next().unwrap_or_default());
        let spec = json!({
            "replicas": spec["replicas"], "selector": spec["selector"], "template": spec["template"],
        });
        let set = owned("MachineSet", &name, deployment, "MachineDeployment", &spec);
        kind("MachineSet").create(&PostParams::default(), &set).await?
    };
    let wanted = spec["replicas"].as_u64().unwrap_or_default();
    let names: BTreeSet<String> = (0..wanted).map(|number| format!("{}-{number}", name(&set))).collect();
    let have = of(&set, machines);
    for machine in have.iter().filter(|machine| !names.contains(name(machine))) {
        kind("Machine").delete(name(machine), &DeleteParams::default()).await?;
    }
    for missing in names.iter().filter(|wanted| !have.iter().any(|machine| name(machine) == **wanted)) {
        let mut machine = owned("Machine", missing, &set, "MachineSet", &set.data["spec"]);
        machine.data["spec"] = set.data["spec"]["template"]["spec"].clone();
        kind("Machine").create(&PostParams::default(), &machine).await?;
    }
    let status = json!({
        "observedGeneration": deployment.metadata.generation,
        "replicas": wanted, "updatedReplicas": wanted, "availableReplicas": wanted, "readyReplicas": wanted,
        "conditions": (["Available", "Progressing"].map(|kind| json!({
            "type": kind, "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "lastUpdateTime": "2026-01-01T00:00:00Z",
        }))),
    });
    if deployment.data["status"] != status {
        let patch = Patch::Merge(json!({ "status": status }));
        kind("MachineDeployment").patch_status(name(deployment), &PatchParams::default(), &patch).await?;
    }
    Ok(())
}
