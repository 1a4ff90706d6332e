//! A Worker of which nothing has changed is not computed again, and any change is seen.

use super::*;

type Change = (&'static str, fn(&mut Landscape));

/// Everything that a step reads, changed by somebody else.
const CHANGES: [Change; 15] = [
    ("the specification", |landscape| patch(landscape, "workers/b", json!({ "spec": { "x": 1 } }))),
    ("a label", |landscape| patch(landscape, "workers/b", json!({ "metadata": { "labels": { "x": "1" } } }))),
    ("an annotation", |landscape| {
        patch(landscape, "workers/b", json!({ "metadata": { "annotations": { "x": "1" } } }));
    }),
    ("the images", |landscape| patch(landscape, "workers/b", json!({ "status": { "providerStatus": null } }))),
    ("the list", |landscape| patch(landscape, "workers/b", json!({ "status": { "machineDeployments": [] } }))),
    ("the Cluster", |landscape| landscape.shoot = json!({ "metadata": { "name": "b" } })),
    ("the credentials", |landscape| touch(landscape, "secrets/cloudprovider")),
    ("the Secret of a class", |landscape| touch(landscape, "secrets/p-z1-1")),
    ("a class", |landscape| touch(landscape, "machineclasses/p-z1-1")),
    ("a machine deployment", |landscape| touch(landscape, "machinedeployments/p-z1")),
    ("a machine set", |landscape| touch_first(landscape, "machinesets")),
    ("a machine", |landscape| touch_first(landscape, "machines")),
    ("a machine deployment that is gone", |landscape| remove(landscape, "machinedeployments/p-z1")),
    ("a further Secret of a class", |landscape| {
        let metadata = json!({ "name": "left", "labels": { "gardener.cloud/purpose": "machineclass" } });
        landscape.server.state().put("secrets", json!({ "metadata": metadata }));
    }),
    ("the policy", |landscape| {
        drop(landscape.workers.asking.policies.swap(landscape.policy.engine()));
    }),
];

fn patch(landscape: &Landscape, key: &str, patch: Value) {
    landscape.server.state().patch(key, patch);
}

fn touch(landscape: &Landscape, key: &str) {
    assert!(landscape.server.state().objects.contains_key(key), "{key}");
    patch(landscape, key, json!({ "metadata": { "labels": { "somebody": "else" } } }));
}

fn touch_first(landscape: &Landscape, plural: &str) {
    let first = landscape.server.state().names(plural)[0].clone();
    touch(landscape, &format!("{plural}/{first}"));
}

fn remove(landscape: &Landscape, key: &str) {
    assert!(landscape.server.state().objects.remove(key).is_some(), "{key}");
}

/// A Worker after a step that had nothing to do.
async fn settled() -> Landscape {
    let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 2, 5)]).await;
    assert_eq!(landscape.act(Operation::Reconcile, false).await, Ended::Done(Map::new()));
    landscape.writes();
    landscape
}

#[test]
fn a_worker_of_which_nothing_changed_gets_a_later_time_of_its_list_and_nothing_else() {
    paused(async {
        let mut landscape = settled().await;
        let answers = landscape.policy.answers();
        for _ in 0..3 {
            let reported = landscape.at("workers/b", "/status/machineDeploymentsLastUpdateTime");
            // What passes, and others' objects.
            let condition =
                json!({ "status": { "conditions": [{ "type": "A" }], "lastOperation": { "progress": 1 } } });
            patch(&landscape, "workers/b", condition);
            landscape.server.state().put("secrets", json!({ "metadata": { "name": "of-somebody-else" } }));
            let Ended::Done(members) = landscape.act(Operation::Reconcile, false).await else { panic!() };
            assert_eq!(members.keys().collect::<Vec<_>>(), ["machineDeploymentsLastUpdateTime"]);
            let again = &members["machineDeploymentsLastUpdateTime"];
            assert!(again.as_str() > reported.as_str(), "{again} {reported}");
            assert!(landscape.writes().is_empty());
            patch(&landscape, "workers/b", json!({ "status": members }));
        }
        assert_eq!(landscape.policy.answers(), answers);
    });
}

#[test]
fn whatever_somebody_changes_is_looked_at() {
    paused(async {
        for (what, change) in CHANGES {
            let mut landscape = settled().await;
            let answers = landscape.policy.answers();
            change(&mut landscape);
            landscape.act(Operation::Reconcile, false).await;
            assert_eq!(landscape.policy.answers(), answers + 1, "{what}");
        }
        for operation in [Operation::Create, Operation::Restore] {
            let mut landscape = settled().await;
            let answers = landscape.policy.answers();
            landscape.act(operation, false).await;
            assert_eq!(landscape.policy.answers(), answers + 1, "{operation:?}");
        }
    });
}
