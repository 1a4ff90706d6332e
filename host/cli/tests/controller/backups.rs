//! BackupBuckets and BackupEntries, as gardenlet makes them: without namespaces, of class `seed` and `shoot`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Query};
use trellis_testing::loopback::SECOND_KEY;

use crate::process::Trellis;
use crate::seed::succeeded;
use crate::shoot::Shoot;
use crate::stage::Stage;
use objects::{At, BUCKET, GARDEN, MARKER, REGION, data, finalizers, found, in_bucket, keys, object, secret};

pub mod objects;

const MOST_DESTRUCTIVE: &str = "trellis.gardener.cloud/max-destructive-changes";

async fn start(stage: &Stage, arguments: &[&str]) -> Trellis {
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": GARDEN } });
    stage.seed.apply(&namespace).await;
    let classes = ["--extension-classes=seed,shoot"];
    stage.trellis(&[&classes[..], arguments].concat()).await
}

async fn end(stage: Stage, trellis: Trellis) {
    let mut shown: Vec<String> = trellis.log().iter().map(Value::to_string).collect();
    shown.extend(stage.seed.events("default").await);
    assert_no_secret(&shown);
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

/// Nothing of the Secrets of buckets and entries stands in these texts.
fn assert_no_secret(shown: &[String]) {
    for secret in [MARKER, ACCESS_KEY_SECRET, SECOND_KEY.1] {
        let encoded = STANDARD.encode(secret);
        let has_it = |text: &String| text.contains(secret) || text.contains(&encoded);
        assert!(!shown.iter().any(has_it), "`{secret}` is shown");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_bucket_and_its_entries_are_made_asked_again_and_deleted() {
    let stage = Stage::new(1).await;
    let trellis = start(&stage, &[]).await;
    let shoot = Shoot::new("backed-up");
    stage.gardenlet().namespace(&shoot).await;
    let name = format!("{}--uid-of-it", shoot.namespace);
    let copy = format!("source-{name}");
    let (bucket, entry, source) = (
        At::new(&stage, "BackupBucket", BUCKET),
        At::new(&stage, "BackupEntry", &name),
        At::new(&stage, "BackupEntry", &copy),
    );

    secret(&stage, "bucket", &data()).await;
    secret(&stage, "entry", &data()).await;
    stage.seed.apply(&object("BackupBucket", BUCKET, "seed", "bucket")).await;
    bucket.until("it is ready", succeeded).await;
    assert_eq!(finalizers(&stage, "bucket").await, json!(["extensions.gardener.cloud/backupbucket"]));
    // Two objects share one Secret.
    stage.seed.apply(&object("BackupEntry", &name, "shoot", "entry")).await;
    stage.seed.apply(&object("BackupEntry", &copy, "shoot", "entry")).await;
    for (at, secret) in [(&entry, "etcd-backup"), (&source, "source-etcd-backup")] {
        at.until("it is ready", succeeded).await;
        let written = found(&stage, &shoot.namespace, secret).await;
        let mut data = data();
        data["bucketName"] = json!(BUCKET);
        data["storageEndpoint"] = json!(format!("https://oss-{REGION}.aliyuncs.com/"));
        for (key, text) in data.as_object().unwrap() {
            assert_eq!(written["data"][key], json!(STANDARD.encode(text.as_str().unwrap())), "{key}");
        }
        assert_eq!(written["data"].as_object().unwrap().len(), 5);
        assert_eq!(written["metadata"]["annotations"], json!({ "backup.gardener.cloud/created-by": at.name }));
    }

    let objects = [bucket.read().await, entry.read().await, source.read().await];
    assert_no_secret(&objects.map(|object| object.to_string()));

    // Asked again, nothing is written.
    let before = (stage.site.last_call(), found(&stage, &shoot.namespace, "etcd-backup").await);
    for at in [&bucket, &entry, &source] {
        at.operate("reconcile").await;
    }
    assert_eq!(stage.site.changes(before.0), [""; 0]);
    assert_eq!(found(&stage, &shoot.namespace, "etcd-backup").await, before.1);

    let of_others = format!("{name}-other/v2/1");
    for key in [&format!("{name}/v2/1"), &format!("{name}/v2/2"), &of_others] {
        in_bucket(&stage, "PutObject", &[("key", key)]);
    }
    // The entry still needs what the copy names.
    source.delete().await;
    source.gone().await;
    assert_eq!(keys(&stage).len(), 3);
    assert_eq!(found(&stage, &shoot.namespace, "source-etcd-backup").await, Value::Null);
    assert_eq!(finalizers(&stage, "entry").await, json!(["extensions.gardener.cloud/backupentry"]));
    entry.delete().await;
    entry.gone().await;
    assert_eq!(keys(&stage), [of_others]);
    assert_eq!(found(&stage, &shoot.namespace, "etcd-backup").await, Value::Null);
    assert_eq!(finalizers(&stage, "entry").await, Value::Null);

    bucket.delete().await;
    bucket.gone().await;
    assert_eq!(finalizers(&stage, "bucket").await, Value::Null);
    stage.gardenlet().delete_namespace(&shoot).await;
    end(stage, trellis).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_cap_holds_back_the_deletion_of_a_bucket_that_is_the_objects_and_another_one_stays() {
    let stage = Stage::new(1).await;
    let trellis = start(&stage, &["--max-destructive-changes=0"]).await;
    secret(&stage, "bucket", &data()).await;
    let bucket = At::new(&stage, "BackupBucket", BUCKET);
    stage.seed.apply(&object("BackupBucket", BUCKET, "seed", "bucket")).await;
    bucket.until("it is ready", succeeded).await;
    in_bucket(&stage, "PutObject", &[("key", "a")]);
    bucket.delete().await;
    let is_held = |object: &Value| {
        let text = object["status"]["lastError"]["description"].as_str().unwrap_or_default();
        text.contains(&format!("{MOST_DESTRUCTIVE}=1"))
    };
    bucket.until("it is held back", is_held).await;
    assert_eq!(keys(&stage), ["a"]);
    bucket.annotate(json!({ MOST_DESTRUCTIVE: "1" })).await;
    bucket.gone().await;

    // A bucket that was there before is used, and stays.
    in_bucket(&stage, "PutBucket", &[]);
    in_bucket(&stage, "PutObject", &[("key", "a")]);
    let before = stage.site.last_call();
    stage.seed.apply(&object("BackupBucket", BUCKET, "seed", "bucket")).await;
    bucket.until("it is ready", succeeded).await;
    bucket.delete().await;
    bucket.gone().await;
    assert_eq!(stage.site.changes(before), [""; 0]);
    let events = stage.seed.events("default").await;
    assert!(
        events.iter().any(|event| event.contains("ReconcileWarning") && event.contains(BUCKET)),
        "{events:#?}"
    );
    in_bucket(&stage, "DeleteObject", &[("key", "a")]);
    in_bucket(&stage, "DeleteBucket", &[]);
    end(stage, trellis).await;
}

/// The access keys of the calls after this one.
fn callers(stage: &Stage, after: u64) -> Vec<String> {
    let records = stage.site.cloud().records(&Query { after, ..Query::default() });
    records.iter().filter_map(|record| record.access_key.clone()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_bucket_of_ten_thousand_objects_is_emptied_across_restarts_and_with_another_access_key() {
    let stage = Stage::new(1).await;
    let arguments = ["--leader-election=false"];
    let mut trellis = start(&stage, &arguments).await;
    secret(&stage, "bucket", &data()).await;
    let bucket = At::new(&stage, "BackupBucket", BUCKET);
    stage.seed.apply(&object("BackupBucket", BUCKET, "seed", "bucket")).await;
    bucket.until("it is ready", succeeded).await;
    for number in 0..10_000 {
        in_bucket(&stage, "PutObject", &[("key", &format!("shoot--dev--a--uid/v2/{number:05}"))]);
    }

    let hold = |nth: u32, when: &str| {
        let fault = json!({ "kind": "hold", "when": when });
        stage.site.order(json!({
            "action": "oss:DeleteMultipleObjects", "occurrence": { "nth": nth }, "fault": fault,
        }))
    };
    let first = stage.site.last_call();
    let mut fault = hold(2, "before");
    bucket.delete().await;
    for (nth, when) in [(3, "after"), (2, "before")] {
        stage.kill_at_held_call(trellis, fault).await;
        fault = hold(nth, when);
        trellis = start(&stage, &arguments).await;
    }
    // While the program is away, gardenlet writes another access key.
    stage.kill_at_held_call(trellis, fault).await;
    let before = stage.site.last_call();
    let earlier = callers(&stage, first);
    assert!(!earlier.is_empty() && earlier.iter().all(|key| key == ACCESS_KEY), "{earlier:?}");
    let mut changed = data();
    (changed["accessKeyID"], changed["accessKeySecret"]) = (json!(SECOND_KEY.0), json!(SECOND_KEY.1));
    secret(&stage, "bucket", &changed).await;
    trellis = start(&stage, &arguments).await;
    bucket.gone().await;
    let mut after = callers(&stage, before);
    // The call that was held is recorded once it is let go.
    if after.first().is_some_and(|key| key == ACCESS_KEY) {
        after.remove(0);
    }
    assert!(!after.is_empty() && after.iter().all(|key| key == SECOND_KEY.0), "{after:?}");
    let deletions = stage.site.changes(first).iter().filter(|action| *action == "DeleteMultipleObjects").count();
    // Ten pages, and the two calls that were ended before they had an effect.
    assert!((10..=12).contains(&deletions), "{deletions}");
    assert_eq!(finalizers(&stage, "bucket").await, Value::Null);
    end(stage, trellis).await;
}
