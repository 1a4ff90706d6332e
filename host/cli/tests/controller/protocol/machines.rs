//! A Worker of whose machines the test takes care: machine-controller-manager, played.
//!
//! What is wanted is there at once: a machine set for the class of each machine deployment, and as many machines
//! as it asks for. Nothing is drained, nobody owns anything but by the label `name`, and no machine has an
//! instance.

use std::time::Duration;

use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{all, merge, one, text};
use crate::seed::{extension, resource};
use crate::shoot::{Part, Shoot};
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// machine-controller-manager's finalizer.
pub const FINALIZER: &str = "machine.sapcloud.io/machine-controller-manager";
/// The label of the Secrets of machine classes.
pub const OF_CLASSES: &str = "gardener.cloud/purpose=machineclass";
/// What machine-controller-manager says of a machine that the cloud refuses.
pub const REFUSAL: &str = "Cloud provider message - machine codes error: code = [ResourceExhausted] message = [QuotaExceed.ElasticQuota: \
                       The number of vCPUs has exceeded the quota.]";
/// How often machine-controller-manager looks.
const EVERY: Duration = Duration::from_millis(300);

/// A Shoot with a Worker.
pub struct Played<'s> {
    pub stage: &'s Stage,
    pub shoot: Shoot,
    /// The status of an Infrastructure that nobody has made.
    network: Value,
}

impl<'s> Played<'s> {
    /// A Shoot of which nothing is there yet, but what the seed has of it.
    pub async fn prepared(stage: &'s Stage, shoot: Shoot) -> Self {
        stage.prepare(&shoot).await;
        stage.gardenlet().user_data(&shoot, "#cloud-config").await;
        let vswitch = |zone: &str| json!({ "id": format!("vsw-{zone}"), "purpose": "nodes", "zone": zone });
        let vswitches = ["eu-central-1a", "eu-central-1b"].map(vswitch);
        let network = json!({ "providerStatus": {
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1", "kind": "InfrastructureStatus",
            "vpc": {
                "id": "vpc-1", "vswitches": vswitches,
                "securityGroups": [{ "id": "sg-1", "purpose": "nodes" }],
            },
        } });
        Self { stage, shoot, network }
    }

    /// A Shoot whose Worker is asked for.
    pub async fn asked(stage: &'s Stage, shoot: Shoot) -> Self {
        let played = Self::prepared(stage, shoot).await;
        played.ask().await;
        played
    }

    pub fn worker(&self) -> Part<'_> {
        self.shoot.part("Worker", &self.network)
    }

    /// Asks for a reconcile with the Shoot as it is.
    pub async fn ask(&self) {
        let gardenlet = self.stage.gardenlet();
        gardenlet.cluster(&self.shoot).await;
        gardenlet.user_data(&self.shoot, "#cloud-config").await;
        gardenlet.redeploy(&self.worker()).await;
    }

    /// Changes the Shoot, and asks for a reconcile.
    pub async fn change(&mut self, change: impl FnOnce(&mut Value)) {
        self.shoot = self.shoot.clone().with(change);
        self.ask().await;
    }

    /// Changes the first pool, and asks for a reconcile.
    pub async fn change_pool(&mut self, change: impl FnOnce(&mut Value)) {
        self.change(|shoot| change(&mut shoot["spec"]["provider"]["workers"][0])).await;
    }

    /// The Worker is ready. Machines come and go meanwhile.
    pub async fn ready(&self) {
        let ready = async { drop(self.stage.gardenlet().wait(&self.worker()).await) };
        self.playing(ready).await;
    }

    /// The Worker and its namespace go.
    pub async fn remove(self) {
        self.stage.gardenlet().destroy(&self.worker()).await;
        self.playing(self.stage.gardenlet().wait_cleanup(&self.worker())).await;
        self.stage.gardenlet().delete_namespace(&self.shoot).await;
    }

    /// Waits until the Worker is so, and answers with it. Nobody takes care of machines.
    pub async fn until(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("{}: {what}", self.shoot.namespace);
        until(&what, LIMIT, async || Some(self.object().await).filter(&is)).await
    }

    /// Waits until the Worker says in its last operation that it waits for this.
    pub async fn until_reported(&self, begin: &str) -> Value {
        self.until(begin, |worker| {
            text(worker, "/status/lastOperation/description").starts_with(begin)
                && worker["status"]["lastOperation"]["state"] == "Processing"
        })
        .await
    }

    /// Waits until the machine deployments are so, and answers with them.
    pub async fn until_deployments(&self, what: &str, are: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let what = format!("{}: {what}", self.shoot.namespace);
        until(&what, LIMIT, async || Some(self.all("MachineDeployment").await).filter(|all| are(all))).await
    }

    /// The Worker.
    pub async fn object(&self) -> Value {
        one(&self.stage.seed, &self.shoot, &extension("Worker"), &self.shoot.name).await
    }

    /// The objects of a kind of machine-controller-manager.
    pub async fn all(&self, kind: &str) -> Vec<Value> {
        all(&self.stage.seed, &self.shoot, &resource("machine.sapcloud.io", "v1alpha1", kind), "").await
    }

    /// Names of machine classes, and of the Secrets of machine classes.
    pub async fn classes(&self) -> (Vec<String>, Vec<String>) {
        let secrets = all(&self.stage.seed, &self.shoot, &resource("", "v1", "Secret"), OF_CLASSES).await;
        (names(&self.all("MachineClass").await), names(&secrets))
    }

    /// Merges this into an object of machine-controller-manager.
    pub async fn merge(&self, kind: &str, name: &str, patch: Value) {
        let of = resource("machine.sapcloud.io", "v1alpha1", kind);
        merge(&self.stage.seed, &self.shoot, &of, name, patch).await;
    }

    /// Sets the reason of the condition of a machine about its update in place.
    pub async fn update_in_place(&self, machine: &str, reason: &str) {
        let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let condition = json!({
            "type": "InPlaceUpdate", "status": "True", "reason": reason, "lastHeartbeatTime": now, "lastTransitionTime": now,
        });
        let patch = Patch::Merge(json!({ "status": { "conditions": [condition] } }));
        let of = resource("machine.sapcloud.io", "v1alpha1", "Machine");
        let api = self.stage.seed.namespaced(&self.shoot.namespace, &of);
        api.patch_status(machine, &PatchParams::default(), &patch).await.unwrap();
    }

    /// How many pods the Deployment of machine-controller-manager should have.
    pub async fn manager(&self) -> Value {
        let of = resource("apps", "v1", "Deployment");
        one(&self.stage.seed, &self.shoot, &of, "machine-controller-manager").await["spec"]["replicas"].take()
    }

    /// Creates or scales the Deployment of machine-controller-manager.
    pub async fn scale_manager(&self, replicas: u8) {
        let labels = json!({ "role": "machine-controller-manager" });
        let containers = json!([{ "name": "a", "image": "a" }]);
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "machine-controller-manager", "namespace": self.shoot.namespace },
            "spec": {
                "replicas": replicas, "selector": { "matchLabels": labels },
                "template": { "metadata": { "labels": labels }, "spec": { "containers": containers } },
            },
        });
        self.stage.seed.apply(&deployment).await;
    }

    /// Holds the credentials, or lets go of them.
    pub async fn hold(&self, holds: bool) {
        let finalizers = if holds { json!([FINALIZER]) } else { Value::Null };
        let patch = json!({ "metadata": { "finalizers": finalizers } });
        merge(&self.stage.seed, &self.shoot, &resource("", "v1", "Secret"), "cloudprovider", patch).await;
    }

    /// Plays machine-controller-manager until something is done.
    async fn playing(&self, until: impl Future<Output = ()>) {
        let play = async {
            loop {
                self.step(&json!({})).await;
                self.hold(!self.all("MachineClass").await.is_empty()).await;
                sleep(EVERY).await;
            }
        };
        tokio::select! {
            () = play => {}
            () = until => {}
        }
    }

    /// Machine sets and machines are as machine deployments want them, whose statuses say so, but for what
    /// `status` says.
    pub async fn step(&self, status: &Value) {
        let deployments = self.all("MachineDeployment").await;
        let (mut sets, mut machines) = (Vec::new(), Vec::new());
        for deployment in &deployments {
            let labels = json!({ "name": text(deployment, "/metadata/name") });
            let class = deployment["spec"]["template"]["spec"]["class"].clone();
            let name = text(&class, "/name");
            let metadata =
                |name: String| json!({ "name": name, "namespace": self.shoot.namespace, "labels": labels });
            let template = json!({ "metadata": { "labels": labels }, "spec": { "class": class } });
            sets.push(json!({
                "metadata": metadata(name.to_owned()), "spec": { "selector": { "matchLabels": labels }, "template": template },
            }));
            machines.extend((0..replicas(deployment)).map(
                |index| json!({ "metadata": metadata(format!("{name}-{index}")), "spec": { "class": class } }),
            ));
        }
        self.bring("MachineSet", sets).await;
        self.bring("Machine", machines).await;
        let api = self
            .stage
            .seed
            .namespaced(&self.shoot.namespace, &resource("machine.sapcloud.io", "v1alpha1", "MachineDeployment"));
        for deployment in &deployments {
            let replicas = replicas(deployment);
            let mut whole = json!({
                "observedGeneration": deployment["metadata"]["generation"], "replicas": replicas, "updatedReplicas": replicas,
                "availableReplicas": replicas, "readyReplicas": replicas, "unavailableReplicas": 0, "failedMachines": null,
                "conditions": [{ "type": "Available", "status": "True" }],
            });
            let members = status.as_object().unwrap().clone();
            whole.as_object_mut().unwrap().extend(members);
            let patch = Patch::Merge(json!({ "status": whole }));
            let written =
                api.patch_status(text(deployment, "/metadata/name"), &PatchParams::default(), &patch).await;
            // The program may have deleted it meanwhile.
            assert!(!matches!(&written, Err(error) if !is_missing(error)), "{written:?}");
        }
    }

    /// Creates what is missing of a kind, and deletes what is not wanted.
    async fn bring(&self, kind: &str, wanted: Vec<Value>) {
        let known = names(&self.all(kind).await);
        let api =
            self.stage.seed.namespaced(&self.shoot.namespace, &resource("machine.sapcloud.io", "v1alpha1", kind));
        for name in known.iter().filter(|name| !names(&wanted).contains(name)) {
            let deleted = api.delete(name, &DeleteParams::default()).await;
            assert!(!matches!(&deleted, Err(error) if !is_missing(error)), "{deleted:?}");
        }
        for mut object in wanted {
            if !known.contains(&text(&object, "/metadata/name").to_owned()) {
                object["apiVersion"] = json!("machine.sapcloud.io/v1alpha1");
                object["kind"] = json!(kind);
                self.stage.seed.create(&object).await;
            }
        }
    }
}

/// What a machine deployment says of a machine that the cloud refuses.
pub fn failed(name: &str) -> Value {
    let last = json!({
        "description": REFUSAL, "state": "Failed", "type": "Create", "lastUpdateTime": "2026-11-25T12:00:00Z",
    });
    json!({ "name": name, "lastOperation": last })
}

/// The names of objects.
pub fn names(objects: &[Value]) -> Vec<String> {
    objects.iter().map(|object| text(object, "/metadata/name").to_owned()).collect()
}

/// The machine class of a machine deployment.
pub fn class(deployment: &Value) -> &str {
    text(deployment, "/spec/template/spec/class/name")
}

/// How many machines a machine deployment asks for. machine-controller-manager takes what is not set for one, and
/// the program writes it always.
pub fn replicas(deployment: &Value) -> u64 {
    deployment["spec"]["replicas"].as_u64().unwrap()
}

fn is_missing(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if status.code == 404)
}
