//! The rules on the API server: admission plug-ins, APIs, authentication, requests and encryption.

use serde_json::{Value, json};

use super::{MIDDLE, NEW, judge, row, rules, set, shoot};

#[test]
fn admission_plug_ins() {
    let pod_security = |config: Value| json!([{ "name": "PodSecurity", "config": config }]);
    let right = json!({
        "apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration",
        "defaults": { "enforce": "whatever", "audit": null }, "exemptions": { "namespaces": ["kube-system"] }, "x": 1,
    });
    let with = |key: &str, value: Value| {
        let mut config = right.clone();
        config[key] = value;
        pod_security(config)
    };
    let row = row("kubernetes.kubeAPIServer.admissionPlugins");
    judge(
        MIDDLE,
        true,
        vec![
            row(
                json!([{ "name": "AlwaysPullImages", "disabled": true }]),
                json!([{ "name": "" }, { "name": "Foo" }]),
                &["GDN-API-003"],
            ),
            row(
                json!([{ "name": "ResourceQuota", "config": 1 }]),
                json!([{ "name": "podsecurity" }]),
                &["GDN-API-004"],
            ),
            row(
                json!([{ "name": "PodTopologyLabels" }]),
                json!([{ "name": "PersistentVolumeLabel", "config": {} }]),
                &["GDN-API-005"],
            ),
            row(
                json!([{ "name": "ImagePolicyWebhook", "kubeconfigSecretName": "a" }]),
                json!([{ "name": "NodeRestriction", "config": {}, "disabled": true, "kubeconfigSecretName": "" }]),
                &["GDN-API-006", "GDN-API-007", "GDN-API-008"],
            ),
            row(pod_security(right.clone()), with("kind", json!("Foo")), &["GDN-API-009"]),
            row(pod_security(right.clone()), pod_security(json!({})), &["GDN-API-010"]),
            row(with("defaults", Value::Null), with("defaults", json!({ "warn": 1 })), &["GDN-API-010"]),
            row(with("exemptions", json!({})), with("exemptions", json!({ "usernames": "a" })), &["GDN-API-010"]),
            row(with("x", json!(2)), with("kind", json!(1)), &["GDN-API-010"]),
        ],
    );
    let mut object = shoot("1.33.x", true);
    set(&mut object, "kubernetes.kubeAPIServer.admissionPlugins", &json!([{ "name": "" }]));
    assert_eq!(rules(&object, None).iter().filter(|rule| rule.starts_with("GDN-API")).count(), 1);
}

#[test]
fn apis() {
    let row = row("kubernetes.kubeAPIServer.runtimeConfig");
    judge(
        MIDDLE,
        true,
        vec![
            row(
                json!({ "batch/v1": false }),
                json!({ "foo/v1": true, "a/b/c/d": true }),
                &["GDN-API-011", "GDN-API-011"],
            ),
            row(
                json!({ "networking.k8s.io/v1alpha1": true }),
                json!({ "resource.k8s.io/v1": true }),
                &["GDN-API-012"],
            ),
            row(
                json!({ "apps/v1": true }),
                json!({ "apps/v1/daemonsets": false, "v1": null }),
                &["GDN-API-013", "GDN-API-013"],
            ),
            row(
                json!({ "events.k8s.io/v1beta1": false }),
                json!({ "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations": false }),
                &["GDN-API-013"],
            ),
        ],
    );
}

#[test]
fn who_may_ask_the_api_server() {
    judge(
        MIDDLE,
        true,
        vec![
            (
                "kubernetes.kubeAPIServer",
                json!({ "structuredAuthentication": { "configMapName": "a" } }),
                json!({
                    "structuredAuthentication": {},
                    "featureGates": { "StructuredAuthenticationConfiguration": false },
                }),
                &["GDN-API-016", "GDN-API-017"],
            ),
            (
                "kubernetes.kubeAPIServer.structuredAuthorization",
                json!({ "configMapName": "a", "kubeconfigs": [{ "authorizerName": "a", "secretName": "b" }] }),
                json!({ "configMapName": "a" }),
                &["GDN-API-020"],
            ),
            (
                "kubernetes.kubeAPIServer",
                json!({ "featureGates": { "StructuredAuthorizationConfiguration": true } }),
                json!({
                    "structuredAuthorization": {},
                    "featureGates": { "StructuredAuthorizationConfiguration": null },
                }),
                &["GDN-API-018", "GDN-API-019", "GDN-FG-004"],
            ),
            (
                "kubernetes.kubeAPIServer.serviceAccountConfig",
                json!({ "maxTokenExpiration": "0s", "issuer": "https://a.example.com" }),
                json!({ "maxTokenExpiration": "-1s", "issuer": "foo" }),
                &["GDN-API-031", "GDN-API-034", "GDN-API-034"],
            ),
            (
                "kubernetes.kubeAPIServer.serviceAccountConfig",
                json!({ "maxTokenExpiration": "720h", "issuer": "HTTPS://a.example.com/x" }),
                json!({ "maxTokenExpiration": "719h", "issuer": "https://@a?x#y" }),
                &["GDN-API-032", "GDN-API-034", "GDN-API-034", "GDN-API-034"],
            ),
            (
                "kubernetes.kubeAPIServer.serviceAccountConfig",
                json!({ "maxTokenExpiration": "2160h", "issuer": "https://a", "acceptedIssuers": ["https://b"] }),
                json!({
                    "maxTokenExpiration": "2161h", "issuer": "https://a",
                    "acceptedIssuers": ["https://a", "http://b", "https://a"],
                }),
                &["GDN-API-033", "GDN-API-036", "GDN-API-035", "GDN-API-036", "GDN-API-037"],
            ),
            (
                "kubernetes.kubeAPIServer.apiAudiences",
                json!(["a", "b"]),
                json!(["a", "b,c", "a"]),
                &["GDN-API-040", "GDN-API-039"],
            ),
        ],
    );
}

#[test]
fn accepted_issuers_that_are_stored_are_kept() {
    let mut object = shoot(MIDDLE, true);
    let place = "kubernetes.kubeAPIServer.serviceAccountConfig.acceptedIssuers";
    set(&mut object, place, &json!(["http://a"]));
    assert_eq!(rules(&object, None), ["GDN-API-035"]);
    assert_eq!(rules(&object, Some(&object)).iter().filter(|rule| rule.starts_with("GDN-API")).count(), 0);
}

#[test]
fn the_api_server_itself() {
    judge(
        MIDDLE,
        true,
        vec![
            (
                "kubernetes.kubeAPIServer.auditConfig.auditPolicy.configMapRef",
                json!({ "name": "a.b", "namespace": "" }),
                json!({ "name": "", "namespace": "a.b" }),
                &["GDN-API-014", "GDN-API-015"],
            ),
            (
                "kubernetes.kubeAPIServer.auditConfig.auditPolicy.configMapRef",
                json!({ "name": "a", "namespace": "b" }),
                json!({ "name": "A" }),
                &["GDN-API-014"],
            ),
            (
                "kubernetes.kubeAPIServer.watchCacheSizes",
                json!({ "default": 0, "resources": [{ "apiGroup": "apps", "resource": "deployments", "size": 0 }] }),
                json!({
                    "default": -1,
                    "resources": [
                        { "resource": "", "size": -1 },
                        { "resource": "A.b", "apiGroup": "A b", "size": 1 },
                    ],
                }),
                &[
                    "GDN-API-021",
                    "GDN-API-022",
                    "GDN-API-024",
                    "GDN-API-022",
                    "GDN-API-022",
                    "GDN-API-023",
                    "GDN-API-023",
                ],
            ),
            (
                "kubernetes.kubeAPIServer",
                json!({ "logging": { "verbosity": 0 }, "defaultNotReadyTolerationSeconds": 0 }),
                json!({
                    "logging": { "verbosity": -1, "httpAccessVerbosity": -1 },
                    "defaultNotReadyTolerationSeconds": -1, "defaultUnreachableTolerationSeconds": -1,
                }),
                &["GDN-API-025", "GDN-API-025", "GDN-API-027", "GDN-API-027"],
            ),
            (
                "kubernetes.kubeAPIServer.requests",
                json!({ "maxNonMutatingInflight": 5000, "maxMutatingInflight": 2500 }),
                json!({ "maxNonMutatingInflight": 5001, "maxMutatingInflight": 2501 }),
                &["GDN-API-028", "GDN-API-029"],
            ),
            (
                "kubernetes.kubeAPIServer.requests",
                json!({ "maxNonMutatingInflight": 0, "maxMutatingInflight": 0 }),
                json!({ "maxNonMutatingInflight": -1, "maxMutatingInflight": -1 }),
                &["GDN-API-028", "GDN-API-029"],
            ),
            ("kubernetes.kubeAPIServer.eventTTL", json!("0s"), json!("-1s"), &["GDN-API-026"]),
            ("kubernetes.kubeAPIServer.eventTTL", json!("24h"), json!("25h"), &["GDN-API-026"]),
        ],
    );
    judge(
        NEW,
        true,
        vec![
            (
                "kubernetes.kubeAPIServer.enableAnonymousAuthentication",
                Value::Null,
                json!(false),
                &["GDN-API-001"],
            ),
            ("kubernetes.kubeAPIServer.watchCacheSizes.default", Value::Null, json!(1), &["GDN-API-021"]),
        ],
    );
}

#[test]
fn encryption() {
    let row = row("kubernetes.kubeAPIServer.encryptionConfig");
    judge(
        MIDDLE,
        true,
        vec![
            row(
                json!({ "resources": ["configmaps", "deployments.apps"], "provider": { "type": "secretbox" } }),
                json!({ "resources": ["Pods", "serviceipallocations", "foo.", "*.apps"] }),
                &["GDN-ENC-001", "GDN-ENC-002", "GDN-ENC-003", "GDN-ENC-004"],
            ),
            row(
                json!({ "resources": ["events"] }),
                json!({ "resources": ["x.events.k8s.io", "ingresses.extensions"] }),
                &["GDN-ENC-005", "GDN-ENC-006"],
            ),
            row(
                json!({ "resources": [] }),
                json!({ "resources": ["configmaps", "secrets", "configmaps."] }),
                &["GDN-ENC-008", "GDN-ENC-003", "GDN-ENC-007"],
            ),
            row(
                json!({ "provider": { "type": "aescbc" } }),
                json!({ "provider": { "type": "aes" } }),
                &["GDN-ENC-009"],
            ),
            row(json!({}), json!({ "provider": { "type": "aesgcm" } }), &["GDN-ENC-010"]),
        ],
    );
    let mut object = shoot(MIDDLE, true);
    set(&mut object, "kubernetes.kubeAPIServer.encryptionConfig.provider.type", &json!("aesgcm"));
    let rotation = "maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod";
    for (period, expected) in [("672h", vec![]), ("0s", vec!["GDN-ENC-010"])] {
        set(&mut object, rotation, &json!(period));
        assert_eq!(rules(&object, None), expected, "{period}");
    }
}

#[test]
fn encryption_changes_one_step_at_a_time() {
    let place = "kubernetes.kubeAPIServer.encryptionConfig";
    let mut old = shoot(MIDDLE, true);
    // Gardener fills it in when it stores the Shoot.
    set(&mut old, "kubernetes.kubeControllerManager.nodeCIDRMaskSize", &json!(24));
    set(&mut old, place, &json!({ "resources": ["configmaps"], "provider": { "type": "aescbc" } }));
    let done = json!({ "credentials": {
        "encryptionAtRest": { "resources": ["configmaps."], "provider": { "type": "aescbc" } },
        "rotation": { "etcdEncryptionKey": { "phase": "Completed" } },
    } });
    let mut new = old.clone();
    set(&mut new, place, &json!({ "resources": ["events"], "provider": { "type": "aescbc" } }));
    let ask = |new: &Value, old: &Value, status: &Value| {
        let [mut new, mut old] = [new.clone(), old.clone()];
        (new["status"], old["status"]) = (status.clone(), status.clone());
        rules(&new, Some(&old))
    };
    assert_eq!(ask(&new, &old, &done), [""; 0]);
    let mut other = done.clone();
    other["credentials"]["rotation"]["etcdEncryptionKey"]["phase"] = json!("Preparing");
    assert_eq!(ask(&new, &old, &other), ["GDN-UPD-070"]);
    for (key, value) in [("resources", json!([])), ("provider", json!({}))] {
        let mut other = done.clone();
        other["credentials"]["encryptionAtRest"][key] = value;
        assert_eq!(ask(&new, &old, &other), ["GDN-UPD-071"], "{key}");
        assert_eq!(ask(&old, &old, &other), [""; 0], "{key}");
    }
    let mut asleep = new.clone();
    set(&mut asleep, "hibernation.enabled", &json!(true));
    assert_eq!(ask(&asleep, &old, &done), ["GDN-UPD-072"]);
    set(&mut new, place, &json!({ "resources": ["configmaps"], "provider": { "type": "secretbox" } }));
    assert_eq!(ask(&new, &old, &done), ["GDN-UPD-073"]);
}
