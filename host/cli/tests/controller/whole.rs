//! A whole Shoot: network, control plane and machines, in the order of gardenlet's flow.

use serde_json::{Value, json};

use crate::shoot::{Part, Shoot};
use crate::stage::Stage;

/// The user data of all machines.
pub const USER_DATA: &str = "#cloud-config of the canary e2f8b1";

/// What gardenlet asks of a whole Shoot.
pub struct Whole<'s> {
    pub stage: &'s Stage,
    pub shoot: Shoot,
    /// The status of the Infrastructure.
    pub infrastructure: Value,
}

/// What a Shoot takes along to another seed.
pub struct Carried {
    /// The state of the Infrastructure.
    network: Value,
    /// What gardenlet saves.
    pub saved: Value,
}

impl<'s> Whole<'s> {
    /// A Shoot of which nothing is there yet, but what the seed has of it.
    pub async fn prepare(stage: &'s Stage, shoot: Shoot) -> Self {
        stage.prepare(&shoot).await;
        let whole = Self { stage, shoot, infrastructure: Value::Null };
        whole.surroundings(1).await;
        whole
    }

    /// What gardenlet deploys before and in addition to extension resources.
    async fn surroundings(&self, replicas: u8) {
        let gardenlet = self.stage.gardenlet();
        gardenlet.access(&self.shoot).await;
        for deployment in ["kube-apiserver", "machine-controller-manager"] {
            gardenlet.scale(&self.shoot, deployment, replicas).await;
        }
        gardenlet.user_data(&self.shoot, USER_DATA).await;
    }

    pub fn control_plane(&self) -> Part<'_> {
        self.shoot.part("ControlPlane", &self.infrastructure)
    }

    pub fn worker(&self) -> Part<'_> {
        self.shoot.part("Worker", &self.infrastructure)
    }

    /// Looks after the machines.
    pub fn machines(&self) {
        self.stage.landscape.machines(&self.shoot.namespace, &self.stage.site.url);
    }

    /// Asks for all three and waits for each, with the Shoot as it is.
    pub async fn flow(&mut self) {
        let gardenlet = self.stage.gardenlet();
        gardenlet.cluster(&self.shoot).await;
        gardenlet.access(&self.shoot).await;
        gardenlet.user_data(&self.shoot, USER_DATA).await;
        gardenlet.redeploy(&self.shoot).await;
        self.infrastructure = gardenlet.wait(&self.shoot).await;
        gardenlet.redeploy(&self.control_plane()).await;
        gardenlet.wait(&self.control_plane()).await;
        gardenlet.redeploy(&self.worker()).await;
        gardenlet.wait(&self.worker()).await;
    }

    /// Hibernates: the machines go, then the API server.
    pub async fn hibernate(&mut self) {
        self.shoot = self.shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true }));
        self.flow().await;
        self.stage.gardenlet().scale(&self.shoot, "kube-apiserver", 0).await;
        self.shoot = self.shoot.clone().with(|shoot| shoot["status"]["hibernated"] = json!(true));
        self.stage.gardenlet().cluster(&self.shoot).await;
    }

    /// Wakes up: the API server comes, then the machines.
    pub async fn wake(&mut self) {
        self.shoot = self.shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": false }));
        for deployment in ["kube-apiserver", "machine-controller-manager"] {
            self.stage.gardenlet().scale(&self.shoot, deployment, 1).await;
        }
        self.flow().await;
        self.shoot = self.shoot.clone().with(|shoot| shoot["status"]["hibernated"] = json!(false));
    }

    /// Moves to another namespace, as to another seed.
    pub async fn migrate(&mut self, suffix: &str) {
        let carried = self.leave().await;
        self.shoot = self.shoot.moved(suffix);
        self.arrive(&carried).await;
    }

    /// Leaves the seed: nothing of the Shoot stays in it. Answers with what goes along.
    pub async fn leave(&self) -> Carried {
        let gardenlet = self.stage.gardenlet();
        gardenlet.scale(&self.shoot, "machine-controller-manager", 0).await;
        let network = self.stage.seed.infrastructure(&self.shoot).await["status"]["state"].clone();
        // As gardenlet: the machines first, the network last.
        gardenlet.migrate(&self.worker()).await;
        gardenlet.wait_migrate(&self.worker()).await;
        gardenlet.migrate(&self.control_plane()).await;
        gardenlet.wait_migrate(&self.control_plane()).await;
        gardenlet.migrate(&self.shoot).await;
        gardenlet.wait_migrate(&self.shoot).await;
        let saved = gardenlet.save_state(&self.shoot).await;
        gardenlet.forget_machines(&self.shoot).await;
        for part in [self.worker(), self.control_plane()] {
            gardenlet.destroy(&part).await;
            gardenlet.wait_cleanup(&part).await;
        }
        gardenlet.destroy(&self.shoot).await;
        gardenlet.wait_cleanup(&self.shoot).await;
        gardenlet.delete_namespace(&self.shoot).await;
        self.stage.landscape.stop_machines(&self.shoot.namespace);
        Carried { network, saved }
    }

    /// Comes to a seed, with what it brings along.
    pub async fn arrive(&self, carried: &Carried) {
        self.stage.prepare(&self.shoot).await;
        self.surroundings(0).await;
        let gardenlet = self.stage.gardenlet();
        gardenlet.scale(&self.shoot, "kube-apiserver", 1).await;
        self.machines();
        gardenlet.restore_state(&self.shoot, &carried.saved).await;
        gardenlet.restore(&self.shoot, &carried.network).await;
        gardenlet.wait(&self.shoot).await;
        gardenlet.restore(&self.control_plane(), &Value::Null).await;
        gardenlet.wait(&self.control_plane()).await;
        gardenlet.restore(&self.worker(), &carried.saved["machineState"]).await;
        gardenlet.wait(&self.worker()).await;
    }

    /// Deletes all three, and the namespace. Nothing may be left.
    pub async fn remove(self) {
        let gardenlet = self.stage.gardenlet();
        for part in [self.worker(), self.control_plane()] {
            gardenlet.destroy(&part).await;
            gardenlet.wait_cleanup(&part).await;
        }
        self.stage.remove(&self.shoot).await;
        self.stage.landscape.stop_machines(&self.shoot.namespace);
    }
}
