//! Machines that come from another seed.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::Response;
use kube::client::Body;
use tower::service_fn;

use super::*;
use crate::api_server::resource::SHOOT_STATES;
use crate::controller::kinds::worker::garden::Garden;
use crate::controller::runtime::testing::Server as Api;

/// What gardenlet saves of the machines of a seed.
fn saved(from: &Landscape) -> Value {
    let state = from.server.state();
    let of = |plural: &str, deployment: &Value| {
        let mut objects = state.all(plural);
        objects.retain(|object| object["metadata"]["labels"]["name"] == deployment["metadata"]["name"]);
        for object in &mut objects {
            let metadata = &object["metadata"];
            object["metadata"] = json!({
                "name": metadata["name"], "namespace": metadata["namespace"], "labels": metadata["labels"],
                "creationTimestamp": null,
            });
            object["status"] = json!({ "currentStatus": { "lastUpdateTime": null } });
        }
        objects
    };
    let deployments = state.all("machinedeployments").into_iter().map(|deployment| {
        let saved = json!({
            "replicas": deployment["spec"]["replicas"], "machineSets": of("machinesets", &deployment),
            "machines": of("machines", &deployment),
        });
        (deployment["metadata"]["name"].as_str().unwrap().to_owned(), saved)
    });
    let content = json!({ "machineDeployments": deployments.collect::<Map<_, _>>() }).to_string();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content.as_bytes()).unwrap();
    json!({ "state": STANDARD.encode(encoder.finish().unwrap()) })
}

/// Another seed, where a Worker arrives with a new pool; its machine-controller-manager has no pods yet.
async fn arrived() -> Landscape {
    let from =
        Landscape::made(&[("p-z1", "p-z1-1", 2, 5), ("p-z2", "p-z2-1", 1, 5), ("gone", "gone-1", 1, 5)]).await;
    from.server.state().patch("machinedeployments/p-z1", json!({ "spec": { "replicas": 2 } }));
    let mut to = Landscape::new(0);
    to.server.state().patch("workers/b", json!({ "status": { "state": saved(&from) } }));
    to.policy.want(&[("p-z1", "p-z1-1", 2, 5), ("p-z2", "p-z2-1", 1, 5), ("new", "new-1", 1, 5)]);
    to.cloud = from.cloud.clone();
    to
}

#[test]
fn a_restore_that_is_killed_anywhere_makes_no_instance_again() {
    paused(async {
        let landscape = killed_anywhere(arrived, Operation::Restore).await;
        // Four of the old seed, and one of the new pool. What becomes of the machines of a pool that is gone is
        // not ours.
        assert_eq!((landscape.cloud.made, landscape.cloud.left.len()), (5, 5));
        assert_eq!(landscape.server.state().names("machinedeployments"), ["new", "p-z1", "p-z2"]);
        assert_eq!(landscape.server.state().names("machines").len(), 4);
        assert_eq!(landscape.at("deployments/machine-controller-manager", "/spec/replicas"), 1);
    });
}

#[test]
fn machines_are_there_before_their_deployment_and_before_the_manager() {
    paused(async {
        let mut landscape = arrived().await;
        landscape.act(Operation::Restore, false).await;
        let writes = landscape.writes();
        let at = |what: &str| writes.iter().position(|write| write.starts_with(what)).unwrap();
        let last = |what: &str| writes.iter().rposition(|write| write.starts_with(what)).unwrap();
        assert!(last("create machineclasses") < at("create machinesets"), "{writes:?}");
        assert!(last("create machines/") < at("create machinedeployments"), "{writes:?}");
        assert!(
            at("create machinedeployments/p-z2") < at("patch deployments/machine-controller-manager"),
            "{writes:?}"
        );
        assert!(
            at("patch deployments/machine-controller-manager") < at("create machinedeployments/new"),
            "{writes:?}"
        );
        let machine = &landscape.server.state().all("machines")[0];
        assert_eq!(
            (machine["spec"]["providerID"].is_string(), machine["metadata"]["labels"]["node"].is_string()),
            (true, true)
        );
        assert_eq!(machine.get("status"), None);
    });
}

#[test]
fn machines_that_go_while_a_restore_waits_do_not_come_back() {
    paused(async {
        let mut landscape = arrived().await;
        landscape.act(Operation::Restore, false).await;
        let name = landscape.server.state().names("machines")[0].clone();
        landscape.server.state().objects.remove(&format!("machines/{name}"));
        landscape.writes();
        landscape.act(Operation::Restore, false).await;
        assert_eq!(landscape.writes(), Vec::<String>::new());
        assert!(!landscape.server.state().names("machines").contains(&name));
    });
}

#[test]
fn a_shoot_that_sleeps_arrives_asleep_and_a_broken_state_stops_it() {
    paused(async {
        let mut landscape = arrived().await;
        landscape.server.state().patch("workers/b", json!({ "status": { "state": null } }));
        landscape.shoot =
            json!({ "spec": { "hibernation": { "enabled": true } }, "status": { "hibernated": true } });
        assert_eq!(landscape.run(Operation::Restore).await, Ended::Done(Map::new()));
        assert_eq!(landscape.at("deployments/machine-controller-manager", "/spec/replicas"), 0);
        assert_eq!(landscape.server.state().all("machinedeployments")[0]["spec"]["replicas"], 0);
        let mut landscape = arrived().await;
        landscape.server.state().patch("workers/b", json!({ "status": { "state": { "state": "AAAA" } } }));
        let Ended::Failed(failure, _) = landscape.act(Operation::Restore, false).await else {
            panic!("it does not fail")
        };
        assert!(failure.message.starts_with("failed decompressing machine state: "), "{}", failure.message);
        assert_eq!(landscape.server.state().names("machinedeployments"), Vec::<String>::new());
    });
}

/// Another seed, whose gardenlet leaves `status.state` empty, with a garden. Returns the state, too.
async fn arrived_without_state(garden: &Api) -> (Landscape, Value) {
    let mut to = arrived().await;
    let state = to.at("workers/b", "/status/state");
    to.server.state().patch("workers/b", json!({ "status": { "state": null } }));
    to.shoot = json!({ "metadata": { "namespace": "garden-a", "name": "b" } });
    let client = garden.client();
    to.workers.garden = Some(Garden::of(move || std::future::ready(Ok(client.clone()))));
    (to, state)
}

/// A ShootState with these data of gardenlet.
fn shoot_state(name: &str, data: &Value) -> Value {
    json!({ "metadata": { "namespace": "garden-a", "name": name }, "spec": { "gardener": data } })
}

#[test]
fn without_a_state_the_machines_are_those_of_the_shoot_state_in_the_garden() {
    paused(async {
        let garden = Api::default();
        let (mut to, state) = arrived_without_state(&garden).await;
        let secret = json!({ "name": "machine-state", "type": "secret", "data": { "state": "*" } });
        let machines = json!({ "name": "machine-state", "type": "machine-state", "data": state });
        let garden = garden
            .with(&SHOOT_STATES, shoot_state("b", &json!([secret, machines])))
            .with(&SHOOT_STATES, shoot_state("c", &json!([])));
        assert_eq!(to.run(Operation::Restore).await, Ended::Done(Map::new()));
        assert_eq!((to.cloud.made, to.cloud.left.len()), (5, 5), "four of the old seed, one of the new pool");
        // Steps that follow the first one find the machine deployments.
        assert_eq!(garden.requests(), ["GET shootstates/b"]);
    });
}

#[test]
fn a_garden_that_has_no_machines_of_the_shoot_is_no_error() {
    paused(async {
        let of_others = json!([{ "name": "a", "type": "secret", "data": {} }]);
        for state in [None, Some(json!([])), Some(Value::Null), Some(of_others)] {
            let garden = Api::default();
            let garden = match &state {
                Some(data) => garden.with(&SHOOT_STATES, shoot_state("b", data)),
                None => garden,
            };
            let (mut to, _) = arrived_without_state(&garden).await;
            assert_eq!(to.run(Operation::Restore).await, Ended::Done(Map::new()), "{state:?}");
            assert_eq!(garden.requests()[0], "GET shootstates/b");
        }
    });
}

#[test]
fn a_worker_with_a_state_asks_no_garden() {
    paused(async {
        let garden = Api::default();
        let (mut to, state) = arrived_without_state(&garden).await;
        to.server.state().patch("workers/b", json!({ "status": { "state": state } }));
        assert_eq!(to.run(Operation::Restore).await, Ended::Done(Map::new()));
        assert_eq!(garden.requests(), Vec::<String>::new());
    });
}

#[test]
fn no_machine_is_made_while_the_garden_does_not_say_which_there_are() {
    paused(async {
        let (mut to, _) = arrived_without_state(&Api::default()).await;
        let forbidding = service_fn(|_| {
            let status = json!({ "kind": "Status", "code": 403, "message": "no", "reason": "Forbidden", "status": "Failure" });
            let body = Body::from(serde_json::to_vec(&status).unwrap());
            std::future::ready(Ok::<_, std::convert::Infallible>(
                Response::builder().status(403).body(body).unwrap(),
            ))
        });
        let client = Client::new(forbidding, "default");
        to.workers.garden = Some(Garden::of(move || std::future::ready(Ok(client.clone()))));
        let Ended::Failed(failure, _) = to.act(Operation::Restore, false).await else {
            panic!("it does not fail")
        };
        let begin = "failed to get the ShootState garden-a/b of the garden: ";
        assert!(failure.message.starts_with(begin), "{}", failure.message);
        assert_eq!(to.server.state().names("machinedeployments"), Vec::<String>::new());
        assert_eq!(to.at("deployments/machine-controller-manager", "/spec/replicas"), 0);
    });
}
