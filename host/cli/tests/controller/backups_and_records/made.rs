//! BackupBuckets, BackupEntries and DNSRecords, as gardenlet and gardener-operator make them.

use serde_json::{Value, json};

use crate::shoot::{Asked, credentials};
use crate::stage::Stage;

pub const REGION: &str = "eu-central-1";
pub const DOMAIN: &str = "dev.example.com";
/// The Secret of the garden, which its bucket, its entry and its record share.
pub const OF_GARDEN: &str = "garden-backup";

/// An object that gardenlet makes with the Secret that it names, or gardener-operator with that of the garden.
pub struct Made {
    pub kind: &'static str,
    /// Empty for kinds without.
    pub namespace: String,
    pub name: String,
    spec: Value,
    data: Value,
}

impl Asked for Made {
    fn request(&self, command: &str) -> Value {
        let Self { kind, namespace, name, spec, data } = self;
        json!({
            "command": command, "kind": kind, "namespace": namespace, "name": name, "spec": spec, "data": data,
        })
    }
}

impl Made {
    pub fn bucket(name: &str) -> Self {
        let spec = json!({ "type": "alicloud", "region": REGION });
        let (namespace, name) = (String::new(), name.to_owned());
        Self { kind: "BackupBucket", namespace, name, spec, data: credentials() }
    }

    pub fn entry(name: &str, bucket: &Self) -> Self {
        let mut spec = bucket.spec.clone();
        spec["bucketName"] = bucket.name.clone().into();
        let (namespace, name) = (String::new(), name.to_owned());
        Self { kind: "BackupEntry", namespace, name, spec, data: bucket.data.clone() }
    }

    pub fn record(namespace: &str, name: &str, host: &str, value: &str) -> Self {
        let spec = json!({ "type": "alicloud-dns", "dnsName": format!("{host}.{DOMAIN}"), "values": [value] });
        let (namespace, name) = (namespace.to_owned(), name.to_owned());
        Self { kind: "DNSRecord", namespace, name, spec, data: credentials() }
    }

    /// The same of the garden.
    pub fn of_garden(mut self) -> Self {
        self.spec["class"] = "garden".into();
        self.spec["secretName"] = OF_GARDEN.into();
        self.data = Value::Null;
        self
    }

    /// Waits until all are ready after they were asked for, one after the other as they need each other.
    pub async fn ready(stage: &Stage, all: &[&Self]) {
        for made in all {
            stage.gardenlet().redeploy(*made).await;
            let status = stage.gardenlet().wait(*made).await;
            // Row 35 of the checklist: there are no credentials of a bucket alone.
            assert_eq!(status.get("generatedSecretRef"), None);
        }
    }

    /// Deletes all, one after the other.
    pub async fn remove(stage: &Stage, all: &[&Self]) {
        for made in all {
            stage.gardenlet().destroy(*made).await;
            stage.gardenlet().wait_cleanup(*made).await;
        }
    }
}
