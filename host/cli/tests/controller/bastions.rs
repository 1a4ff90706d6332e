//! Bastions in the network of a Shoot, as gardenlet makes them of those of the garden.

use kube::api::{Api, DynamicObject, Patch, PatchParams};
use serde_json::{Value, json};

use crate::process::Trellis;
use crate::proxy::Call;
use crate::seed::{extension, succeeded};
use crate::shoot::{Asked, Bastion, Part, Shoot};
use crate::simulated::Inventory;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};
use crate::whole::USER_DATA;

const ONLY: &str = "--controllers=bastion,infrastructure,heartbeat";
const FINALIZER: &str = "extensions.gardener.cloud/bastion";
const REGION: &str = "eu-central-1";
const NAME: &str = Bastion::NAME;
const OFFICE: &str = "192.0.2.0/24";
const HOME: &str = "2001:db8::/48";

/// A Shoot with its network, and a Bastion in it.
struct Reached<'s> {
    stage: &'s Stage,
    shoot: Shoot,
    /// The status of the Infrastructure.
    network: Value,
    /// What the network has in the cloud.
    inventory: Inventory,
    ingress: &'static [&'static str],
    is_forced: bool,
}

impl Asked for Reached<'_> {
    fn request(&self, command: &str) -> Value {
        let Self { shoot, ingress, is_forced, .. } = self;
        Bastion { shoot, ingress, is_forced: *is_forced }.request(command)
    }
}

impl<'s> Reached<'s> {
    async fn new(stage: &'s Stage, shoot: Shoot) -> Self {
        stage.create(&shoot).await;
        let network = stage.gardenlet().wait(&shoot).await;
        let inventory = stage.site.inventory();
        Self { stage, shoot, network, inventory, ingress: &[OFFICE], is_forced: false }
    }

    /// The Worker, which nobody reconciles here.
    fn worker(&self) -> Part<'_> {
        self.shoot.part("Worker", &self.network)
    }

    async fn with_worker(self) -> Self {
        let gardenlet = self.stage.gardenlet();
        gardenlet.user_data(&self.shoot, USER_DATA).await;
        gardenlet.deploy(&self.worker()).await;
        self
    }

    fn api(&self) -> Api<DynamicObject> {
        self.stage.seed.namespaced(&self.shoot.namespace, &extension("Bastion"))
    }

    /// Waits until the Bastion is so.
    async fn until(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("the Bastion in {}: {what}", self.shoot.namespace);
        let look = async || {
            let found = self.api().get_opt(NAME).await.unwrap();
            Some(serde_json::to_value(found).unwrap()).filter(&is)
        };
        until(&what, LIMIT, look).await
    }

    /// Creates it or changes its spec, and waits until it is ready.
    async fn ready(&self) -> Value {
        self.stage.gardenlet().redeploy(self).await;
        self.stage.gardenlet().wait(self).await
    }

    /// Waits until an operation has failed: what `lastError` says.
    async fn failed(&self, operation: &str) -> String {
        let is_failed = |object: &Value| {
            let last = &object["status"]["lastOperation"];
            last["type"] == operation && last["state"] == "Error"
        };
        let object = self.until("it failed", is_failed).await;
        object["status"]["lastError"]["description"].as_str().unwrap().to_owned()
    }

    /// Asks for a reconcile, whatever gardenlet thinks of it.
    async fn operate(&self) {
        let asked = json!({ "metadata": { "annotations": {
            "gardener.cloud/operation": "reconcile", "gardener.cloud/timestamp": jiff::Timestamp::now().to_string(),
        } } });
        self.api().patch(NAME, &PatchParams::default(), &Patch::Merge(asked)).await.unwrap();
    }

    /// The one instance in the cloud.
    fn instance(&self) -> Value {
        let found = self.stage.site.call("ecs", "DescribeInstances", &[("RegionId", REGION)]);
        let all = found["Instances"]["Instance"].as_array().unwrap();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    /// The ranges from which the cloud lets people reach it, sorted.
    fn ranges(&self) -> Vec<String> {
        let instance = self.instance();
        let group = instance["SecurityGroupIds"]["SecurityGroupId"][0].as_str().unwrap();
        let asked = [("RegionId", REGION), ("SecurityGroupId", group), ("Direction", "ingress")];
        let found = self.stage.site.call("ecs", "DescribeSecurityGroupAttribute", &asked);
        let rules = found["Permissions"]["Permission"].as_array().unwrap();
        let range = |rule: &Value| {
            let texts = ["SourceCidrIp", "Ipv6SourceCidrIp"].map(|key| rule[key].as_str().unwrap_or_default());
            texts.concat()
        };
        let mut ranges: Vec<String> = rules.iter().map(range).collect();
        ranges.sort_unstable();
        ranges
    }

    async fn delete(&self) {
        self.stage.gardenlet().destroy(self).await;
        self.stage.gardenlet().wait_cleanup(self).await;
    }

    /// How many times the program wrote the status of a Bastion.
    fn writes(&self) -> u64 {
        let path = "apis/extensions.gardener.cloud/v1alpha1/namespaces/*/bastions/*/status".to_owned();
        self.stage.proxy.counts().get(&Call { verb: "patch", path }).copied().unwrap_or_default()
    }

    /// Deletes the Worker and the network.
    async fn remove(self) {
        self.stage.gardenlet().destroy(&self.worker()).await;
        self.stage.gardenlet().wait_cleanup(&self.worker()).await;
        self.stage.remove(&self.shoot).await;
    }
}

async fn finish(stage: Stage, trellis: Trellis) {
    trellis.end().await;
    stage.nothing_was_forbidden();
    stage.nothing_is_left().await;
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_bastion_is_made_in_the_network_of_its_shoot_kept_opened_to_others_and_deleted() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[ONLY]).await;
    let bastion = Reached::new(&stage, Shoot::new("reached")).await;
    stage.gardenlet().deploy(&bastion).await;
    let text = bastion.failed("Create").await;
    assert!(text.starts_with("Error checking bastion config: "), "{text}");
    assert_eq!(stage.site.inventory(), bastion.inventory, "without a Worker nothing is made");

    let mut bastion = bastion.with_worker().await;
    let status = stage.gardenlet().wait(&bastion).await;
    let address = &bastion.instance()["PublicIpAddress"]["IpAddress"][0];
    assert_eq!((&status["ingress"], address.is_string()), (&json!({ "ip": address }), true), "{status}");
    assert_eq!(status["state"]["kind"], "BastionState");
    assert_eq!(bastion.ranges(), [OFFICE]);
    let object = bastion.until("it is ready", succeeded).await;
    assert_eq!(object["metadata"]["finalizers"], json!([FINALIZER]));

    let (calls, writes) = (stage.site.last_call(), bastion.writes());
    bastion.operate().await;
    let is_done = |object: &Value| succeeded(object) && object["status"]["lastOperation"]["type"] == "Reconcile";
    let again = bastion.until("it is reconciled", is_done).await;
    assert_eq!(stage.site.changes(calls), [""; 0], "something was left to do");
    assert_eq!(
        bastion.writes() - writes,
        2,
        "the status says that it begins and that it is done, and nothing else"
    );
    assert_eq!((&again["status"]["state"], &again["status"]["ingress"]), (&status["state"], &status["ingress"]));

    let instance = bastion.instance();
    bastion.ingress = &[HOME, OFFICE];
    bastion.ready().await;
    assert_eq!(bastion.ranges(), [OFFICE, HOME]);
    bastion.ingress = &[HOME];
    bastion.ready().await;
    assert_eq!(
        (bastion.ranges(), bastion.instance()["InstanceId"].clone()),
        (vec![HOME.to_owned()], instance["InstanceId"].clone())
    );

    // A Shoot that has failed stops nothing.
    let failed =
        bastion.shoot.clone().with(|shoot| shoot["status"]["lastOperation"] = json!({ "state": "Failed" }));
    stage.gardenlet().cluster(&failed).await;
    bastion.delete().await;
    assert_eq!(stage.site.inventory(), bastion.inventory, "leaked in the cloud");
    stage.gardenlet().cluster(&bastion.shoot).await;
    bastion.remove().await;
    finish(stage, trellis).await;
}

/// Row 37 of the checklist.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_deletion_that_the_bastion_itself_forces_waits_for_no_cloud_and_says_what_stays() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[ONLY]).await;
    let mut bastion = Reached::new(&stage, Shoot::new("forced")).await.with_worker().await;
    bastion.ready().await;
    let instance = bastion.instance();
    let id = instance["InstanceId"].as_str().unwrap();

    let error = json!({ "kind": "error", "code": "Forbidden.RAM", "status": 403 });
    stage.site.order(json!({ "action": "*", "fault": error }));
    stage.gardenlet().destroy(&bastion).await;
    // The Shoot forces nothing.
    let forced = bastion.shoot.clone().annotated("confirmation.gardener.cloud/force-deletion", "true");
    stage.gardenlet().cluster(&forced).await;
    let text = bastion.failed("Delete").await;
    assert!(text.starts_with("Error deleting Bastion: "), "{text}");
    bastion.is_forced = true;
    bastion.delete().await;
    stage.site.cloud().delete_faults(None);
    assert_eq!(bastion.instance()["InstanceId"], id, "it stays");
    let events = stage.seed.events(&bastion.shoot.namespace).await;
    let is_reported = |event: &String| event.contains("Warning ResourcesLeft: ") && event.contains(id);
    assert!(events.iter().any(is_reported), "no event names what stays: {events:?}");

    let group = instance["SecurityGroupIds"]["SecurityGroupId"][0].as_str().unwrap();
    stage.site.call("ecs", "DeleteInstance", &[("InstanceId", id), ("Force", "true")]);
    stage.site.call("ecs", "DeleteSecurityGroup", &[("RegionId", REGION), ("SecurityGroupId", group)]);
    assert_eq!(stage.site.inventory(), bastion.inventory);
    stage.gardenlet().cluster(&bastion.shoot).await;
    bastion.remove().await;
    finish(stage, trellis).await;
}

/// The existing extension sets no tags and records nothing, and gardenlet asks for nothing before it deletes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_bastion_that_the_existing_extension_made_is_deleted() {
    let stage = Stage::new(1).await;
    let trellis = stage.trellis(&[ONLY]).await;
    let bastion = Reached::new(&stage, Shoot::new("before")).await.with_worker().await;
    bastion.ready().await;
    trellis.end().await;
    let instance = bastion.instance();
    let group = &instance["SecurityGroupIds"]["SecurityGroupId"][0];
    for (kind, id) in [("instance", &instance["InstanceId"]), ("securitygroup", group)] {
        let id = id.as_str().unwrap();
        let all = [("RegionId", REGION), ("ResourceType", kind), ("ResourceId.1", id), ("All", "true")];
        stage.site.call("ecs", "UntagResources", &all);
    }
    let forgotten = Patch::Merge(json!({ "status": { "state": null } }));
    bastion.api().patch_status(NAME, &PatchParams::default(), &forgotten).await.unwrap();
    let trellis = stage.trellis(&[ONLY]).await;
    bastion.delete().await;
    assert_eq!(stage.site.inventory(), bastion.inventory);
    bastion.remove().await;
    finish(stage, trellis).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_bastion_is_finished_whichever_call_the_program_was_killed_at() {
    let stage = Stage::new(1).await;
    let start = async || stage.trellis(&[ONLY, "--leader-election=false"]).await;
    let hold = |action: &str| {
        let fault = json!({ "kind": "hold", "when": "after" });
        let occurrence = json!({ "nth": 1 });
        stage.site.order(json!({ "action": format!("ecs:{action}"), "occurrence": occurrence, "fault": fault }))
    };
    let mut trellis = start().await;
    let bastion = Reached::new(&stage, Shoot::new("killed")).await.with_worker().await;
    for (creation, deletion) in [
        ("CreateSecurityGroup", "DeleteInstance"),
        ("RunInstances", "DeleteInstance"),
        ("AuthorizeSecurityGroupEgress", "DeleteSecurityGroup"),
    ] {
        let fault = hold(creation);
        stage.gardenlet().deploy(&bastion).await;
        stage.kill_at_held_call(trellis, fault).await;
        trellis = start().await;
        let status = stage.gardenlet().wait(&bastion).await;
        assert_eq!(status["ingress"]["ip"], bastion.instance()["PublicIpAddress"]["IpAddress"][0], "{creation}");
        let fault = hold(deletion);
        stage.gardenlet().destroy(&bastion).await;
        stage.kill_at_held_call(trellis, fault).await;
        trellis = start().await;
        stage.gardenlet().wait_cleanup(&bastion).await;
        assert_eq!(stage.site.inventory(), bastion.inventory, "{creation}, {deletion}");
    }
    bastion.remove().await;
    finish(stage, trellis).await;
}
