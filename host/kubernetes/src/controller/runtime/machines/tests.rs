//! Which machines wake a Worker, and what the watch asks for.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;

use super::*;
use crate::controller::runtime::testing::Server;
use crate::controller::runtime::watch::testing::server;

/// A machine of the Worker `w` in `shoot--a--b`, with the reason of the condition about its update in place.
fn machine(name: &str, reason: Option<&str>) -> Value {
    let other = json!({ "type": "Ready", "reason": CANDIDATE });
    let of_update = reason.map(|reason| json!({ "type": "InPlaceUpdate", "reason": reason }));
    let conditions: Vec<Value> = [other].into_iter().chain(of_update).collect();
    json!({
        "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "Machine",
        "metadata": {
            "namespace": "shoot--a--b", "name": name, "labels": { WORKER_NAME: format!("of-{name}") }, "resourceVersion": "6",
        },
        "status": { "conditions": conditions },
    })
}

#[tokio::test]
async fn a_new_machine_and_one_whose_update_begins_wake_their_worker() {
    let begun = Some("SelectedForUpdate");
    let list = json!({
        "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineList", "metadata": { "resourceVersion": "5" },
        "items": [machine("a", None), machine("b", Some(CANDIDATE)), machine("c", begun)],
    });
    let event = |kind: &str, machine: Value| json!({ "type": kind, "object": machine });
    let events = vec![
        event("MODIFIED", machine("a", None)),
        // It becomes a candidate, and that is for a person to see.
        event("MODIFIED", machine("a", Some(CANDIDATE))),
        event("MODIFIED", machine("c", Some("UpdateSuccessful"))),
        event("MODIFIED", machine("b", Some(CANDIDATE))),
        event("MODIFIED", machine("b", begun)),
        event("MODIFIED", machine("b", begun)),
        event("ADDED", machine("d", None)),
        event("DELETED", machine("d", None)),
        event("MODIFIED", machine("a", None)),
        event("ADDED", machine("d", Some(CANDIDATE))),
        event("ADDED", machine("end", None)),
    ];
    let (client, heard) = server(list, events);
    let wakes = Wakes::default();
    let changes = wakes.subscribe();
    let task = tokio::spawn(watch_updates(client, wakes));
    let reported = changes.take_while(|wake| std::future::ready(*wake != of("end"))).collect::<Vec<_>>();
    let reported = tokio::time::timeout(Duration::from_secs(20), reported).await.unwrap();
    task.abort();
    assert_eq!(reported, [of("b"), of("d"), of("a"), of("d")]);
    for [path, query, _] in heard.lock().unwrap().iter() {
        assert_eq!(path, "/apis/machine.sapcloud.io/v1alpha1/machines");
        assert!(
            query.contains("labelSelector=worker.gardener.cloud%2Fname"),
            "machines that are rolled stay out: {query}"
        );
    }
}

fn of(machine: &str) -> Wake {
    Wake::Machine("shoot--a--b".to_owned(), format!("of-{machine}"))
}

#[tokio::test]
async fn an_api_server_says_whether_it_has_machines() {
    let resources = |names: &[&str]| {
        let resource = |name: &&str| json!({ "name": name, "singularName": "", "namespaced": true, "kind": "K", "verbs": [] });
        let all: Vec<Value> = names.iter().map(resource).collect();
        json!({ "kind": "APIResourceList", "groupVersion": "machine.sapcloud.io/v1alpha1", "resources": all })
    };
    for (names, expected) in [(&["machineclasses", "machines"][..], true), (&["machineclasses"], false)] {
        let (client, heard) = server(resources(names), Vec::new());
        assert_eq!(are_served(&client).await, Ok(expected), "{names:?}");
        assert_eq!(heard.lock().unwrap()[0][0], "/apis/machine.sapcloud.io/v1alpha1");
    }
    assert_eq!(are_served(&Server::default().client()).await, Ok(false), "it knows no such group");
}
