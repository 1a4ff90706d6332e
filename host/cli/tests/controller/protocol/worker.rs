//! Workers and their machines.

use std::time::Duration;

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

use super::machines::{FINALIZER, Played, REFUSAL, class, failed, names, replicas};
use super::text;
use crate::proxy::{Call, Fault, On, Order};
use crate::seed::{Seed, resource, succeeded};
use crate::shoot::Shoot;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

fn time(worker: &Value) -> jiff::Timestamp {
    text(worker, "/status/machineDeploymentsLastUpdateTime").parse().unwrap()
}

/// The hash in the status of a Worker of a pool that is updated in place.
fn hash<'w>(worker: &'w Value, pool: &str) -> &'w Value {
    &worker["status"]["inPlaceUpdates"]["workerPoolToHashMap"][pool]
}

/// Adds a pool with one machine.
fn with_spare_pool(shoot: &mut Value) {
    let pools = shoot["spec"]["provider"]["workers"].as_array_mut().unwrap();
    let mut spare = pools[0].clone();
    for (key, value) in [("name", json!("spare")), ("zones", json!(["eu-central-1a"])), ("minimum", json!(1))] {
        spare[key] = value;
    }
    pools.push(spare);
}

fn without_spare_pool(shoot: &mut Value) {
    shoot["spec"]["provider"]["workers"].as_array_mut().unwrap().truncate(1);
}

pub async fn the_list_of_machine_deployments_comes_before_the_machines(stage: &Stage) {
    let played = Played::asked(stage, Shoot::new("listed")).await;
    let has_list = |worker: &Value| worker["status"]["machineDeploymentsLastUpdateTime"].is_string();
    let first = played.until("the list is reported", has_list).await;
    let entry = |zone: &str| json!({ "name": format!("shoot--dev--listed-worker-xoluy-{zone}"), "minimum": 1, "maximum": 2 });
    assert_eq!(first["status"]["machineDeployments"], json!([entry("eu-central-1a"), entry("eu-central-1b")]));
    // gardenlet waits for a later list at each request, also where an older one waits for machines.
    played.ask().await;
    let second = played.until("a later list is reported", |worker| time(worker) > time(&first)).await;
    assert_eq!(second["status"]["lastOperation"]["state"], "Processing", "{second}");
    let deployments = played.all("MachineDeployment").await;
    assert_eq!(deployments.len(), 2);
    assert!(deployments.iter().all(|deployment| deployment.get("status").is_none()), "nobody has made machines");
    played.ready().await;
    assert_eq!(played.object().await["status"]["machineDeployments"], first["status"]["machineDeployments"]);
    played.remove().await;
}

pub async fn the_number_of_machines_is_within_its_limits_and_else_the_autoscalers(stage: &Stage) {
    let mut played = Played::asked(stage, Shoot::new("counted")).await;
    let first = "shoot--dev--counted-worker-xoluy-eu-central-1a";
    let limits = |minimum: u8, maximum: u8| {
        move |pool: &mut Value| {
            pool["minimum"] = json!(minimum);
            pool["maximum"] = json!(maximum);
        }
    };
    let is = |wanted: [u64; 2]| move |all: &[Value]| all.iter().map(replicas).eq(wanted);
    played.until_deployments("the minimum", is([1, 1])).await;

    scaled(stage, &played.shoot, first, 2).await;
    played.change_pool(|pool| pool["labels"] = json!({ "changed": "once" })).await;
    let label = "/spec/template/spec/nodeTemplate/metadata/labels/changed";
    let changed = |all: &[Value]| all.iter().all(|deployment| text(deployment, label) == "once");
    let deployments = played.until_deployments("a change of all", changed).await;
    assert!(is([2, 1])(&deployments), "the autoscaler's number is kept: {deployments:#?}");
    assert_eq!(deployments.iter().map(writers_of_replicas).collect::<Vec<_>>(), ["cluster-autoscaler", "trellis"]);

    played.change_pool(limits(6, 8)).await;
    played.until_deployments("at least the minimum", is([3, 3])).await;
    scaled(stage, &played.shoot, first, 4).await;
    played.change_pool(limits(2, 6)).await;
    played.until_deployments("at most the maximum", is([3, 3])).await;
    played.change_pool(limits(4, 4)).await;
    played.until_deployments("the minimum, as nobody scales", is([2, 2])).await;
    played.change(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true })).await;
    played.until_deployments("none in sleep", is([0, 0])).await;
    played.shoot = played.shoot.clone().with(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": false }));
    played.change_pool(limits(4, 6)).await;
    played.until_deployments("the minimum after sleep", is([2, 2])).await;
    played.remove().await;
}

/// Sets the number of machines as the cluster autoscaler does.
async fn scaled(stage: &Stage, shoot: &Shoot, deployment: &str, replicas: u64) {
    let api =
        stage.seed.namespaced(&shoot.namespace, &resource("machine.sapcloud.io", "v1alpha1", "MachineDeployment"));
    let parameters =
        PatchParams { field_manager: Some("cluster-autoscaler".to_owned()), ..PatchParams::default() };
    api.patch(deployment, &parameters, &Patch::Merge(json!({ "spec": { "replicas": replicas } }))).await.unwrap();
}

/// Who wrote the number of machines, as `managedFields` have it.
fn writers_of_replicas(deployment: &Value) -> String {
    let entries = deployment["metadata"]["managedFields"].as_array().unwrap().iter();
    let of_number = entries.filter(|entry| entry["fieldsV1"]["f:spec"].get("f:replicas").is_some());
    of_number.map(|entry| text(entry, "/manager")).collect::<Vec<_>>().join(", ")
}

pub async fn an_old_machine_class_goes_once_the_new_machines_are_there(stage: &Stage) {
    let mut played = Played::asked(stage, Shoot::new("classes")).await;
    played.ready().await;
    let deployments = played.all("MachineDeployment").await;
    for deployment in &deployments {
        let hash = class(deployment).strip_prefix(text(deployment, "/metadata/name")).unwrap();
        let digits = hash.strip_prefix('-').unwrap();
        assert!(digits.len() == 5 && digits.chars().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
    }
    let of = |deployments: &[Value]| -> Vec<String> {
        deployments.iter().map(|deployment| class(deployment).to_owned()).collect()
    };
    let old = of(&deployments);
    assert_eq!(played.classes().await, (old.clone(), old.clone()));

    // Another machine type is another Secret of the node agent.
    played.change_pool(|pool| pool["machine"]["type"] = json!("ecs.g7.xlarge")).await;
    let are_new = |all: &[Value]| all.iter().all(|deployment| !old.contains(&class(deployment).to_owned()));
    let new = of(&played.until_deployments("new machine classes", are_new).await);
    let mut both = [old.clone(), new.clone()].concat();
    both.sort();
    played.until_reported("Waiting for the machine-controller-manager to create the").await;
    assert_eq!(played.classes().await, (both.clone(), both.clone()), "no machine is there");
    played.step(&json!({ "availableReplicas": 0, "unavailableReplicas": 1 })).await;
    played.until_reported("Waiting until machines are available (0/2 ").await;
    assert_eq!(played.classes().await, (both.clone(), both), "no machine is healthy");
    played.ready().await;
    assert_eq!(played.classes().await, (new.clone(), new));
    played.remove().await;
}

pub async fn machines_that_failed_are_reported_with_codes(stage: &Stage) {
    let played = Played::asked(stage, Shoot::new("refusals")).await;
    played.until_deployments("machine deployments", |all| all.len() == 2).await;
    played.step(&json!({ "failedMachines": [failed("one"), failed("other")] })).await;
    let failure = stage.gardenlet().try_wait(&played.worker(), Duration::ZERO).await.unwrap_err();
    let text = format!(
        "failed while waiting for all machine deployments to be ready: machine(s) failed: 1 error occurred: \"one\", \"other\", \
         \"one\", \"other\": {REFUSAL}"
    );
    assert!(failure.message.contains(&text), "{failure:?}");
    assert_eq!(failure.codes, ["ERR_INFRA_QUOTA_EXCEEDED"]);
    let status = played.object().await["status"].take();
    assert_eq!(status["lastError"]["description"], format!("Error reconciling Worker: {text}"));
    assert_eq!(status["lastError"]["codes"], json!(["ERR_INFRA_QUOTA_EXCEEDED"]));
    assert_eq!(
        (&status["lastOperation"]["state"], &status["lastOperation"]["progress"]),
        (&json!("Error"), &json!(50))
    );
    played.ask().await;
    played.ready().await;
    assert_eq!(played.object().await["status"].get("lastError"), None);
    played.remove().await;
}

pub async fn saved_machines_are_there_before_their_machine_deployments(stage: &Stage) {
    let played = Played::asked(stage, Shoot::new("restored")).await;
    played.until_deployments("machine deployments", |all| all.len() == 2).await;
    scaled(stage, &played.shoot, "shoot--dev--restored-worker-xoluy-eu-central-1a", 2).await;
    played.ready().await;
    for (name, index) in names(&played.all("Machine").await).iter().zip(0..) {
        let node = format!("node-of-{name}");
        let patch = json!({
            "metadata": { "labels": { "node": node } }, "spec": { "providerID": format!("eu-central-1.i-restored-{index}") },
        });
        played.merge("Machine", name, patch).await;
    }
    let identity = |machines: &[Value]| -> Vec<[String; 3]> {
        let of = |machine| {
            ["/metadata/name", "/metadata/labels/node", "/spec/providerID"].map(|at| text(machine, at).to_owned())
        };
        machines.iter().map(of).collect()
    };
    let before = identity(&played.all("Machine").await);
    assert_eq!(before.len(), 3);
    let gardenlet = stage.gardenlet();
    gardenlet.migrate(&played.worker()).await;
    gardenlet.wait_migrate(&played.worker()).await;
    let saved = gardenlet.save_state(&played.shoot).await;
    gardenlet.forget_machines(&played.shoot).await;
    gardenlet.destroy(&played.worker()).await;
    gardenlet.wait_cleanup(&played.worker()).await;
    gardenlet.delete_namespace(&played.shoot).await;

    let played = Played::prepared(stage, played.shoot.moved("b")).await;
    played.scale_manager(0).await;
    stage.proxy.order(Order { on: On::Creations("machines"), every: 1, fault: Fault::Internal });
    gardenlet.restore(&played.worker(), &saved["machineState"]).await;
    let path = "apis/machine.sapcloud.io/v1alpha1/namespaces/*/machines".to_owned();
    let create = Call { verb: "create", path };
    let tries = async || stage.proxy.counts().get(&create).filter(|count| **count > 4).map(drop);
    until("machines are created in vain", LIMIT, tries).await;
    assert_eq!(names(&played.all("MachineDeployment").await), [""; 0], "machines come first");
    assert_eq!(played.manager().await, 0);
    stage.proxy.calm();
    until("machine-controller-manager is started", LIMIT, async || (played.manager().await == 1).then_some(()))
        .await;
    assert_eq!(identity(&played.all("Machine").await), before);
    let deployments = played.all("MachineDeployment").await;
    assert_eq!(deployments.iter().map(replicas).collect::<Vec<_>>(), [2, 1], "the saved numbers");
    played.ready().await;
    assert_eq!(identity(&played.all("Machine").await), before, "no machine was made anew");
    played.remove().await;
    // Those that the landscape has registered for machines with an instance.
    let nodes = Seed::connect(&stage.landscape.of_shoot).await.global(&resource("", "v1", "Node"));
    for [_, node, _] in before {
        nodes.delete(&node, &kube::api::DeleteParams::default()).await.unwrap();
    }
}

pub async fn a_deletion_waits_until_the_credentials_are_held_and_let_go(stage: &Stage) {
    let played = Played::asked(stage, Shoot::new("credentials")).await;
    played.ready().await;
    played.hold(false).await;
    stage.gardenlet().destroy(&played.worker()).await;
    played.until_reported("Machine class credentials secret has not yet been acquired").await;
    for kind in ["MachineDeployment", "MachineClass"] {
        assert_eq!(played.all(kind).await.len(), 2, "{kind} is not deleted by anybody who lacks the credentials");
    }
    played.hold(true).await;
    played.until_deployments("machine deployments go", <[Value]>::is_empty).await;
    played.step(&json!({})).await;
    played.until_reported("Machine class credentials secret has not yet been released").await;
    assert_eq!(played.classes().await, (vec![], vec![]));
    played.hold(false).await;
    stage.gardenlet().wait_cleanup(&played.worker()).await;
    stage.gardenlet().delete_namespace(&played.shoot).await;
}

pub async fn what_a_removed_pool_had_goes(stage: &Stage) {
    let mut played = Played::prepared(stage, Shoot::new("orphans").with(with_spare_pool)).await;
    played.scale_manager(1).await;
    played.ask().await;
    played.ready().await;
    let deployments = played.all("MachineDeployment").await;
    let is_spare =
        |deployment: &&Value| text(deployment, "/metadata/labels/worker.gardener.cloud~1pool") == "spare";
    let spare = text(deployments.iter().find(is_spare).unwrap(), "/metadata/name").to_owned();
    let kept: Vec<String> =
        deployments.iter().filter(|one| !is_spare(one)).map(|one| class(one).to_owned()).collect();
    assert_eq!((deployments.len(), kept.len(), played.classes().await.0.len()), (3, 2, 3));
    // Machines take their time to go, and nobody knows whose this Secret was.
    played.merge("MachineDeployment", &spare, json!({ "metadata": { "finalizers": [FINALIZER] } })).await;
    let metadata = json!({
        "name": "orphan", "namespace": played.shoot.namespace, "labels": { "gardener.cloud/purpose": "machineclass" },
    });
    stage.seed.create(&json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata })).await;

    played.change(without_spare_pool).await;
    played.until_reported(&format!("At least one unwanted machine deployment ({spare}) still exists")).await;
    assert_eq!(played.classes().await, (kept.clone(), kept));
    played.merge("MachineDeployment", &spare, json!({ "metadata": { "finalizers": null } })).await;
    played.ready().await;
    assert_eq!(played.all("MachineDeployment").await.len(), 2);
    played.remove().await;
}

pub async fn the_hash_of_a_pool_is_reported_once_its_nodes_are_updated(stage: &Stage) {
    let shoot = Shoot::new("in-place").with(with_spare_pool).with(|shoot| {
        shoot["spec"]["kubernetes"]["version"] = json!("1.32.6");
        shoot["spec"]["provider"]["workers"][1]["updateStrategy"] = json!("AutoInPlaceUpdate");
    });
    let mut played = Played::asked(stage, shoot).await;
    let spare = |all: &[Value]| -> Option<Value> {
        let is = |one: &&Value| text(one, "/metadata/labels/worker.gardener.cloud~1pool") == "spare";
        all.iter().find(is).cloned()
    };
    let made = played.until_deployments("the pool", |all| spare(all).is_some()).await;
    let strategy = &spare(&made).unwrap()["spec"]["strategy"];
    assert_eq!(strategy["type"], "InPlaceUpdate");
    assert_eq!(strategy["inPlaceUpdate"]["orchestrationType"], "Auto");
    played.ready().await;
    let first = played.object().await;
    let old = hash(&first, "spare").as_str().unwrap();
    assert!(old.len() == 16 && old.chars().all(|digit| digit.is_ascii_hexdigit()), "{old}");
    assert_eq!(hash(&first, "worker-xoluy"), &Value::Null, "a pool that is rolled has none");

    played.change(|shoot| shoot["spec"]["kubernetes"]["version"] = json!("1.33.2")).await;
    played.until_reported("Waiting for the machine-controller-manager to create the").await;
    assert_eq!(hash(&played.object().await, "spare"), old, "nodes are not updated yet");
    played.ready().await;
    let new = played.object().await;
    assert!(hash(&new, "spare").is_string() && hash(&new, "spare") != old, "{new}");

    played.change(without_spare_pool).await;
    played.ready().await;
    assert_eq!(hash(&played.object().await, "spare"), &Value::Null);
    played.remove().await;
}

pub async fn a_machine_whose_update_a_person_starts_wakes_its_worker(stage: &Stage) {
    let shoot = Shoot::new("by-hand").with(with_spare_pool).with(|shoot| {
        shoot["spec"]["provider"]["workers"][1]["updateStrategy"] = json!("ManualInPlaceUpdate");
    });
    let played = Played::asked(stage, shoot).await;
    played.ready().await;
    let machines = names(&played.all("Machine").await);
    let machine = machines.iter().find(|name| name.contains("spare")).unwrap();
    let woken = async |since: &Value| {
        let is_later = |worker: &Value| time(worker) > time(since) && succeeded(worker);
        played.until("a machine wakes the Worker", is_later).await
    };
    // Nobody asks by an annotation from here on. The condition comes first: without the label nobody sees the machine.
    let first = played.object().await;
    played.update_in_place(machine, "CandidateForUpdate").await;
    let label = json!({ "metadata": { "labels": { "worker.gardener.cloud/name": played.shoot.name } } });
    played.merge("Machine", machine, label).await;
    let second = woken(&first).await;
    played.update_in_place(machine, "SelectedForUpdate").await;
    woken(&second).await;
    played.remove().await;
}

pub async fn machines_that_failed_and_are_kept_are_not_waited_for(stage: &Stage) {
    let shoot = Shoot::new("kept").with(|shoot| {
        let settings = json!({ "autoPreserveFailedMachineMax": 2, "machinePreserveTimeout": "72h" });
        shoot["spec"]["provider"]["workers"][0]["machineControllerManager"] = settings;
    });
    let played = Played::asked(stage, shoot).await;
    let made = played.until_deployments("two zones have machines", |all| all.len() == 2).await;
    for deployment in &made {
        assert_eq!(deployment["spec"]["autoPreserveFailedMachineMax"], 1, "{deployment}");
        assert_eq!(deployment["spec"]["template"]["spec"]["machinePreserveTimeout"], "72h0m0s", "{deployment}");
    }
    played.step(&json!({ "unavailableReplicas": 1, "availableReplicas": 0 })).await;
    let waits = "Waiting until machines are available (0/2 desired machine(s) available, 2/2 machine(s) updated, 2 machine(s) pending, \
                 0 preserved failed machine(s), 2/2 machinedeployments available)...";
    played.until_reported(waits).await;
    played.step(&json!({ "unavailableReplicas": 1, "availableReplicas": 0, "preservedFailedReplicas": 1 })).await;
    played.until("the Worker is ready", succeeded).await;
    played.remove().await;
}

pub async fn machines_go_and_come_with_the_sleep_of_the_shoot(stage: &Stage) {
    let mut played = Played::prepared(stage, Shoot::new("asleep")).await;
    played.scale_manager(1).await;
    played.ask().await;
    played.ready().await;
    assert_eq!(played.all("Machine").await.len(), 2);

    played.change(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": true })).await;
    played.until_reported("Waiting until all machines have been hibernated (2 still awake)").await;
    let forced = |machine: &Value| text(machine, "/metadata/labels/force-deletion") == "True";
    assert!(played.all("Machine").await.iter().all(forced), "nobody drains a node");
    assert_eq!(played.manager().await, 1, "somebody has to delete the machines");
    played.ready().await;
    assert_eq!(played.all("Machine").await.len(), 0);
    assert_eq!(played.manager().await, 0);

    played.scale_manager(1).await;
    played.change(|shoot| shoot["spec"]["hibernation"] = json!({ "enabled": false })).await;
    played.ready().await;
    assert_eq!(played.all("Machine").await.len(), 2);
    assert_eq!(played.manager().await, 1);
    played.remove().await;
}
