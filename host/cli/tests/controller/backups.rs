//! BackupBuckets and BackupEntries, as gardenlet makes them: without namespaces, of class `seed` and `shoot`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::api::{ApiResource, DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{ACCESS_KEY, Operation};
use trellis_simulator::service::oss::SERVICE;

use crate::process::Trellis;
use crate::seed::{extension, resource, succeeded};
use crate::shoot::{Shoot, credentials};
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

const ACCOUNT: &str = "1000000000000001";
const REGION: &str = "eu-central-1";
const BUCKET: &str = "5f1d0000-backups";
const GARDEN: &str = "garden";
const MOST_DESTRUCTIVE: &str = "trellis.gardener.cloud/max-destructive-changes";

/// Does something in the bucket that the program does not.
fn in_bucket(stage: &Stage, action: &str, parameters: &[(&str, &str)]) -> Value {
    let parameters = [("bucket", BUCKET)].iter().chain(parameters);
    let operation = Operation {
        service: &SERVICE,
        action: SERVICE.action(action).unwrap(),
        caller: Caller {
            account: ACCOUNT.to_owned(),
            access_key: ACCESS_KEY.to_owned(),
            principal: Principal::Account,
        },
        region: REGION.to_owned(),
        parameters: parameters.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: "1".into(),
    };
    Value::Object(stage.site.cloud().execute(&operation).unwrap().fields)
}

fn keys(stage: &Stage) -> Vec<String> {
    let listed = in_bucket(stage, "ListObjects", &[]);
    let contents = listed["ListBucketResult"]["Contents"].as_array().unwrap();
    contents.iter().map(|one| one["Key"].as_str().unwrap().to_owned()).collect()
}

/// A Secret as gardenlet makes it for a bucket or an entry.
async fn secret(stage: &Stage, name: &str) {
    let data = credentials();
    stage
        .seed
        .apply(&json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "namespace": GARDEN, "name": name }, "stringData": data,
        }))
        .await;
}

fn object(kind: &str, name: &str, class: &str, secret: &str) -> Value {
    let mut object = json!({
        "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": kind, "metadata": { "name": name },
        "spec": {
            "type": "alicloud", "class": class, "region": REGION,
            "secretRef": { "namespace": GARDEN, "name": secret },
        },
    });
    if kind == "BackupEntry" {
        object["spec"]["bucketName"] = json!(BUCKET);
    }
    object
}

/// An object at the API server.
struct At<'s> {
    stage: &'s Stage,
    kind: ApiResource,
    name: String,
}

impl<'s> At<'s> {
    fn new(stage: &'s Stage, kind: &str, name: &str) -> Self {
        let kind = if kind == "Secret" { resource("", "v1", kind) } else { extension(kind) };
        Self { stage, kind, name: name.to_owned() }
    }

    async fn until(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("{} {}: {what}", self.kind.kind, self.name);
        let api = self.stage.seed.global(&self.kind);
        let read = async || serde_json::to_value(api.get_opt(&self.name).await.unwrap()).unwrap();
        until(&what, LIMIT, async || Some(read().await).filter(&is)).await
    }

    async fn annotate(&self, annotations: Value) {
        let patch = json!({ "metadata": { "annotations": annotations } });
        let api = self.stage.seed.global(&self.kind);
        api.patch(&self.name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    }

    /// Asks for an operation, as gardenlet does, and waits until it is done.
    async fn operate(&self, operation: &str) {
        let now = jiff::Timestamp::now().to_string();
        self.annotate(json!({ "gardener.cloud/operation": operation, "gardener.cloud/timestamp": now })).await;
        self.until(&format!("{operation} is done"), succeeded).await;
    }

    async fn delete(&self) {
        self.annotate(json!({ "confirmation.gardener.cloud/deletion": "true" })).await;
        self.stage.seed.global(&self.kind).delete(&self.name, &DeleteParams::default()).await.unwrap();
    }

    async fn gone(&self) {
        self.until("it has gone", Value::is_null).await;
    }
}

/// A Secret; null where there is none.
async fn found(stage: &Stage, namespace: &str, name: &str) -> Value {
    let api = stage.seed.namespaced(namespace, &resource("", "v1", "Secret"));
    serde_json::to_value(api.get_opt(name).await.unwrap()).unwrap()
}

async fn finalizers(stage: &Stage, name: &str) -> Value {
    found(stage, GARDEN, name).await["metadata"]["finalizers"].clone()
}

async fn start(stage: &Stage, arguments: &[&str]) -> Trellis {
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": GARDEN } });
    stage.seed.apply(&namespace).await;
    let classes = ["--extension-classes=seed,shoot"];
    stage.trellis(&[&classes[..], arguments].concat()).await
}

async fn end(stage: Stage, trellis: Trellis) {
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
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

    secret(&stage, "bucket").await;
    secret(&stage, "entry").await;
    stage.seed.apply(&object("BackupBucket", BUCKET, "seed", "bucket")).await;
    bucket.until("it is ready", succeeded).await;
    assert_eq!(finalizers(&stage, "bucket").await, json!(["extensions.gardener.cloud/backupbucket"]));
    // Two objects share one Secret.
    stage.seed.apply(&object("BackupEntry", &name, "shoot", "entry")).await;
    stage.seed.apply(&object("BackupEntry", &copy, "shoot", "entry")).await;
    for (at, secret) in [(&entry, "etcd-backup"), (&source, "source-etcd-backup")] {
        at.until("it is ready", succeeded).await;
        let written = found(&stage, &shoot.namespace, secret).await;
        let mut data = credentials();
        data["bucketName"] = json!(BUCKET);
        data["storageEndpoint"] = json!(format!("https://oss-{REGION}.aliyuncs.com/"));
        for (key, text) in data.as_object().unwrap() {
            assert_eq!(written["data"][key], json!(STANDARD.encode(text.as_str().unwrap())), "{key}");
        }
        assert_eq!(written["data"].as_object().unwrap().len(), 4);
        assert_eq!(written["metadata"]["annotations"], json!({ "backup.gardener.cloud/created-by": at.name }));
    }

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
    secret(&stage, "bucket").await;
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
