//! Machine deployments as the machine-controller-manager reports them, and what they come to.

use serde_json::json;

use super::*;

/// Desires machine deployments `a` and `b` with the classes `a-2` and `b-2`.
fn wanted() -> DesiredMachines {
    let one = |name: &str| {
        json!({
            "name": name, "className": format!("{name}-2"), "secretName": format!("{name}-2"), "minimum": 1, "maximum": 3,
        })
    };
    serde_json::from_value(json!({ "machineDeployments": [one("a"), one("b")] })).unwrap()
}

/// A machine deployment of which so many machines are wanted, exist, are updated and available.
fn deployment(name: &str, [desired, replicas, updated, available]: [i64; 4]) -> Value {
    json!({
        "metadata": { "name": name, "namespace": "ns", "generation": 2 },
        "spec": { "replicas": desired },
        "status": {
            "observedGeneration": 2, "replicas": replicas, "updatedReplicas": updated, "availableReplicas": available,
            "unavailableReplicas": (replicas - available).max(0), "conditions": [{ "type": "Available", "status": "True" }],
        },
    })
}

fn set(deployment: &str, class: &str, replicas: i64) -> Value {
    json!({
        "metadata": { "name": class, "ownerReferences": [{ "kind": "MachineDeployment", "name": deployment }] },
        "spec": { "template": { "spec": { "class": { "name": class } } } },
        "status": { "replicas": replicas },
    })
}

fn settled() -> [Value; 2] {
    [deployment("a", [2, 2, 2, 2]), deployment("b", [1, 1, 1, 1])]
}

fn sets() -> [Value; 2] {
    [set("a", "a-2", 2), set("b", "b-2", 1)]
}

fn words(readiness: Readiness) -> String {
    match readiness {
        Readiness::Ready => "ready".to_owned(),
        Readiness::Waiting(text) | Readiness::Failed(text) => text,
    }
}

fn judge(deployments: &[Value], sets: &[Value], machines: &[Value]) -> String {
    words(awake(&wanted(), &[], Fleet { deployments, sets, machines }))
}

#[test]
fn machines_that_are_as_wanted_are_ready() {
    assert_eq!(judge(&settled(), &sets(), &[]), "ready");
    let [a, b] = settled();
    let unwanted = deployment("old", [5, 5, 0, 0]);
    assert_eq!(judge(&[a, b, unwanted], &sets(), &[]), "ready");
}

#[test]
fn whatever_is_missing_is_reported_in_numbers() {
    let [a, b] = settled();
    for (deployments, expected) in [
        (
            vec![deployment("a", [2, 2, 2, 1]), b.clone()],
            "Waiting until machines are available (2/3 desired machine(s) available, 3/3 machine(s) updated, 1 machine(s) pending, \
             2/2 machinedeployments available)...",
        ),
        (
            vec![a.clone()],
            "Waiting until machines are available (2/2 desired machine(s) available, 2/2 machine(s) updated, 0 machine(s) pending, \
             1/2 machinedeployments available)...",
        ),
        (
            vec![deployment("a", [2, 3, 1, 2]), b.clone()],
            "Waiting until machines are available (3/3 desired machine(s) available, 2/3 machine(s) updated, 1 machine(s) pending, \
             2/2 machinedeployments available)...",
        ),
    ] {
        assert_eq!(judge(&deployments, &sets(), &[]), expected);
    }
    let mut draining = deployment("a", [2, 3, 2, 2]);
    draining["status"]["unavailableReplicas"] = json!(0);
    let text = "Waiting until all old machines are drained and terminated. Waiting for 1 machine(s)...";
    assert_eq!(judge(&[draining, b], &sets(), &[]), text);
}

#[test]
fn machines_that_failed_and_are_kept_for_people_are_not_waited_for() {
    let [a, b] = settled();
    // Of two machines of `a`, and one of `b`, so many are unavailable, and so many are kept.
    let with = |mut deployment: Value, unavailable: i64, preserved: Option<i64>| {
        deployment["status"]["unavailableReplicas"] = json!(unavailable);
        if let Some(preserved) = preserved {
            deployment["status"]["preservedFailedReplicas"] = json!(preserved);
        }
        deployment
    };
    let pending = |unavailable: i64, words: &str| {
        format!(
            "Waiting until machines are available (3/3 desired machine(s) available, 3/3 machine(s) updated, {unavailable} \
             machine(s) pending, {words}2/2 machinedeployments available)..."
        )
    };
    for (of_a, of_b, expected) in [
        ((1, Some(1)), (0, None), "ready".to_owned()),
        ((2, Some(1)), (0, Some(1)), "ready".to_owned()),
        ((0, Some(1)), (0, None), "ready".to_owned()),
        ((1, Some(0)), (0, None), pending(1, "0 preserved failed machine(s), ")),
        ((2, Some(1)), (0, None), pending(2, "1 preserved failed machine(s), ")),
        ((2, None), (0, None), pending(2, "")),
    ] {
        let deployments = [with(a.clone(), of_a.0, of_a.1), with(b.clone(), of_b.0, of_b.1)];
        assert_eq!(judge(&deployments, &sets(), &[]), expected, "{of_a:?} {of_b:?}");
    }
    // A deployment of nobody's pool counts for nothing.
    let old = with(deployment("old", [5, 5, 5, 5]), 0, Some(3));
    assert_ne!(judge(&[with(a.clone(), 1, None), b.clone(), old], &sets(), &[]), "ready");
    // The definition has the number, and the status has none as long as no machine is kept.
    let mut known = with(a, 1, None);
    known["spec"]["autoPreserveFailedMachineMax"] = json!(1);
    assert_eq!(judge(&[known, b], &sets(), &[]), pending(1, "0 preserved failed machine(s), "));
}

#[test]
fn a_machine_deployment_is_healthy_by_its_conditions_and_its_generation() {
    let [a, b] = settled();
    let with = |pointer: &str, value: Value| {
        let mut a = a.clone();
        *a.pointer_mut(pointer).unwrap() = value;
        a
    };
    let condition = |kind: &str, status: &str| {
        let available = json!({ "type": "Available", "status": "True" });
        with("/status/conditions", json!([available, { "type": kind, "status": status }]))
    };
    let mut deleted = a.clone();
    deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    for (case, is_ready) in [
        (condition("Progressing", "True"), true),
        (condition("Progressing", "False"), false),
        (condition("Progressing", "Unknown"), false),
        (condition("ReplicaFailure", "False"), true),
        (condition("ReplicaFailure", "True"), false),
        (condition("Frozen", "False"), true),
        (condition("Frozen", "True"), false),
        (with("/status/conditions", json!([])), false),
        (with("/status/conditions/0/status", json!("False")), false),
        (with("/status/observedGeneration", json!(1)), false),
        (deleted, false),
    ] {
        assert_eq!(judge(&[case.clone(), b.clone()], &sets(), &[]) == "ready", is_ready, "{case}");
    }
}

#[test]
fn the_machine_set_of_the_wanted_class_must_be_there() {
    let [_, b] = sets();
    let text = "Waiting for the machine-controller-manager to create the updated machine set for the machine deployment (ns/a)";
    assert_eq!(judge(&settled(), &[set("a", "a-1", 2), b.clone()], &[]), text);
    let deployments = settled();
    let judge =
        |sets: &[Value]| words(awake(&wanted(), &["a"], Fleet { deployments: &deployments, sets, machines: &[] }));
    let text =
        "Waiting for the machine-controller-manager to create the machine sets for the machine deployment (ns/a)";
    assert_eq!(judge(&[set("a", "a-2", 2), b.clone()]), text);
    assert_eq!(judge(&[set("a", "a-1", 0), set("a", "a-2", 2), b]), "ready");
}

#[test]
fn failed_machines_are_reported_by_their_errors() {
    let machine = |name: &str, error: &str| json!({ "name": name, "lastOperation": { "description": error } });
    let [mut a, mut b] = settled();
    a["status"]["failedMachines"] = json!([machine("m1", "out of stock"), machine("m2", "out of stock")]);
    let judge = |deployments: &[Value]| {
        let fleet = Fleet { deployments, ..Fleet::default() };
        let both = [awake(&wanted(), &[], fleet), hibernated(&wanted(), true, fleet)];
        assert!(both.iter().all(|one| matches!(one, Readiness::Failed(_))), "{both:?}");
        let [one, _] = both;
        words(one)
    };
    let text = r#"machine(s) failed: 1 error occurred: "m1", "m2": out of stock"#;
    assert_eq!(judge(&[a.clone(), b.clone()]), text);
    b["status"]["failedMachines"] = json!([machine("m3", "no quota")]);
    let text = r#"machine(s) failed: 2 errors occurred: ["m1", "m2": out of stock, "m3": no quota]"#;
    assert_eq!(judge(&[a, b]), text);
}

#[test]
fn machines_of_deployments_that_nobody_wants_do_not_fail_it() {
    let [a, b] = settled();
    let mut old = deployment("old", [1, 1, 1, 0]);
    old["status"]["failedMachines"] = json!([{ "name": "m", "lastOperation": { "description": "x" } }]);
    assert_eq!(judge(&[a, b, old], &sets(), &[]), "ready");
}

#[test]
fn updates_in_place_that_a_person_starts_are_waited_for_once_they_have_begun() {
    let [_, b] = settled();
    let mut a = deployment("a", [3, 3, 1, 3]);
    a["spec"]["strategy"] = json!({ "type": "InPlaceUpdate", "inPlaceUpdate": { "orchestrationType": "Manual" } });
    let [new_a, new_b] = sets();
    let sets = [set("a", "a-1", 2), new_a, new_b];
    let machine = |name: &str, reason: &str| {
        json!({
            "metadata": { "name": name, "ownerReferences": [{ "kind": "MachineSet", "name": "a-1" }] },
            "status": { "conditions": [{ "type": "InPlaceUpdate", "reason": reason }] },
        })
    };
    let waiting = machine("m1", "CandidateForUpdate");
    assert_eq!(judge(&[a.clone(), b.clone()], &sets, std::slice::from_ref(&waiting)), "ready");
    let text = "Waiting until 1 old machines are updated...";
    let begun = machine("m2", "SelectedForUpdate");
    assert_eq!(judge(&[a.clone(), b.clone()], &sets, &[waiting.clone(), begun.clone()]), text);
    a["status"]["replicas"] = json!(4);
    let both =
        format!("Waiting until all old machines are drained and terminated. Waiting for 1 machine(s)...\n{text}");
    assert_eq!(judge(&[a.clone(), b.clone()], &sets, std::slice::from_ref(&begun)), both);
    a["status"]["replicas"] = json!(3);
    a["spec"]["strategy"]["inPlaceUpdate"]["orchestrationType"] = json!("Auto");
    let text = "Waiting until all old machines are drained and terminated. Waiting for 2 machine(s)...";
    assert_eq!(judge(&[a, b], &sets, &[begun]), text);
}

#[test]
fn a_shoot_hibernates_once_no_machine_is_left_and_none_can_come() {
    let judge = |deployments: &[Value], machines: &[Value], is_managed: bool| {
        words(hibernated(&wanted(), is_managed, Fleet { deployments, sets: &[], machines }))
    };
    let asleep = [deployment("a", [0; 4]), deployment("b", [0; 4]), deployment("old", [3, 3, 3, 3])];
    assert_eq!(judge(&asleep, &[], true), "ready");
    let awake = [deployment("a", [0, 2, 2, 2]), deployment("b", [0, 1, 1, 1])];
    assert_eq!(judge(&awake, &[], true), "Waiting until all machines have been hibernated (3 still awake)...");
    let machine = json!({ "metadata": { "labels": { "name": "a" } } });
    let text = "Waiting until all machines have been hibernated (1 still awake)...";
    assert_eq!(judge(&asleep, &[machine], true), text);
    let mut unseen = asleep.clone();
    unseen[0]["metadata"]["generation"] = json!(3);
    let text = "Waiting until all machines have been hibernated (0 still awake)...";
    assert_eq!(judge(&unseen, &[], true), text);
    assert_eq!(judge(&unseen, &[], false), "ready");
}
