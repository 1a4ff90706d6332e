//! Machines that fail, and a machine-controller-manager that does nothing.

use super::policy::CANARY;
use super::*;

#[test]
fn failed_machines_fail_the_operation_with_codes() {
    paused(async {
        let mut landscape = Landscape::made(&[("p-z1", "p-z1-1", 1, 5)]).await;
        let machine = json!({ "name": "m", "lastOperation": { "description": "out of stock" } });
        let status = json!({ "status": { "failedMachines": [machine] } });
        landscape.server.state().patch("machinedeployments/p-z1", status);
        let Ended::Failed(failure, _) = landscape.run(Operation::Reconcile).await else {
            panic!("it does not fail")
        };
        let text = r#"failed while waiting for all machine deployments to be ready: machine(s) failed: 1 error occurred: "m": out of stock"#;
        assert_eq!(
            (failure.message.as_str(), failure.codes),
            (text, vec!["ERR_INFRA_RESOURCES_DEPLETED".to_owned()])
        );
    });
}

#[test]
fn after_five_minutes_it_fails_and_a_manager_that_does_nothing_begins_again() {
    paused(async {
        for (finalizers, deleted) in
            [(json!(["machine.sapcloud.io/machine-controller-manager"]), true), (json!([]), false)]
        {
            let mut landscape = Landscape::new(0);
            landscape.want(&[("p-z1", "p-z1-1", 1, 5)]);
            let pod = json!({ "metadata": { "name": "mcm", "labels": { "role": "machine-controller-manager" } } });
            landscape.server.state().put("pods", pod);
            landscape.act(Operation::Create, false).await;
            let known = json!({ "metadata": { "finalizers": finalizers } });
            landscape.server.state().patch("machinedeployments/p-z1", known);
            let begin = Instant::now();
            let Ended::Failed(failure, _) = landscape.run(Operation::Create).await else {
                panic!("it does not fail")
            };
            let text = "failed while waiting for all machine deployments to be ready: Waiting for the machine-controller-manager \
                        to create the updated machine set for the machine deployment (shoot--a--b/p-z1)";
            assert_eq!((failure.message.as_str(), begin.elapsed()), (text, MOST));
            assert_eq!(landscape.server.state().names("pods").is_empty(), deleted);
        }
    });
}

#[test]
fn user_data_are_in_no_failure() {
    paused(async {
        let mut landscape = Landscape::new(1);
        landscape.want(&[("p-z1", "p-z1-1", 1, 5)]);
        landscape.policy.answer.lock().unwrap()["machineDeployments"] = json!({ "userData": CANARY });
        let ended = landscape.act(Operation::Create, false).await;
        assert!(!format!("{ended:?}").contains(CANARY), "{ended:?}");
        for write in 0..6 {
            let mut landscape = Landscape::new(1);
            landscape.want(&[("p-z1", "p-z1-1", 1, 5)]);
            landscape.server.state().refuse(write);
            let ended = landscape.act(Operation::Create, false).await;
            assert!(!format!("{ended:?}").contains(CANARY), "{ended:?}");
        }
    });
}
