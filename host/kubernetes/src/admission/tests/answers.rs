//! What a person gets to read, in each mode, and what the server asks garden and cloud for.

use serde_json::{Value, json};

use super::world::{PROVIDER, Running, World};
use crate::admission::Mode;
use crate::admission::published::Published;
use crate::api_server::resource::{CONFIG_MAPS, SECRETS};
use crate::controller::runtime::testing::{Server, merge};
use crate::webhook::testing::review;
use trellis_policies::engine::{Native, Versions};
use trellis_policies::source;

/// The objects of an example.
fn example(text: &str, kind: &str) -> Value {
    let (_, documents) = source::read("example", text.as_bytes()).unwrap();
    let mut values = documents.iter().map(|document| serde_json::from_str::<Value>(&document.to_json()).unwrap());
    values.find(|value| value["kind"] == kind).unwrap()
}

fn broken() -> Value {
    let mut shoot = example(include_str!("../../../../../examples/five-mistakes.yaml"), "Shoot");
    shoot["metadata"]["namespace"] = json!("garden-dev");
    shoot
}

/// A Shoot without a mistake, with this change.
fn good(change: Value) -> Value {
    let api = "alicloud.provider.extensions.gardener.cloud/v1alpha1";
    let mut shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": "good", "namespace": "garden-dev" },
        "spec": {
            "cloudProfileName": "alicloud", "region": "eu-central-1", "secretBindingName": "core-alicloud",
            "kubernetes": { "version": "1.33.0" },
            "networking": { "type": "calico", "nodes": "10.250.0.0/16", "pods": "10.96.0.0/11", "services": "192.168.0.0/17" },
            "provider": {
                "type": PROVIDER,
                "controlPlaneConfig": { "apiVersion": api, "kind": "ControlPlaneConfig" },
                "infrastructureConfig": {
                    "apiVersion": api, "kind": "InfrastructureConfig",
                    "networks": {
                        "vpc": { "cidr": "10.250.0.0/16" },
                        "zones": [{ "name": "eu-central-1a", "workers": "10.250.0.0/19" }],
                    },
                },
                "workers": [{
                    "name": "a", "minimum": 1, "maximum": 2, "zones": ["eu-central-1a"],
                    "machine": { "type": "ecs.sn2ne.large", "image": { "name": "gardenlinux", "version": "1.0.0" } },
                    "volume": { "type": "cloud_efficiency", "size": "50Gi" },
                }],
            },
        },
    });
    merge(&mut shoot, change);
    shoot
}

fn profile() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": { "name": "alicloud" },
        "spec": {
            "type": PROVIDER,
            "providerConfig": {
                "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
                "machineImages": [{
                    "name": "gardenlinux",
                    "versions": [{ "version": "1.0.0", "regions": [{ "name": "eu-central-1", "id": "m-1" }] }],
                }],
            },
        },
    })
}

async fn create(running: &Running, path: &str, object: &Value) -> Value {
    running.caller.review(path, &review("CREATE", object, &Value::Null)).await
}

async fn update(running: &Running, object: &Value, old: &Value) -> Value {
    running.caller.review("/webhooks/validate", &review("UPDATE", object, old)).await
}

fn message(reported: &Value) -> &str {
    reported["status"]["message"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_broken_shoot_is_refused_with_every_finding_and_its_remedy() {
    let running = World::new().start(Mode::Enforce).await;
    let reported = create(&running, "/webhooks/validate", &broken()).await;
    assert_eq!((&reported["allowed"], &reported["status"]["code"]), (&json!(false), &json!(403)));
    let text = message(&reported);
    assert!(
        text.starts_with("5 errors\n- networks.zones[0].workers: Invalid value: \"10.250.1.0/19\": "),
        "{text}"
    );
    assert!(text.contains("(ALI-INF-003). Write the first address of the range: `10.250.0.0/19`"), "{text}");
    let rules = "ALI-INF-003,ALI-INF-007,ALI-INF-016,ALI-WRK-008,ALI-WRK-010";
    assert_eq!(reported["auditAnnotations"]["errors"], rules);
    let metrics = running.metrics.text();
    let row = r#"trellis_webhook_review_seconds_count{webhook="validator",kind="Shoot",verdict="denied"} 1"#;
    assert!(metrics.contains(row), "{metrics}");
}

#[tokio::test]
async fn in_warn_mode_everything_is_admitted_with_warnings() {
    let running = World::new().start(Mode::Warn).await;
    let reported = create(&running, "/webhooks/validate", &broken()).await;
    assert_eq!(reported["allowed"], true);
    let warnings = reported["warnings"].to_string();
    assert!(warnings.contains("5 errors") && warnings.contains("ALI-WRK-010"), "{warnings}");
    assert!(reported["auditAnnotations"]["errors"].as_str().unwrap().contains("ALI-WRK-010"));
    let old = json!({ "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "spec": [] });
    assert_eq!(create(&running, "/webhooks/mutate", &old).await["allowed"], true);
}

#[tokio::test]
async fn in_ratchet_mode_only_new_errors_refuse_an_update() {
    let world = World::new();
    let old = good(json!({ "spec": { "networking": { "pods": "10.250.0.0/17" } } }));
    let mut later = old.clone();
    later["spec"]["provider"]["workers"][0]["maximum"] = json!(3);
    let mut worse = later.clone();
    worse["spec"]["provider"]["workers"][0]["volume"] = Value::Null;
    // The stored object breaks a rule of workers, which updates judge as creations do.
    let mut stored = later.clone();
    stored["spec"]["provider"]["workers"][0]["zones"] = json!(["eu-central-1z"]);
    let mut same = stored.clone();
    same["spec"]["provider"]["workers"][0]["maximum"] = json!(4);
    let mut new = same.clone();
    new["spec"]["provider"]["workers"][0]["volume"] = Value::Null;
    for (mode, object, allowed) in [
        (Mode::Enforce, &same, false),
        (Mode::Ratchet, &same, true),
        (Mode::Ratchet, &new, false),
        (Mode::Warn, &new, true),
    ] {
        let running = world.start(mode).await;
        let reported = update(&running, object, &stored).await;
        assert_eq!(reported["allowed"], allowed, "{mode}: {reported}");
        let warns = reported["warnings"].to_string().contains("ALI-WRK-010");
        assert_eq!(warns, mode != Mode::Enforce, "{mode}: {reported}");
        // A creation has no excuse.
        let created = create(&running, "/webhooks/validate", &stored).await;
        assert_eq!(created["allowed"], mode == Mode::Warn, "{mode}");
        // Who deletes a broken Shoot removes its finalizers.
        let mut deleted = new.clone();
        deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        assert_eq!(update(&running, &deleted, &stored).await["allowed"], true);
    }
}

#[tokio::test]
async fn garden_and_cloud_are_asked_only_for_what_is_open() {
    let world = World::new();
    world.put_only_profile(profile());
    let running = world.start(Mode::Enforce).await;
    for (owner, encrypted) in [("system", false), ("self", true)] {
        world.owned_by(owner);
        let reported = create(&running, "/webhooks/mutate", &good(json!({}))).await;
        assert_eq!(reported["allowed"], true, "{reported}");
        assert_eq!(
            reported["auditAnnotations"]["defaults"].to_string().contains("ALI-DEF-010"),
            encrypted,
            "{reported}"
        );
        assert_eq!(
            world.requests(),
            [
                "GET /apis/core.gardener.cloud/v1beta1/cloudprofiles/alicloud",
                "GET /apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/secretbindings/core-alicloud",
                "GET /api/v1/namespaces/credentials/secrets/key",
                "DescribeImages",
            ]
        );
    }
    let mut decided = good(json!({}));
    decided["spec"]["provider"]["workers"][0]["volume"]["encrypted"] = json!(false);
    assert_eq!(create(&running, "/webhooks/mutate", &decided).await["allowed"], true);
    assert_eq!(create(&running, "/webhooks/validate", &decided).await["allowed"], true);
    assert_eq!(world.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn new_zones_are_compared_with_what_the_cloud_has() {
    let world = World::new();
    let running = world.start(Mode::Enforce).await;
    let mut old = good(json!({}));
    old["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"] = json!({ "id": "vpc-1" });
    let mut new = old.clone();
    let zone = json!({ "name": "eu-central-1b", "workers": "10.250.32.0/19" });
    new["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"].as_array_mut().unwrap().push(zone);
    assert_eq!(update(&running, &new, &old).await["allowed"], true);
    let vswitch = json!([{ "VSwitchId": "vsw-1", "CidrBlock": "10.250.40.0/24" }]);
    world.says("DescribeVSwitches", json!({ "VSwitches": { "VSwitch": vswitch }, "TotalCount": 1 }));
    let reported = update(&running, &new, &old).await;
    assert!(message(&reported).contains("conflicts with existing vswitch vsw-1"), "{reported}");
}

#[tokio::test]
async fn what_cannot_be_decided_in_time_is_refused_for_now() {
    let ask = async |mode: Mode, allowed: bool, silence: fn(&World)| {
        let world = World::new();
        world.put_only_profile(profile());
        let running = world.start(mode).await;
        silence(&world);
        let reported = create(&running, "/webhooks/mutate?timeout=5s", &good(json!({}))).await;
        assert_eq!(
            (&reported["allowed"], &reported["patch"]),
            (&json!(allowed), &Value::Null),
            "{mode}: {reported}"
        );
        let words = if allowed { reported["warnings"].to_string() } else { message(&reported).to_owned() };
        assert!(words.contains("could not be decided in time, try again: worker pool a: "), "{mode}: {reported}");
        assert!(reported["auditAnnotations"]["undecided"].to_string().contains("ALI-DEF-010"), "{reported}");
        assert_eq!(create(&running, "/webhooks/validate", &good(json!({}))).await["allowed"], true);
        words
    };
    let (cloud, garden, warned) = tokio::join!(
        ask(Mode::Enforce, false, World::silence_cloud),
        ask(Mode::Ratchet, false, World::silence_garden),
        ask(Mode::Warn, true, World::silence_cloud),
    );
    assert!(cloud.contains("DescribeImages") && warned.contains("DescribeImages"), "{cloud} {warned}");
    assert!(garden.contains("CloudProfile `alicloud` was not read in time"), "{garden}");
}

#[tokio::test]
async fn what_is_missing_for_good_is_reported_and_no_retry_is_asked_for() {
    let world = World::new();
    world.put_only_profile(profile());
    let running = world.start(Mode::Enforce).await;
    let shoot = good(json!({ "spec": { "secretBindingName": "none" } }));
    let reported = create(&running, "/webhooks/mutate", &shoot).await;
    let words = "secretbindings.core.gardener.cloud \"none\" not found";
    assert!(message(&reported).contains(words) && !message(&reported).contains("try again"), "{reported}");
    world.put_only_profile(Value::Null);
    let reported = create(&running, "/webhooks/mutate", &good(json!({}))).await;
    assert_eq!(message(&reported), "/spec/cloudProfile: cloudprofiles.core.gardener.cloud \"alicloud\" not found");
}

#[tokio::test]
async fn secrets_are_judged_by_their_values_and_no_answer_has_one() {
    let world = World::new();
    let running = world.start(Mode::Enforce).await;
    let secret = |data: Value| {
        json!({
            "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
            "metadata": { "name": "s", "namespace": "n", "labels": { "provider.shoot.gardener.cloud/alicloud": "true" } },
            "data": data,
        })
    };
    let path = "/webhooks/validate/secrets";
    let bad = secret(json!({ "accessKeyID": "Y2FuYXJ5IQ==", "accessKeySecret": "Y2FuYXJ5IQ==" }));
    let reported = create(&running, path, &bad).await;
    assert_eq!(reported["allowed"], false);
    assert!(message(&reported).contains("in secret n/s"), "{reported}");
    for value in ["Y2FuYXJ5IQ==", "canary!"] {
        assert!(!reported.to_string().contains(value), "{reported}");
    }
    let unchanged = running.caller.review(path, &review("UPDATE", &bad, &bad)).await;
    assert_eq!(unchanged["allowed"], true);

    let binding = |name: &str| {
        json!({
            "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "CredentialsBinding",
            "metadata": { "name": "b", "namespace": "garden-dev" }, "provider": { "type": PROVIDER },
            "credentialsRef": { "apiVersion": "v1", "kind": "Secret", "namespace": "credentials", "name": name },
        })
    };
    world.requests();
    assert_eq!(create(&running, "/webhooks/validate", &binding("key")).await["allowed"], true);
    assert_eq!(world.requests(), ["GET /api/v1/namespaces/credentials/secrets/key"]);
    let reported = create(&running, "/webhooks/validate", &binding("none")).await;
    assert!(message(&reported).contains("secrets \"none\" not found"), "{reported}");
    let mut bad = bad;
    bad["metadata"] = json!({ "namespace": "credentials", "name": "bad" });
    world.put(&SECRETS, bad);
    let reported = create(&running, "/webhooks/validate", &binding("bad")).await;
    assert!(reported["allowed"] == false && !reported.to_string().contains("canary"), "{reported}");
}

#[tokio::test]
async fn another_providers_object_is_left_to_its_own_admission() {
    let running = World::new().start(Mode::Enforce).await;
    let mut shoot = broken();
    shoot["spec"]["provider"]["type"] = json!("aws");
    for path in ["/webhooks/validate", "/webhooks/mutate"] {
        let reported = create(&running, path, &shoot).await;
        assert_eq!((&reported["allowed"], &reported["warnings"]), (&json!(true), &Value::Null), "{reported}");
    }
}

#[tokio::test]
async fn an_object_that_the_cloud_has_no_rules_for_is_admitted() {
    let running = World::new().start(Mode::Enforce).await;
    let identity = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity",
        "metadata": { "name": "w", "namespace": "garden-dev" },
        "spec": { "audiences": ["a"], "targetSystem": { "type": PROVIDER } },
    });
    let reported = create(&running, "/webhooks/validate", &identity).await;
    assert_eq!(reported["allowed"], true, "{reported}");
}

#[tokio::test]
async fn a_config_map_says_which_policy_judges() {
    let server = Server::default();
    let published = Published {
        client: server.client(),
        namespace: "public".to_owned(),
        provider: PROVIDER.to_owned(),
        mode: Mode::Ratchet,
        policies: std::sync::Arc::new(Versions::new(std::sync::Arc::new(Native))),
    };
    published.write().await.unwrap();
    let map = server.object(&CONFIG_MAPS, "public", "trellis-admission-alicloud").unwrap();
    assert_eq!((&map["data"]["provider"], &map["data"]["mode"]), (&json!(PROVIDER), &json!("ratchet")));
    assert!(map["data"]["version"].as_str().is_some_and(|version| !version.is_empty()), "{map}");
    let writes =
        |requests: Vec<String>| requests.into_iter().filter(|request| !request.starts_with("GET")).count();
    assert_eq!(writes(server.requests()), 1);
    published.write().await.unwrap();
    assert_eq!(writes(server.requests()), 0);
}

#[tokio::test]
async fn where_the_config_map_may_not_be_written_the_right_is_named_and_what_it_costs() {
    let published = Published {
        client: Server::default().failing(0, 403).client(),
        namespace: "public".to_owned(),
        provider: PROVIDER.to_owned(),
        mode: Mode::Ratchet,
        policies: std::sync::Arc::new(Versions::new(std::sync::Arc::new(Native))),
    };
    let reported = published.write().await.unwrap_err().to_string();
    let words = "objects are judged, and no dashboard learns which policy judges: allow this process to `create`, `get` and \
                 `patch` `configmaps` in the namespace `public`";
    assert!(reported.starts_with(words), "{reported}");
}
