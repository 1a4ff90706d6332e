use serde_json::{Value, json};

use super::{refusals, with, workerless};

#[test]
fn maintenance_is_judged() {
    let window = |begin: &str, end: &str| json!({ "timeWindow": { "begin": begin, "end": end } });
    let rotation = |key: &str, period: &str| json!({ "autoRotation": { "credentials": { key: { "rotationPeriod": period } } } });
    for (maintenance, wanted) in [
        (window("220000+0100", "230000+0100"), vec![]),
        (window("230000+0000", "010000+0000"), vec![]),
        (window("000000+0000", "060000+0000"), vec![]),
        (window("220000+0100", "213000+0000"), vec![]),
        (window("", ""), vec!["GDN-MNT-006 spec.maintenance.timeWindow.begin/end"]),
        (window("220000+0100", "2300+0100"), vec!["GDN-MNT-006 spec.maintenance.timeWindow.begin/end"]),
        (json!({ "timeWindow": {} }), vec!["GDN-MNT-006 spec.maintenance.timeWindow.begin/end"]),
        (window("000000+0000", "060001+0000"), vec!["GDN-MNT-007 spec.maintenance.timeWindow"]),
        (window("220000+0100", "210000+0000"), vec!["GDN-MNT-007 spec.maintenance.timeWindow"]),
        (window("000000+0000", "002959+0000"), vec!["GDN-MNT-008 spec.maintenance.timeWindow"]),
        (rotation("observability", "0s"), vec![]),
        (rotation("sshKeypair", "30m"), vec![]),
        (rotation("etcdEncryptionKey", "2160h"), vec![]),
        (json!({ "autoRotation": { "credentials": { "sshKeypair": {} } } }), vec![]),
        (
            rotation("observability", "29m59s"),
            vec!["GDN-MNT-002 spec.maintenance.autoRotation.credentials.observability.rotationPeriod"],
        ),
        (
            rotation("sshKeypair", "2160h1s"),
            vec!["GDN-MNT-004 spec.maintenance.autoRotation.credentials.sshKeypair.rotationPeriod"],
        ),
        (
            rotation("etcdEncryptionKey", "-1h"),
            vec!["GDN-MNT-005 spec.maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod"],
        ),
        (json!({ "autoUpdate": { "machineImageVersion": true } }), vec![]),
    ] {
        let shoot = with(&[&json!({ "spec": { "maintenance": maintenance } })]);
        assert_eq!(refusals(&["GDN-MNT-"], &shoot, None, &json!({})), wanted, "{maintenance}");
    }
}

#[test]
fn without_workers_nodes_are_not_maintained() {
    for (maintenance, wanted) in [
        (json!({ "autoUpdate": { "kubernetesVersion": true } }), vec![]),
        (
            json!({ "autoUpdate": { "machineImageVersion": false } }),
            vec!["GDN-MNT-001 spec.maintenance.autoUpdate.machineImageVersion"],
        ),
        (
            json!({ "autoRotation": { "credentials": { "sshKeypair": { "rotationPeriod": "1s" } } } }),
            vec!["GDN-MNT-003 spec.maintenance.autoRotation.credentials.sshKeypair"],
        ),
    ] {
        let shoot = with(&[&workerless(), &json!({ "spec": { "maintenance": maintenance } })]);
        assert_eq!(refusals(&["GDN-MNT-"], &shoot, None, &json!({})), wanted, "{maintenance}");
    }
}

#[test]
fn receivers_of_alerts_are_judged() {
    let place = |rule: &str, index: usize| format!("{rule} spec.monitoring.alerting.emailReceivers[{index}]");
    for (receivers, wanted) in [
        (json!(["a@b.example", "A@b.example"]), vec![]),
        (json!(["a@b", null]), vec![place("GDN-MON-001", 0), place("GDN-MON-001", 1)]),
        (json!(["a@b.example", "a@b.example"]), vec![place("GDN-MON-002", 1)]),
    ] {
        let monitoring: Value = json!({ "alerting": { "emailReceivers": receivers } });
        let shoot = with(&[&json!({ "spec": { "monitoring": monitoring } })]);
        assert_eq!(refusals(&["GDN-MON-"], &shoot, None, &json!({})), wanted, "{receivers}");
    }
}
