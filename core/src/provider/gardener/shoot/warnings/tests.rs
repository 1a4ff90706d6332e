use serde_json::{Value, json};

/// A Shoot that Gardener accepts without a warning, with its defaults.
fn shoot() -> Value {
    let written = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": {
            "cloudProfile": { "kind": "CloudProfile", "name": "local" },
            "region": "eu-1",
            "purpose": "evaluation",
            "credentialsBindingName": "demo",
            "kubernetes": {
                "version": "1.33.2",
            },
            "maintenance": { "timeWindow": { "begin": "220000+0100", "end": "230000+0100" } },
            "networking": { "type": "calico" },
            "provider": {
                "type": "local",
                "workers": [{
                    "name": "a", "minimum": 1, "maximum": 1, "maxSurge": 1, "maxUnavailable": 0,
                    "updateStrategy": "AutoRollingUpdate",
                    "machine": { "type": "m", "architecture": "amd64", "image": { "name": "i", "version": "1.2.3" } },
                }],
            },
        },
    });
    let request = json!({ "object": written }).to_string();
    let answer: Value = serde_json::from_str(&crate::call("gardener", "default", &request)).unwrap();
    answer.get("object").unwrap().clone()
}

fn merged(object: &Value, patch: &Value) -> Value {
    let mut object = object.clone();
    json_patch::merge(&mut object, patch);
    object
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&crate::call("gardener", "validate", &request.to_string())).unwrap()
}

fn text<'f>(finding: &'f Value, key: &str) -> &'f str {
    finding.get(key).and_then(Value::as_str).unwrap()
}

/// The warnings about a Shoot.
fn warnings(request: &Value) -> Vec<Value> {
    let answer = ask(request);
    let findings = answer.get("findings").and_then(Value::as_array).unwrap_or_else(|| panic!("{answer}"));
    let errors: Vec<&Value> = findings
        .iter()
        .filter(|one| text(one, "severity") == "error" && text(one, "rule").starts_with("GDN-"))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    findings.iter().filter(|one| text(one, "rule").starts_with("WRN-")).cloned().collect()
}

/// The rules of the warnings about a Shoot.
fn rules(request: &Value) -> Vec<String> {
    warnings(request).iter().map(|one| text(one, "rule").to_owned()).collect()
}

fn kubernetes(part: &Value) -> Value {
    json!({ "spec": { "kubernetes": part } })
}

#[test]
fn fields_are_warned_of_where_a_later_version_refuses_them() {
    let version = |version: &str| kubernetes(&json!({ "version": version }));
    let bulk = kubernetes(&json!({ "clusterAutoscaler": { "maxEmptyBulkDelete": 5 } }));
    let named = json!({ "spec": { "cloudProfileName": "local" } });
    let ipvs = kubernetes(&json!({ "kubeProxy": { "mode": "IPVS" } }));
    let dns =
        |provider: Value| json!({ "spec": { "dns": { "domain": "a.example.com", "providers": [provider] } } });
    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "name": "dns" });
    let identity =
        json!({ "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "dns" });
    for (parts, wanted) in [
        (vec![], vec![]),
        (
            vec![
                version("1.32.1"),
                kubernetes(&json!({ "kubeControllerManager": { "podEvictionTimeout": "2m" } })),
            ],
            vec!["WRN-020"],
        ),
        (vec![version("1.32.1"), bulk.clone()], vec!["WRN-022"]),
        (vec![version("v1.32.9+x"), bulk], vec!["WRN-022"]),
        (vec![version("1.32.1"), named.clone()], vec![]),
        (vec![named], vec!["WRN-023"]),
        (vec![json!({ "spec": { "cloudProfileName": "" } })], vec![]),
        (vec![json!({ "spec": { "cloudProfileName": "local", "cloudProfile": null } })], vec!["WRN-023"]),
        (vec![json!({ "spec": { "addons": {} } })], vec!["WRN-024"]),
        (vec![version("1.34.1"), ipvs.clone()], vec![]),
        (vec![version("1.35.0"), ipvs.clone()], vec!["WRN-025"]),
        (vec![version("1.35.0"), ipvs, kubernetes(&json!({ "kubeProxy": { "enabled": false } }))], vec![]),
        (vec![kubernetes(&json!({ "kubeScheduler": { "kubeMaxPDVols": "30" } }))], vec!["WRN-027"]),
        (vec![json!({ "spec": { "secretBindingName": "old", "credentialsBindingName": null } })], vec!["WRN-028"]),
        (vec![json!({ "spec": { "secretBindingName": "" } })], vec!["WRN-028"]),
        (
            vec![kubernetes(&json!({ "kubeAPIServer": { "enableAnonymousAuthentication": true } }))],
            vec!["WRN-029"],
        ),
        (
            vec![kubernetes(&json!({ "kubeAPIServer": { "watchCacheSizes": { "default": 100 } } }))],
            vec!["WRN-030"],
        ),
        (vec![kubernetes(&json!({ "kubeAPIServer": { "watchCacheSizes": {} } }))], vec![]),
        (
            vec![dns(json!({ "type": "d", "primary": true, "secretName": "dns", "credentialsRef": secret }))],
            vec!["WRN-031"],
        ),
        (vec![dns(json!({ "type": "d", "primary": true, "credentialsRef": identity }))], vec![]),
    ] {
        let object = parts.iter().fold(shoot(), |object, part| merged(&object, part));
        assert_eq!(rules(&json!({ "object": object })), wanted, "{parts:?}");
        let of_scheduler = json!({ "object": object, "context": { "subresource": "binding" } });
        assert!(rules(&of_scheduler).is_empty(), "{parts:?}");
        // What is refused has no warning.
        let refused = json!({ "object": merged(&object, &json!({ "spec": { "region": null } })) });
        let answer = ask(&refused).to_string();
        assert!(answer.contains("GDN-SPEC-001") && !answer.contains("WRN-"), "{answer}");
    }
}

#[test]
fn a_fix_keeps_the_meaning_or_there_is_none() {
    for (part, fix) in [
        (
            json!({ "kubernetes": { "version": "1.32.1", "clusterAutoscaler": { "maxEmptyBulkDelete": 5 } } }),
            json!([
                { "op": "add", "path": "/spec/kubernetes/clusterAutoscaler/maxScaleDownParallelism", "value": 5 },
                { "op": "remove", "path": "/spec/kubernetes/clusterAutoscaler/maxEmptyBulkDelete" },
            ]),
        ),
        (
            json!({ "cloudProfileName": "local", "cloudProfile": null }),
            json!([
                { "op": "add", "path": "/spec/cloudProfile", "value": { "kind": "CloudProfile", "name": "local" } },
                { "op": "remove", "path": "/spec/cloudProfileName" },
            ]),
        ),
        (
            json!({ "cloudProfileName": "local" }),
            json!([
                { "op": "add", "path": "/spec/cloudProfile", "value": shoot()["spec"]["cloudProfile"] },
                { "op": "remove", "path": "/spec/cloudProfileName" },
            ]),
        ),
        (
            json!({ "addons": { "kubernetesDashboard": { "enabled": false } } }),
            json!([{ "op": "remove", "path": "/spec/addons" }]),
        ),
        (
            json!({ "addons": { "kubernetesDashboard": { "enabled": true, "authenticationMode": "token" } } }),
            Value::Null,
        ),
        (
            json!({ "kubernetes": { "kubeAPIServer": { "enableAnonymousAuthentication": false } } }),
            json!([{ "op": "remove", "path": "/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication" }]),
        ),
        (json!({ "kubernetes": { "kubeAPIServer": { "enableAnonymousAuthentication": true } } }), Value::Null),
    ] {
        let object = merged(&shoot(), &json!({ "spec": part }));
        let found = warnings(&json!({ "object": object }));
        assert_eq!(found.len(), 1, "{part}");
        assert_eq!(found.first().and_then(|one| one.get("fix")).unwrap_or(&Value::Null), &fix, "{part}");
    }
}

/// An update of the Shoot, of which some parts differ, and its stored version with further parts.
fn update(new: &Value, old: &Value) -> Value {
    let uid = json!({ "metadata": { "uid": "u", "resourceVersion": "1" } });
    let stored = merged(&merged(&shoot(), &uid), old);
    json!({ "object": merged(&stored, new), "oldObject": stored, "now": "2026-06-01T00:00:00Z" })
}

/// A Shoot that is so old, and what its status says of rotations.
fn stored(created: &str, rotation: &Value) -> Value {
    json!({
        "metadata": { "creationTimestamp": created },
        "status": {
            "lastOperation": { "type": "Reconcile", "state": "Succeeded", "description": "", "progress": 100, "lastUpdateTime": created },
            "credentials": { "rotation": rotation },
        },
    })
}

const LONG_AGO: &str = "2025-01-01T00:00:00Z";
/// To the second ninety days before the update, and a second more.
const NINETY_DAYS: &str = "2026-03-03T00:00:00Z";
const MORE: &str = "2026-03-02T23:59:59Z";

#[test]
fn credentials_are_due_after_ninety_days() {
    let all = |time: &str| {
        let one = json!({ "lastInitiationTime": time });
        json!({
            "certificateAuthorities": one, "etcdEncryptionKey": one, "observability": one, "serviceAccountKey": one,
            "sshKeypair": one,
        })
    };
    let every = vec!["WRN-002", "WRN-003", "WRN-004", "WRN-005", "WRN-006"];
    let closed = json!({ "spec": { "provider": { "workersSettings": { "sshAccess": { "enabled": false } } } } });
    let none = json!({});
    for (created, rotation, new, wanted) in [
        (NINETY_DAYS, Value::Null, none.clone(), vec![]),
        (MORE, Value::Null, none.clone(), vec!["WRN-001"]),
        (MORE, json!({}), none.clone(), every.clone()),
        (NINETY_DAYS, json!({}), none.clone(), vec![]),
        (LONG_AGO, all(NINETY_DAYS), none.clone(), vec![]),
        (LONG_AGO, all(MORE), none.clone(), every.clone()),
        (
            LONG_AGO,
            all(MORE),
            json!({ "spec": { "purpose": "testing" } }),
            vec!["WRN-002", "WRN-003", "WRN-005", "WRN-006"],
        ),
        (LONG_AGO, all(MORE), closed, vec!["WRN-002", "WRN-003", "WRN-004", "WRN-005"]),
    ] {
        let request = update(&new, &stored(created, &rotation));
        assert_eq!(rules(&request), wanted, "{created} {rotation} {new}");
        // A new Shoot has no credentials yet.
        assert!(rules(&merged(&request, &json!({ "oldObject": null }))).is_empty());
    }
    let detail = warnings(&update(&none, &stored(MORE, &Value::Null)));
    assert_eq!(
        text(detail.first().unwrap(), "detail"),
        "you should consider rotating the shoot credentials, see https://github.com/gardener/gardener/blob/master/docs/usage/\
         shoot-operations/shoot_credentials_rotation.md#gardener-provided-credentials for details"
    );
}

#[test]
fn a_rotation_is_to_be_completed_within_thirty_days() {
    let of = |times: Value| json!({ "certificateAuthorities": times, "etcdEncryptionKey": times, "serviceAccountKey": times });
    let all = vec!["WRN-010", "WRN-011", "WRN-012"];
    for (times, wanted) in [
        (json!({ "lastInitiationFinishedTime": "2026-05-02T00:00:00Z" }), vec![]),
        (json!({ "lastInitiationFinishedTime": "2026-05-01T23:59:59Z" }), all.clone()),
        (
            json!({
                "lastInitiationFinishedTime": "2026-05-01T00:00:00Z",
                "lastCompletionTriggeredTime": "2026-05-01T00:00:01Z",
            }),
            vec![],
        ),
        (
            json!({
                "lastInitiationFinishedTime": "2026-05-01T00:00:00Z",
                "lastCompletionTriggeredTime": "2026-05-01T00:00:00Z",
            }),
            all,
        ),
    ] {
        let young = stored("2026-05-31T00:00:00Z", &of(times.clone()));
        assert_eq!(rules(&update(&json!({}), &young)), wanted, "{times}");
    }
}

#[test]
fn what_is_not_known_of_a_stored_shoot_is_no_warning() {
    let old = stored(MORE, &Value::Null);
    let mut untimed = update(&json!({}), &old);
    untimed.as_object_mut().unwrap().remove("now");
    let answer = ask(&untimed);
    let open: Vec<&str> =
        answer.get("undecided").and_then(Value::as_array).unwrap().iter().map(|one| text(one, "rule")).collect();
    assert!(open.contains(&"WRN-001"), "{answer}");
    assert!(rules(&untimed).is_empty());
    // A manifest says neither how old the Shoot is nor what its status is.
    let mut manifest = update(&json!({}), &json!({}));
    assert!(rules(&manifest).is_empty());
    manifest = merged(
        &update(&json!({}), &old),
        &json!({
            "oldObject": { "metadata": { "uid": null }, "status": null }, "object": { "status": null }, "context": { "request": true },
        }),
    );
    assert!(rules(&manifest).is_empty());
}

#[test]
fn an_update_is_warned_of_what_it_switches() {
    let ipvs = kubernetes(&json!({ "kubeProxy": { "mode": "IPVS" } }));
    let none = json!({});
    let newer = kubernetes(&json!({ "version": "1.35.1" }));
    for (new, old, wanted) in [
        (&ipvs, &none, vec!["WRN-026"]),
        (&none, &ipvs, vec![]),
        (&merged(&ipvs, &newer), &newer, vec!["WRN-025"]),
    ] {
        assert_eq!(rules(&update(new, old)), wanted, "{new} {old}");
    }
    let prepared = json!({ "etcdEncryptionKey": { "phase": "Prepared" } });
    let old = merged(&stored("2026-05-31T00:00:00Z", &prepared), &json!({ "metadata": { "annotations": {} } }));
    let asked =
        |operation: &str| json!({ "metadata": { "annotations": { "gardener.cloud/operation": operation } } });
    for (operation, wanted) in [
        ("rotate-etcd-encryption-key-complete", vec!["WRN-021"]),
        ("rotate-etcd-encryption-key-complete;reconcile", vec![]),
    ] {
        assert_eq!(rules(&update(&asked(operation), &old)), wanted, "{operation}");
    }
}
