//! A Shoot that sleeps and wakes up.

use super::*;

#[test]
fn a_shoot_that_is_killed_anywhere_falls_asleep_and_wakes_up() {
    let asleep = async || {
        let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 2, 5), ("p-z2", "p-z2-1", 1, 5)]).await;
        landscape.shoot = json!({ "spec": { "hibernation": { "enabled": true } } });
        landscape
    };
    let waking = async || {
        let mut landscape = asleep().await;
        assert_eq!(landscape.run(Operation::Reconcile).await, Ended::Done(Map::new()));
        landscape.shoot = json!({ "status": { "hibernated": true } });
        // gardenlet scales it while the Shoot wakes up.
        landscape
            .server
            .state()
            .patch("deployments/machine-controller-manager", json!({ "spec": { "replicas": 1 } }));
        landscape
    };
    paused(async {
        let mut landscape = asleep().await;
        landscape.act(Operation::Reconcile, false).await;
        let machines = landscape.server.state().all("machines");
        assert!(machines.iter().all(|machine| machine["metadata"]["labels"]["force-deletion"] == "True"));
        let landscape = killed_anywhere(asleep, Operation::Reconcile).await;
        assert!(landscape.cloud.left.is_empty());
        assert_eq!(landscape.at("deployments/machine-controller-manager", "/spec/replicas"), 0);
        let landscape = killed_anywhere(waking, Operation::Reconcile).await;
        assert_eq!((landscape.cloud.made, landscape.cloud.left.len()), (6, 3));
    });
}
