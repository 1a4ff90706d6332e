//! Objects with garbage in every field: each fails alone, with a code and words.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::shoot::{Shoot, credentials, seed};
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// Values of every JSON kind, and whether a field that has one may be good.
fn kinds() -> [(&'static str, Value, bool); 8] {
    [
        ("null", Value::Null, true),
        ("boolean", json!(true), false),
        ("number", json!(-5.5), false),
        ("text", json!("\u{0}\u{7f}💥"), false),
        ("list", json!([]), true),
        ("nested", json!([[[{}]]]), false),
        ("object", json!({}), true),
        ("strange", json!({ "💥": [null], "cidr": 5, "name": {} }), false),
    ]
}

/// Where garbage goes in an `infrastructureConfig`.
const PLACES: [&str; 9] = [
    "",
    "/apiVersion",
    "/kind",
    "/networks",
    "/networks/vpc",
    "/networks/vpc/cidr",
    "/networks/zones",
    "/networks/zones/0",
    "/networks/zones/0/workers",
];

/// An object with garbage.
struct Bad {
    shoot: Shoot,
    /// What the spec has instead.
    spec: Value,
    /// What the status has before.
    status: Option<Value>,
    /// Whether a success is as good as an error.
    lenient: bool,
    /// The code of its error, where it has to have one.
    code: Option<&'static str>,
    /// Data of its Secret; without them there is none.
    secret: Option<Value>,
}

fn bad(name: &str) -> Bad {
    let shoot = Shoot::new(name);
    let spec = json!({
        "type": "alicloud", "region": "eu-central-1",
        "secretRef": { "name": "cloudprovider", "namespace": shoot.namespace },
        "providerConfig": shoot.document["spec"]["provider"]["infrastructureConfig"],
    });
    Bad { shoot, spec, status: None, lenient: false, code: None, secret: Some(credentials()) }
}

/// Garbage in the `providerConfig`, also in that of the Shoot.
fn configs() -> Vec<Bad> {
    let mut all = Vec::new();
    for (at, place) in PLACES.iter().enumerate() {
        for (kind, value, lenient) in kinds() {
            // The API server takes nothing but objects here.
            if place.is_empty() && !value.is_object() {
                continue;
            }
            let mut bad = bad(&format!("config-{at}-{kind}"));
            *bad.spec.pointer_mut(&format!("/providerConfig{place}")).unwrap() = value.clone();
            let in_shoot = format!("/spec/provider/infrastructureConfig{place}");
            *bad.shoot.document.pointer_mut(&in_shoot).unwrap() = value;
            bad.lenient = lenient;
            bad.code = Some("ERR_CONFIGURATION_PROBLEM");
            all.push(bad);
        }
    }
    let mut without = bad("config-missing");
    without.spec.as_object_mut().unwrap().remove("providerConfig");
    without.code = Some("ERR_CONFIGURATION_PROBLEM");
    all.push(without);
    all
}

/// Garbage in a state that the program should have written itself.
fn states() -> Vec<Bad> {
    let odd = [
        ("empty", json!({})),
        ("foreign", json!({ "apiVersion": "acme/v1", "kind": "Nothing", "a": [1, 2, 3] })),
        ("half", json!({ "apiVersion": 5, "kind": null, "resources": "💥" })),
        ("deep", json!({ "a": { "b": { "c": { "d": [[[[[]]]]] } } } })),
        ("long", json!({ "apiVersion": "x".repeat(100_000) })),
    ];
    let with_state = |(name, state): (&str, Value)| {
        let mut bad = bad(&format!("state-{name}"));
        bad.status = Some(json!({ "state": state }));
        // What has no kind may be taken for no state: what there is in the cloud is found by its tags.
        bad.lenient = matches!(name, "empty" | "half" | "deep");
        bad
    };
    odd.into_iter().map(with_state).collect()
}

/// Garbage around credentials, and in the rest of spec and Cluster.
fn others() -> Vec<Bad> {
    let mut all = Vec::new();
    let (configuration, unauthenticated) = (Some("ERR_CONFIGURATION_PROBLEM"), Some("ERR_INFRA_UNAUTHENTICATED"));
    let mut add = |name: &str, code: Option<&'static str>, change: &dyn Fn(&mut Bad)| {
        let mut bad = bad(name);
        change(&mut bad);
        bad.code = code;
        all.push(bad);
    };
    add("secret-missing", configuration, &|bad| bad.secret = None);
    add("secret-other", configuration, &|bad| bad.spec["secretRef"]["name"] = json!("nobody"));
    add("secret-elsewhere", configuration, &|bad| bad.spec["secretRef"]["namespace"] = json!("kube-system"));
    add("secret-empty", unauthenticated, &|bad| {
        bad.secret = Some(json!({ "accessKeyID": "", "accessKeySecret": "" }));
    });
    add("secret-half", unauthenticated, &|bad| bad.secret = Some(json!({ "accessKeyID": "LTAI5tHalf" })));
    add("secret-strange", unauthenticated, &|bad| {
        bad.secret = Some(json!({ "accessKeyID": "a\nb: c\u{1}", "accessKeySecret": "💥\r\n" }));
    });
    add("region", None, &|bad| {
        bad.spec["region"] = json!("moon-1");
        bad.shoot.document["spec"]["region"] = json!("moon-1");
    });
    add("shoot-empty", None, &|bad| {
        bad.shoot.document = json!({});
        // A Shoot that says nothing says nothing against the Infrastructure.
        bad.lenient = true;
    });
    add("shoot-strange", None, &|bad| bad.shoot.document = json!({ "metadata": 5, "spec": "💥", "status": [] }));
    add("networking", None, &|bad| {
        bad.shoot.document["spec"]["networking"] = json!({ "pods": [], "nodes": { "a": 1 } });
    });
    all
}

/// Creates the object with what belongs to it, as an administrator: gardenlet would not.
async fn create(stage: &Stage, bad: &Bad) {
    let shoot = &bad.shoot;
    let named = Shoot { document: Shoot::new(&shoot.name).document, ..shoot.clone() };
    stage.gardenlet().namespace(&named).await;
    if let Some(data) = &bad.secret {
        stage.gardenlet().cloudprovider(&named, data.clone()).await;
    }
    stage
        .seed
        .create(&json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Cluster",
            "metadata": { "name": shoot.namespace },
            "spec": { "shoot": shoot.document, "cloudProfile": named.cloud_profile(), "seed": seed() },
        }))
        .await;
    let asked = if bad.status.is_some() { "wait-for-state" } else { "reconcile" };
    stage
        .seed
        .create(&json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Infrastructure",
            "metadata": {
                "name": shoot.name, "namespace": shoot.namespace, "annotations": { "gardener.cloud/operation": asked },
            },
            "spec": bad.spec,
        }))
        .await;
    if let Some(status) = &bad.status {
        stage.seed.merge_status(shoot, status.clone()).await;
        stage.seed.operate(shoot, "restore").await;
    }
}

/// Waits until the object has failed, or succeeded: what is wrong with that.
async fn judge(stage: &Stage, bad: &Bad) -> Option<String> {
    let name = &bad.shoot.name;
    let reported = async || {
        let object = stage.seed.infrastructure(&bad.shoot).await;
        let ended = matches!(object["status"]["lastOperation"]["state"].as_str(), Some("Error" | "Succeeded"));
        ended.then_some(object)
    };
    let object = until(&format!("{name} fails"), LIMIT, reported).await;
    let status = &object["status"];
    if status["lastOperation"]["state"] == "Succeeded" {
        return (!bad.lenient).then(|| format!("{name} succeeded: {}", bad.spec));
    }
    let error = &status["lastError"];
    let text = error["description"].as_str().unwrap_or_default();
    let words = text.split_whitespace().count();
    if words < 5 || text.len() > 4096 || text.contains("panicked") {
        return Some(format!("{name} has no good words: {text}"));
    }
    // What only the cloud can know may have no code of the configuration.
    let code = bad.code.filter(|_| !text.contains("Alibaba Cloud answered"))?;
    let has = error["codes"].as_array().is_some_and(|codes| codes.contains(&json!(code)));
    (!has).then(|| format!("{name} lacks the code {code}: {error}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn objects_with_garbage_fail_alone_with_a_code_and_words() {
    let all: Vec<Bad> = configs().into_iter().chain(states()).chain(others()).collect();
    let stage = Stage::new(all.len() + 2).await;
    let trellis = stage.trellis(&["--infrastructure-max-concurrent-reconciles", "5"]).await;
    let good = Shoot::new("good-before");
    stage.create(&good).await;
    for bad in &all {
        create(&stage, bad).await;
    }
    let later = Shoot::new("good-after");
    stage.create(&later).await;
    for shoot in [&good, &later] {
        stage.gardenlet().wait(shoot).await;
    }
    let judged = join_all(all.iter().map(|bad| judge(&stage, bad))).await;
    let wrong: Vec<String> = judged.into_iter().flatten().collect();
    let log = trellis.log();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!log.iter().any(|line| line.to_string().contains("panicked")), "{log:#?}");
    let secret = trellis_simulator::cloud::ACCESS_KEY_SECRET;
    assert!(!log.iter().any(|line| line.to_string().contains(secret)), "a secret is in the log");
    for shoot in [&good, &later] {
        stage.remove(shoot).await;
    }
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.seed.clear().await;
    stage.close().await;
}
