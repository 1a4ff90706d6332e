use serde_json::{Value, json};

use crate::provider::gardener::shoot::tests::judged;

/// The rules that refuse operations of a Shoot, and those that are undecided.
fn rules(shoot: &Value, old: Option<&Value>, context: &Value) -> (Vec<String>, Vec<String>) {
    let answer = judged(shoot, old, context);
    let of = |list: &str| {
        let all = answer[list].as_array().unwrap_or_else(|| panic!("{answer}"));
        let mut ids: Vec<String> = all
            .iter()
            .filter(|entry| entry["assumed"].is_null())
            .filter_map(|entry| entry["rule"].as_str())
            .filter_map(|rule| rule.strip_prefix("GDN-OP-"))
            .map(str::to_owned)
            .collect();
        ids.dedup();
        ids
    };
    (of("findings"), of("undecided"))
}

fn shoot(now: &str, later: &str, version: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {
            "name": "demo",
            "namespace": "garden-dev",
            "annotations": { "gardener.cloud/operation": now, "maintenance.gardener.cloud/operation": later },
        },
        "spec": {
            "kubernetes": { "version": version, "kubeAPIServer": { "encryptionConfig": { "resources": ["configmaps."] } } },
            "provider": { "type": "local", "workers": [
                { "name": "a" },
                { "name": "b", "updateStrategy": "AutoInPlaceUpdate" },
            ] },
        },
    })
}

/// A status in which every rotation may start.
fn ready() -> Value {
    json!({
        "lastOperation": { "type": "Reconcile", "state": "Failed" },
        "credentials": { "encryptionAtRest": { "resources": ["configmaps"] } },
    })
}

fn in_phase(phase: &str) -> Value {
    let mut status = ready();
    for of in ["certificateAuthorities", "serviceAccountKey", "etcdEncryptionKey"] {
        status["credentials"]["rotation"][of]["phase"] = phase.into();
    }
    status
}

/// What is refused on an update of a Shoot that has a status.
fn refused(now: &str, later: &str, version: &str, status: &Value) -> Vec<String> {
    let new = shoot(now, later, version);
    let mut old = shoot("", "", version);
    old["status"] = status.clone();
    rules(&new, Some(&old), &json!({})).0
}

#[test]
fn operations_are_known_and_go_together() {
    for (now, later, wanted) in [
        ("", "", &[][..]),
        ("reconcile", "maintain", &[]),
        ("reconcile; rotate-ssh-keypair", "rotate-observability-credentials", &[]),
        ("rotate-ca-strat", "fly", &["001"]),
        ("reconcile;", "", &["001"]),
        ("maintain;reconcile", "fly", &["002"]),
        ("reconcile;retry", "", &["002"]),
        ("reconcile", "fly", &["003"]),
        ("reconcile", "retry;rotate-ca-start", &["004"]),
        ("reconcile", "rotate-ssh-keypair;reconcile", &["005"]),
        ("rotate-credentials-start;rotate-ca-start", "", &[]),
        ("rotate-credentials-start;rotate-ca-start-without-workers-rollout", "", &["007"]),
        ("rotate-credentials-start-without-workers-rollout;rotate-ca-start", "", &["007"]),
        ("rotate-ca-start;rotate-ca-start-without-workers-rollout", "", &["007"]),
        ("", "rotate-serviceaccount-key-start-without-workers-rollout;rotate-serviceaccount-key-start", &["007"]),
        ("rotate-ca-start", "rotate-credentials-start", &["010"]),
        ("rotate-ca-start", "rotate-serviceaccount-key-start", &[]),
        ("rotate-credentials-start", "rotate-ca-start", &["011"]),
    ] {
        assert_eq!(refused(now, later, "1.33.1", &ready()), wanted, "{now} {later}");
    }
}

#[test]
fn the_key_of_etcd_is_rotated_in_one_step_from_1_34_on() {
    let operation = "rotate-etcd-encryption-key-start";
    for (version, wanted) in [("1.33.9", &[][..]), ("1.34.0", &["006"]), ("x", &["006"])] {
        assert_eq!(refused(operation, "", version, &ready()), wanted, "{version}");
    }
    assert_eq!(refused("rotate-etcd-encryption-key", "", "1.34.0", &ready()), [""; 0]);
    // What nobody chose yet is undecided, where a person sends it.
    let mut sent = shoot(operation, "", "1");
    sent["spec"]["region"] = "eu-1".into();
    sent["spec"]["cloudProfile"] = json!({ "kind": "CloudProfile", "name": "cloud" });
    let (refused, undecided) = rules(&sent, None, &json!({ "request": true }));
    assert!(!refused.contains(&"006".to_owned()) && undecided.contains(&"006".to_owned()));
}

#[test]
fn the_state_of_the_shoot_allows_operations() {
    let mut asleep = ready();
    asleep["hibernated"] = true.into();
    let mut encrypting = ready();
    encrypting["credentials"]["encryptionAtRest"]["resources"] = json!(["secrets"]);
    let mut pending = ready();
    pending["inPlaceUpdates"]["pendingWorkerUpdates"]["manualInPlaceUpdate"] = json!(["b"]);
    let created = json!({ "lastOperation": { "type": "Create", "state": "Succeeded" } });
    let creating = json!({ "lastOperation": { "type": "Create", "state": "Processing" } });
    let waiting = in_phase("WaitingForWorkersRollout");
    for (operation, status, wanted) in [
        ("rotate-serviceaccount-key-start", &asleep, &["008"][..]),
        ("rollout-workers=a", &asleep, &["008"]),
        ("rotate-ca-start", &asleep, &[]),
        ("rotate-etcd-encryption-key", &encrypting, &["009"]),
        ("rotate-ca-start", &encrypting, &[]),
        ("rotate-ca-start", &created, &[]),
        ("rotate-credentials-start", &json!({}), &["009", "012"]),
        ("rotate-credentials-start", &in_phase("Prepared"), &["012"]),
        ("rotate-credentials-start", &in_phase("Completed"), &[]),
        ("rotate-credentials-complete", &in_phase("Completed"), &["013"]),
        ("rotate-credentials-complete", &in_phase("Prepared"), &[]),
        ("rotate-ca-start-without-workers-rollout", &creating, &["014"]),
        ("rotate-ca-complete", &ready(), &["015"]),
        ("rotate-ca-complete", &in_phase("Prepared"), &[]),
        ("rotate-serviceaccount-key-start", &creating, &["016"]),
        ("rotate-serviceaccount-key-complete", &ready(), &["017"]),
        ("rotate-serviceaccount-key-complete", &in_phase("Prepared"), &[]),
        ("rotate-etcd-encryption-key", &in_phase("Preparing"), &["018"]),
        ("rotate-etcd-encryption-key-complete", &ready(), &["019"]),
        ("rotate-etcd-encryption-key-complete", &in_phase("Prepared"), &[]),
        ("rotate-ca-start", &pending, &["020"]),
        ("rotate-etcd-encryption-key", &pending, &[]),
        ("rotate-rollout-workers=a", &ready(), &["021"]),
        ("rotate-rollout-workers=a,b", &waiting, &[]),
        ("rotate-rollout-workers", &waiting, &["022"]),
        ("rotate-rollout-workers=a,a", &waiting, &["022"]),
        ("rotate-rollout-workers=", &waiting, &["022"]),
        ("rollout-workers=a", &ready(), &[]),
        ("rollout-workers=*", &ready(), &["023"]),
        ("rollout-workers=*,a", &ready(), &["023"]),
        ("rollout-workersfoo", &ready(), &["023"]),
    ] {
        assert_eq!(refused(operation, "", "1.33.1", status), wanted, "{operation} {status}");
        assert_eq!(refused("", operation, "1.33.1", status), wanted, "in maintenance: {operation} {status}");
    }
}

#[test]
fn a_rotation_without_a_step_for_etcd_is_complete_without_it() {
    let mut status = in_phase("Prepared");
    status["credentials"]["rotation"]["etcdEncryptionKey"]["phase"] = "Completed".into();
    assert_eq!(refused("rotate-credentials-complete", "", "1.34.0", &status), [""; 0]);
    assert_eq!(refused("rotate-credentials-complete", "", "1.33.0", &status), ["013"]);
}

#[test]
fn a_new_shoot_has_no_status_and_that_of_a_manifest_is_not_known() {
    let new = shoot("rotate-ca-start", "", "1.33.1");
    assert_eq!(rules(&new, None, &json!({})).0, ["014"]);
    let context = json!({ "request": true });
    assert_eq!(rules(&new, Some(&new), &context), (vec![], vec!["014".to_owned()]));
    let mut stored = new.clone();
    stored["metadata"]["uid"] = "u".into();
    assert_eq!(rules(&new, Some(&stored), &context).0, ["014"]);
}

#[test]
fn of_a_shoot_that_is_deleted_the_maintenance_is_not_judged_by_its_state() {
    let mut new = shoot("rotate-ca-start", "rotate-etcd-encryption-key", "1.33.1");
    new["metadata"]["deletionTimestamp"] = "2026-05-31T00:00:00Z".into();
    assert_eq!(
        rules(&new, Some(&new), &json!({})).0,
        ["014", "009"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
    );
}

#[test]
fn many_operations_and_many_names_are_judged_at_once() {
    for operations in ["rotate-ca-start;", "rollout-workers=a,b,"] {
        let new = shoot(&operations.repeat(10_000), &operations.repeat(10_000), "1.33.1");
        assert!(!rules(&new, None, &json!({})).0.is_empty());
    }
}
