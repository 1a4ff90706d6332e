//! Buckets, entries and their Secrets, as gardenlet makes them, and what is in the bucket.

use kube::api::{ApiResource, DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{ACCESS_KEY, Operation};
use trellis_simulator::service::oss::SERVICE;

use crate::seed::{extension, resource, succeeded};
use crate::shoot::credentials;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

const ACCOUNT: &str = "1000000000000001";
pub const REGION: &str = "eu-central-1";
pub const BUCKET: &str = "5f1d0000-backups";
pub const GARDEN: &str = "garden";

/// Does something in the bucket that the program does not.
pub fn in_bucket(stage: &Stage, action: &str, parameters: &[(&str, &str)]) -> Value {
    let parameters = [("bucket", BUCKET)].iter().chain(parameters);
    let operation = Operation {
        service: &SERVICE,
        action: SERVICE.action(action).unwrap(),
        caller: Caller {
            account: ACCOUNT.to_owned(),
            access_key: ACCESS_KEY.to_owned(),
            principal: Principal::Account,
            sees_nothing: false,
        },
        region: REGION.to_owned(),
        parameters: parameters.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: "1".into(),
    };
    Value::Object(stage.site.cloud().execute(&operation).unwrap().fields)
}

pub fn keys(stage: &Stage) -> Vec<String> {
    let listed = in_bucket(stage, "ListObjects", &[]);
    let contents = listed["ListBucketResult"]["Contents"].as_array().unwrap();
    contents.iter().map(|one| one["Key"].as_str().unwrap().to_owned()).collect()
}

/// What only the Secrets of these objects have, next to the credentials.
pub const MARKER: &str = "only-in-secrets-of-backups";

/// The data of a Secret as gardenlet makes it for a bucket or an entry.
pub fn data() -> Value {
    let mut data = credentials();
    data["marker"] = json!(MARKER);
    data
}

/// A Secret as gardenlet makes it for a bucket or an entry.
pub async fn secret(stage: &Stage, name: &str, data: &Value) {
    stage
        .seed
        .apply(&json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "namespace": GARDEN, "name": name }, "stringData": data,
        }))
        .await;
}

pub fn object(kind: &str, name: &str, class: &str, secret: &str) -> Value {
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
pub struct At<'s> {
    stage: &'s Stage,
    kind: ApiResource,
    pub name: String,
}

impl<'s> At<'s> {
    pub fn new(stage: &'s Stage, kind: &str, name: &str) -> Self {
        Self { stage, kind: extension(kind), name: name.to_owned() }
    }

    /// The object; null where there is none.
    pub async fn read(&self) -> Value {
        let api = self.stage.seed.global(&self.kind);
        serde_json::to_value(api.get_opt(&self.name).await.unwrap()).unwrap()
    }

    pub async fn until(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("{} {}: {what}", self.kind.kind, self.name);
        until(&what, LIMIT, async || Some(self.read().await).filter(&is)).await
    }

    pub async fn annotate(&self, annotations: Value) {
        let patch = json!({ "metadata": { "annotations": annotations } });
        let api = self.stage.seed.global(&self.kind);
        api.patch(&self.name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    }

    /// Asks for an operation, as gardenlet does, and waits until it is done.
    pub async fn operate(&self, operation: &str) {
        let now = jiff::Timestamp::now().to_string();
        self.annotate(json!({ "gardener.cloud/operation": operation, "gardener.cloud/timestamp": now })).await;
        self.until(&format!("{operation} is done"), succeeded).await;
    }

    pub async fn delete(&self) {
        self.annotate(json!({ "confirmation.gardener.cloud/deletion": "true" })).await;
        self.stage.seed.global(&self.kind).delete(&self.name, &DeleteParams::default()).await.unwrap();
    }

    pub async fn gone(&self) {
        self.until("it has gone", Value::is_null).await;
    }
}

/// A Secret; null where there is none.
pub async fn found(stage: &Stage, namespace: &str, name: &str) -> Value {
    let api = stage.seed.namespaced(namespace, &resource("", "v1", "Secret"));
    serde_json::to_value(api.get_opt(name).await.unwrap()).unwrap()
}

pub async fn finalizers(stage: &Stage, name: &str) -> Value {
    found(stage, GARDEN, name).await["metadata"]["finalizers"].clone()
}
