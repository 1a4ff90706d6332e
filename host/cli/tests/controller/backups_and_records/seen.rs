//! What there is of backups and records, in a seed and in the cloud.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::api::{DynamicObject, ListParams};
use serde_json::{Map, Value, json};

use super::made::{DOMAIN, REGION};
use crate::seed::resource;
use crate::shoot::credentials;
use crate::simulated::Site;
use crate::stage::Stage;

/// The Secrets of a namespace by name.
pub async fn secrets(stage: &Stage, namespace: &str) -> BTreeMap<String, Value> {
    let api = stage.seed.namespaced(namespace, &resource("", "v1", "Secret"));
    let all = api.list(&ListParams::default()).await.unwrap();
    let named =
        |secret: DynamicObject| (secret.metadata.name.clone().unwrap(), serde_json::to_value(secret).unwrap());
    all.into_iter().map(named).collect()
}

/// The names of all Secrets of a seed that a finalizer holds.
pub async fn held(stage: &Stage) -> Vec<String> {
    let all = stage.seed.global(&resource("", "v1", "Secret")).list(&ListParams::default()).await.unwrap();
    let is_held = |secret: &DynamicObject| {
        secret.metadata.finalizers.as_ref().is_some_and(|finalizers| !finalizers.is_empty())
    };
    all.into_iter().filter(is_held).map(|secret| secret.metadata.name.unwrap()).collect()
}

/// What etcd's backups find in their Secret: what row 34 of the checklist asks for.
pub fn serves(secret: &Value, entry: &str, bucket: &str) {
    let mut expected = credentials();
    expected["bucketName"] = bucket.into();
    expected["storageEndpoint"] = format!("https://oss-{REGION}.aliyuncs.com/").into();
    let expected: Map<_, _> = expected
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, text)| (key.clone(), STANDARD.encode(text.as_str().unwrap()).into()))
        .collect();
    assert_eq!(secret["data"], Value::Object(expected));
    assert_eq!(secret["metadata"]["annotations"], json!({ "backup.gardener.cloud/created-by": entry }));
}

pub fn keys(site: &Site, bucket: &str) -> Vec<String> {
    let listed = site.call("oss", "ListObjects", &[("bucket", bucket)]);
    let contents = listed["ListBucketResult"]["Contents"].as_array().into_iter().flatten();
    contents.map(|one| one["Key"].as_str().unwrap().to_owned()).collect()
}

pub fn put(site: &Site, bucket: &str, key: &str) {
    site.call("oss", "PutObject", &[("bucket", bucket), ("key", key)]);
}

/// The rows of the domain: host, type and value, sorted.
pub fn rows(site: &Site) -> Vec<String> {
    let all = site.call("alidns", "DescribeDomainRecords", &[("DomainName", DOMAIN)]);
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = all["DomainRecords"]["Record"].as_array().unwrap().iter();
    let mut rows: Vec<_> = rows.map(|row| ["RR", "Type", "Value"].map(|key| text(row, key)).join(" ")).collect();
    rows.sort_unstable();
    rows
}
