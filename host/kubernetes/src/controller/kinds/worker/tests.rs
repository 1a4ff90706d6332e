//! Steps against an API server in memory, next to a machine-controller-manager that rolls machines one at a time.

mod deletion;
mod failures;
mod hibernation;
mod manager;
mod migration;
mod policy;
mod server;
mod unchanged;

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::api_server::object::ObjectApi;
use crate::controller::runtime::actuator::Waits;
use crate::controller::runtime::asking::Asked;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::Extension;
use manager::Cloud;
use policy::Policy;
use server::Server;
use trellis_policies::engine::{PolicyThreads, Versions};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::guard::Guard;

const NAMESPACE: &str = "shoot--a--b";

/// A Shoot in a seed.
struct Landscape {
    server: Server,
    policy: Policy,
    cloud: Cloud,
    shoot: Value,
    waits: Option<Waits>,
    workers: Workers,
    /// How many steps of the machine-controller-manager follow a step that was killed.
    pause: usize,
}

impl Landscape {
    /// A Worker with credentials, and a machine-controller-manager with so many pods.
    fn new(managers: i64) -> Self {
        let server = Server::default();
        let mut state = server.state();
        state.put(
            "workers",
            json!({
                "metadata": { "name": "b" },
                "spec": {
                    "type": "alicloud", "secretRef": { "name": "cloudprovider", "namespace": NAMESPACE },
                    "pools": [{ "name": "p", "minimum": 1, "maximum": 5 }],
                },
            }),
        );
        state.put("secrets", json!({ "kind": "Secret", "metadata": { "name": "cloudprovider" } }));
        state.put("deployments", json!({ "metadata": { "name": MANAGER }, "spec": { "replicas": managers } }));
        drop(state);
        let (policy, client) = (Policy::default(), server.client());
        let asking = Asking {
            provider: "alicloud".to_owned(),
            policies: Arc::new(Versions::new(policy.engine())),
            threads: PolicyThreads::default(),
            configuration: None,
            images: None,
            asked: Asked::default(),
            metrics: crate::metrics::Metrics::new(),
        };
        let workers = Workers::new(Arc::new(asking), client, None);
        Self { server, policy, cloud: Cloud::default(), shoot: json!({}), waits: None, workers, pause: 0 }
    }

    /// With machine deployments that were made.
    async fn made(deployments: &[(&str, &str, i64, i64)]) -> Self {
        let mut landscape = Self::new(1);
        landscape.want(deployments);
        assert_eq!(landscape.run(Operation::Create).await, Ended::Done(Map::new()));
        landscape.server.state().writes.clear();
        landscape
    }

    /// Wants other machine deployments, for another specification of the Worker.
    fn want(&self, deployments: &[(&str, &str, i64, i64)]) {
        self.policy.want(deployments);
        self.server.state().patch("workers/b", json!({ "spec": { "wanted": format!("{deployments:?}") } }));
    }

    async fn act(&mut self, operation: Operation, is_forced: bool) -> Ended {
        let worker = self.server.state().objects["workers/b"].clone();
        let extension: Extension = serde_json::from_value(worker.clone()).unwrap();
        let cluster = json!({
            "metadata": { "name": NAMESPACE, "resourceVersion": self.shoot.to_string() }, "spec": { "shoot": self.shoot },
        });
        let cluster: Cluster = serde_json::from_str(&cluster.to_string()).unwrap();
        let permit = Permit::unlimited();
        let api = ObjectApi::new(self.server.client(), WORKER.objects(), &extension.metadata, permit.clone());
        let task = Task {
            operation,
            is_forced,
            object: &worker,
            cluster: Some(&cluster),
            last: None,
            api: &api,
            guard: Guard::Open,
            permit: &permit,
            deadline: Instant::now() + Duration::from_mins(20),
            events: &Events::none(),
            waits: self.waits,
        };
        let ended = self.workers.act(task).await;
        self.waits = match &ended {
            Ended::Waiting(wait) => {
                let known = self.waits.filter(|waits| waits.what == wait.what);
                Some(known.unwrap_or(Waits { what: wait.what, since: Instant::now() }))
            }
            _ => None,
        };
        ended
    }

    /// Steps until an operation ends. A step that is killed is followed by another one.
    async fn run(&mut self, operation: Operation) -> Ended {
        for _ in 0..200 {
            match self.act(operation, false).await {
                Ended::Waiting(wait) => {
                    manager::step(&mut self.server.state(), &mut self.cloud);
                    tokio::time::sleep(wait.every).await;
                }
                Ended::Failed(failure, _) if failure.message.contains("422") => {
                    for _ in 0..self.pause {
                        manager::step(&mut self.server.state(), &mut self.cloud);
                    }
                }
                ended => {
                    // What was deleted last goes.
                    for _ in 0..5 {
                        manager::step(&mut self.server.state(), &mut self.cloud);
                    }
                    return ended;
                }
            }
        }
        panic!("the operation does not end: {:?}", self.act(operation, false).await);
    }

    fn writes(&self) -> Vec<String> {
        std::mem::take(&mut self.server.state().writes)
    }

    fn at(&self, key: &str, pointer: &str) -> Value {
        self.server
            .state()
            .objects
            .get(key)
            .and_then(|object| object.pointer(pointer))
            .cloned()
            .unwrap_or_default()
    }

    /// What matters of all objects, and the instances.
    fn outcome(&self) -> (Vec<(String, Value)>, Cloud) {
        let state = self.server.state();
        let parts = |(key, object): (&String, &Value)| {
            let parts = json!([object.get("spec"), object.get("data"), object["metadata"].get("labels")]);
            (key.clone(), parts)
        };
        let objects = state.objects.iter().filter(|(key, _)| !key.starts_with("machines/")).map(parts).collect();
        let mut cloud = self.cloud.clone();
        cloud.left.clear();
        cloud.left.push(self.cloud.left.len().to_string());
        (objects, cloud)
    }
}

/// Runs something on a clock that stands still while nobody waits.
fn paused(run: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(run);
}

/// Carries out an operation, killed at each of its writes in turn: what comes of it is always the same.
async fn killed_anywhere(begin: impl AsyncFn() -> Landscape, operation: Operation) -> Landscape {
    let mut whole = begin().await;
    assert_eq!(whole.run(operation).await, Ended::Done(Map::new()));
    for pause in [0, 1, 5] {
        for write in 0.. {
            let mut killed = begin().await;
            killed.pause = pause;
            killed.server.state().refuse(write);
            assert_eq!(killed.run(operation).await, Ended::Done(Map::new()), "killed at write {write}");
            if !killed.server.state().has_refused() {
                assert!(write > 0);
                break;
            }
            assert_eq!(killed.outcome(), whole.outcome(), "killed at write {write}, pause {pause}");
        }
    }
    whole
}

#[test]
fn machines_are_made_in_order_and_the_list_is_reported_before_they_are_waited_for() {
    paused(async {
        let mut landscape = Landscape::new(1);
        landscape.want(&[("p-z1", "p-z1-1", 2, 3), ("p-z2", "p-z2-1", 1, 3)]);
        let Ended::Waiting(first) = landscape.act(Operation::Create, false).await else {
            panic!("it does not wait")
        };
        assert_eq!((first.what, first.every), (AVAILABLE, Duration::from_secs(5)));
        let writes = [
            "create secrets/p-z1-1",
            "create secrets/p-z2-1",
            "create machineclasses/p-z1-1",
            "create machineclasses/p-z2-1",
            "patch workers/b",
            "create machinedeployments/p-z1",
            "create machinedeployments/p-z2",
            "patch workers/b",
        ];
        assert_eq!(landscape.writes(), writes);
        assert_eq!(landscape.at("workers/b", "/status/machineDeployments/0/maximum"), 3);
        assert!(landscape.at("workers/b", "/status/machineDeploymentsLastUpdateTime").is_string());
        assert_eq!(landscape.at("machinedeployments/p-z1", "/spec/replicas"), 2);
        assert_eq!(landscape.run(Operation::Create).await, Ended::Done(Map::new()));
        assert_eq!((landscape.cloud.made, landscape.writes().len()), (3, 0));
        // A reconcile that changes nothing reports the list with a new time, and writes nothing else.
        let reported = landscape.at("workers/b", "/status/machineDeploymentsLastUpdateTime");
        assert_eq!(landscape.run(Operation::Reconcile).await, Ended::Done(Map::new()));
        assert_eq!(landscape.writes(), ["patch workers/b"]);
        assert!(
            landscape.at("workers/b", "/status/machineDeploymentsLastUpdateTime").as_str() > reported.as_str()
        );
    });
}

#[test]
fn a_rollout_that_is_killed_anywhere_ends_with_as_many_machines() {
    let begin = async || {
        let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 2, 5), ("old-z1", "old-z1-1", 1, 5)]).await;
        // The cluster autoscaler wants one more.
        landscape.server.state().patch("machinedeployments/p-z1", json!({ "spec": { "replicas": 3 } }));
        manager::step(&mut landscape.server.state(), &mut landscape.cloud);
        landscape.want(&[("p-z1", "p-z1-2", 2, 5), ("new-z1", "new-z1-1", 1, 5)]);
        landscape
    };
    paused(async {
        let landscape = killed_anywhere(begin, Operation::Reconcile).await;
        assert_eq!(landscape.at("machinedeployments/p-z1", "/spec/replicas"), 3);
        let state = landscape.server.state();
        assert_eq!(state.names("machinedeployments"), ["new-z1", "p-z1"]);
        assert_eq!(state.names("machineclasses"), ["new-z1-1", "p-z1-2"]);
        assert_eq!(state.names("secrets"), ["cloudprovider", "new-z1-1", "p-z1-2"]);
        assert_eq!(landscape.cloud.left.len(), 4);
        // Four machines before, three that replace those of a pool, one in the new pool.
        assert_eq!(landscape.cloud.made, 4 + 3 + 1);
        drop(state);
    });
}

#[test]
fn a_request_while_an_older_one_waits_gets_a_list_too() {
    paused(async {
        let mut landscape = Landscape::new(0);
        landscape.want(&[("p-z1", "p-z1-1", 1, 5)]);
        let reported =
            |landscape: &Landscape| landscape.at("workers/b", "/status/machineDeploymentsLastUpdateTime");
        landscape.act(Operation::Create, false).await;
        let first = reported(&landscape);
        landscape.act(Operation::Create, false).await;
        assert_eq!(reported(&landscape), first);
        let request =
            json!({ "metadata": { "annotations": { "gardener.cloud/timestamp": "2026-01-01T00:00:00.1Z" } } });
        landscape.server.state().patch("workers/b", request);
        landscape.act(Operation::Create, false).await;
        let second = reported(&landscape);
        assert!(second.as_str() > first.as_str(), "{second} {first}");
        landscape.act(Operation::Create, false).await;
        assert_eq!(reported(&landscape), second);
    });
}

#[test]
fn nothing_is_deleted_before_what_is_new_is_there() {
    paused(async {
        let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 2, 5), ("old-z1", "old-z1-1", 1, 5)]).await;
        landscape.want(&[("p-z1", "p-z1-2", 2, 5), ("new-z1", "new-z1-1", 1, 5)]);
        loop {
            let machines = landscape.server.state().names("machines");
            let ended = landscape.act(Operation::Reconcile, false).await;
            let count = |prefix: &str| machines.iter().filter(|machine| machine.starts_with(prefix)).count();
            if landscape.writes().iter().any(|write| write.starts_with("delete")) {
                assert_eq!((count("p-z1-2"), count("p-z1-1"), count("new-z1"), count("old-z1")), (2, 0, 1, 1));
                break;
            }
            assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
            manager::step(&mut landscape.server.state(), &mut landscape.cloud);
        }
    });
}

#[test]
fn the_number_of_machines_is_the_autoscalers_even_between_a_read_and_a_write() {
    paused(async {
        let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 2, 5)]).await;
        landscape.want(&[("p-z1", "p-z1-2", 3, 5)]);
        let scaled = ("machinedeployments/p-z1".to_owned(), json!({ "spec": { "replicas": 4 } }));
        landscape.server.state().overtaken = Some(scaled);
        assert_eq!(landscape.run(Operation::Reconcile).await, Ended::Done(Map::new()));
        assert_eq!(landscape.at("machinedeployments/p-z1", "/spec/replicas"), 4);
        assert_eq!(landscape.at("machinedeployments/p-z1", "/spec/template/spec/class/name"), "p-z1-2");
    });
}
