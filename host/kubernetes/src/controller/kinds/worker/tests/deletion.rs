//! The end of a Worker.

use super::*;

async fn begin() -> Landscape {
    Landscape::made(&[("p-z1", "p-z1-1", 2, 5), ("p-z2", "p-z2-1", 1, 5)]).await
}

#[test]
fn a_deletion_that_is_killed_anywhere_leaves_nothing() {
    paused(async {
        let landscape = killed_anywhere(begin, Operation::Delete).await;
        assert!(landscape.cloud.left.is_empty());
        let state = landscape.server.state();
        let left: Vec<&String> = state.objects.keys().collect();
        assert_eq!(left, ["deployments/machine-controller-manager", "secrets/cloudprovider", "workers/b"]);
        assert_eq!(state.objects["secrets/cloudprovider"]["metadata"].get("finalizers"), None);
        drop(state);
    });
}

#[test]
fn machines_are_deleted_once_the_manager_has_the_credentials_and_classes_do_not_come_back() {
    paused(async {
        let mut landscape = begin().await;
        let set = |finalizers: Value| json!({ "metadata": { "finalizers": finalizers } });
        landscape.server.state().patch("secrets/cloudprovider", set(json!(["other"])));
        landscape
            .server
            .state()
            .patch("machineclasses/p-z1-1", json!({ "providerSpec": { "tags": { "a": "old" } } }));
        let Ended::Waiting(wait) = landscape.act(Operation::Delete, false).await else {
            panic!("it does not wait")
        };
        assert_eq!(wait.text, "Machine class credentials secret has not yet been acquired");
        // The classes have what they should have by now.
        assert_eq!(landscape.writes(), ["patch machineclasses/p-z1-1"]);
        let acquired = set(json!(["other", "machine.sapcloud.io/machine-controller"]));
        landscape.server.state().patch("secrets/cloudprovider", acquired);
        let Ended::Waiting(wait) = landscape.act(Operation::Delete, false).await else {
            panic!("it does not wait")
        };
        let text = "Waiting until the following machine resources have been deleted: 3 machines, 2 machine sets, 2 machine \
                    deployments, 2 machine classes, 2 machine class secrets";
        assert_eq!(wait.text, text);
        let machines = landscape.server.state().all("machines");
        assert!(machines.iter().all(|machine| machine["metadata"]["labels"]["force-deletion"] == "True"));
        let deleted = [
            "delete machinedeployments/p-z1",
            "delete machinedeployments/p-z2",
            "delete machineclasses/p-z1-1",
            "delete machineclasses/p-z2-1",
            "delete secrets/p-z1-1",
            "delete secrets/p-z2-1",
        ];
        assert_eq!(landscape.writes()[3..], deleted);
        for _ in 0..20 {
            manager::step(&mut landscape.server.state(), &mut landscape.cloud);
            landscape.act(Operation::Delete, false).await;
        }
        landscape
            .server
            .state()
            .patch("secrets/cloudprovider", set(json!(["machine.sapcloud.io/machine-controller"])));
        let Ended::Waiting(wait) = landscape.act(Operation::Delete, false).await else {
            panic!("it does not wait")
        };
        assert_eq!(wait.text, "Machine class credentials secret has not yet been released");
        assert_eq!(landscape.writes(), Vec::<String>::new());
        landscape.server.state().patch("secrets/cloudprovider", set(json!(["other"])));
        assert_eq!(landscape.act(Operation::Delete, false).await, Ended::Done(Map::new()));
        assert_eq!(landscape.server.state().names("machineclasses"), Vec::<String>::new());
    });
}

#[test]
fn a_machine_that_cannot_be_deleted_fails_the_deletion() {
    paused(async {
        let mut landscape = begin().await;
        let machine = json!({ "name": "m", "lastOperation": { "description": "out of stock" } });
        landscape
            .server
            .state()
            .patch("machinedeployments/p-z1", json!({ "status": { "failedMachines": [machine] } }));
        let Ended::Failed(failure, _) = landscape.act(Operation::Delete, false).await else {
            panic!("it does not fail")
        };
        let text = "failed while waiting for all machine resources to be deleted: machine m failed: out of stock";
        assert_eq!((failure.message.as_str(), failure.codes.len()), (text, 1));
    });
}

#[test]
fn a_worker_without_machines_is_deleted_at_once_and_a_forced_deletion_asks_nobody() {
    paused(async {
        let mut landscape = Landscape::new(1);
        assert_eq!(landscape.act(Operation::Delete, false).await, Ended::Done(Map::new()));
        let mut landscape = begin().await;
        assert_eq!(landscape.act(Operation::Delete, true).await, Ended::Done(Map::new()));
        assert_eq!(landscape.act(Operation::Migrate, false).await, Ended::Done(Map::new()));
        assert_eq!(landscape.writes(), Vec::<String>::new());
    });
}
