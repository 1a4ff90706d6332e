use serde_json::{Value, json};

use super::{refusals, with};

#[test]
fn schedules_are_judged() {
    let place = |rule: &str, index: usize, key: &str| format!("{rule} spec.hibernation.schedules[{index}].{key}");
    for (schedules, wanted) in [
        (json!([{ "start": "00 20 * * 1,2,3,4,5", "end": "0 8 * * mon", "location": "Europe/Berlin" }]), vec![]),
        (json!([{ "end": "@daily", "location": "" }, { "start": "0 8 * * 1" }]), vec![]),
        (json!([{ "location": "UTC" }]), vec![place("GDN-HIB-002", 0, "start/end")]),
        (
            json!([{ "start": "", "end": "0 0 * * 7" }]),
            vec![place("GDN-HIB-003", 0, "start"), place("GDN-HIB-003", 0, "end")],
        ),
        (
            json!([{ "start": "0 8 * * 1", "end": "0 8 * * 1" }, { "end": "0 8 * * 1" }, { "end": "0  8 * * 1" }]),
            vec![place("GDN-HIB-004", 0, "end"), place("GDN-HIB-004", 1, "end")],
        ),
        (
            json!([{ "start": "x" }, { "start": "x" }]),
            vec![place("GDN-HIB-003", 0, "start"), place("GDN-HIB-003", 1, "start")],
        ),
        (json!([{ "start": "@daily", "location": "Mars/Phobos" }]), vec![place("GDN-HIB-005", 0, "location")]),
    ] {
        let shoot = with(&[&json!({ "spec": { "hibernation": { "schedules": schedules } } })]);
        assert_eq!(refusals(&["GDN-HIB-"], &shoot, None, &json!({})), wanted, "{schedules}");
    }
}

#[test]
fn operations_of_the_next_maintenance_keep_a_shoot_awake() {
    let key = "maintenance.gardener.cloud/operation";
    for (operations, is_enabled, count) in [
        ("rotate-credentials-start", true, 1),
        ("rotate-ca-start; rotate-etcd-encryption-key ;rotate-serviceaccount-key-start", true, 2),
        ("rotate-ca-start", true, 0),
        ("rotate-credentials-start", false, 0),
        ("", true, 0),
    ] {
        let shoot = with(&[&json!({
            "metadata": { "annotations": { key: operations } },
            "spec": { "hibernation": { "enabled": is_enabled } },
        })]);
        let wanted = vec!["GDN-HIB-001 spec.hibernation.enabled"; count];
        assert_eq!(refusals(&["GDN-HIB-"], &shoot, None, &json!({})), wanted, "{operations} {is_enabled}");
    }
}

#[test]
fn a_shoot_goes_to_sleep_when_its_data_are_encrypted() {
    let enabled = json!({ "spec": { "hibernation": { "enabled": true } } });
    let phase = |credential: &str, phase: &str| json!({ "status": { "credentials": { "rotation": { credential: { "phase": phase } } } } });
    let encrypted = |wanted: Value, found: Value| {
        json!({
            "spec": { "kubernetes": { "kubeAPIServer": { "encryptionConfig": { "resources": wanted } } } },
            "status": { "credentials": { "encryptionAtRest": { "resources": found } } },
        })
    };
    for (old, wanted) in [
        (json!({}), None),
        (phase("etcdEncryptionKey", "Prepared"), None),
        (phase("etcdEncryptionKey", "Preparing"), Some("GDN-UPD-090")),
        (phase("etcdEncryptionKey", "PreparingWithoutWorkersRollout"), None),
        (phase("serviceAccountKey", "PreparingWithoutWorkersRollout"), Some("GDN-UPD-091")),
        (phase("certificateAuthorities", "Completing"), None),
        (encrypted(json!(["configmaps", "a.b"]), json!(["a.b", "configmaps."])), None),
        (encrypted(json!(["configmaps"]), json!([])), Some("GDN-UPD-092")),
        (encrypted(json!(["configmaps"]), json!(["configmaps.", "a.b"])), Some("GDN-UPD-092")),
    ] {
        let wanted: Vec<String> = wanted.iter().map(|rule| format!("{rule} spec.hibernation.enabled")).collect();
        let section = &["GDN-UPD-09"];
        assert_eq!(refusals(section, &with(&[&old, &enabled]), Some(&with(&[&old])), &json!({})), wanted, "{old}");
        // A Shoot that sleeps already goes on sleeping.
        let asleep = with(&[&old, &enabled]);
        assert_eq!(refusals(section, &asleep, Some(&asleep), &json!({})), [""; 0], "{old}");
    }
}
