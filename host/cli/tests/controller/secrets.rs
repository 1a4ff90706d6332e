//! All Secrets that Shoots ever had in a seed: no certificate is made twice, and nothing secret is shown anywhere
//! else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, pin_mut};
use kube::api::{ApiResource, DynamicObject, ListParams, WatchEvent, WatchParams};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::seed::{KINDS, Seed, extension, resource};
use crate::stage::Stage;
use crate::supervisor::Supervisor;

/// The keys of values that must not be seen elsewhere: credentials, tokens, user data, private keys.
const SECRET: [&str; 6] = ["accessKeySecret", "ca.key", "cloud_config", "tls.key", "token", "userData"];
/// Who makes certificates, in a label.
pub const MANAGER: &str = "provider-alicloud-controlplane";

/// A record that goes on until it is dropped.
pub struct Secrets {
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    /// Names and identifiers of certificates, by namespace and the name of their configuration.
    made: BTreeMap<String, BTreeMap<String, BTreeSet<(String, String)>>>,
    /// Pieces of what is secret, as text and in base64.
    canaries: BTreeSet<String>,
}

impl Secrets {
    /// Begins with what is there.
    pub fn watch(seed: &Seed) -> Self {
        let known = Arc::new(Mutex::new(Seen::default()));
        let (api, kept) = (seed.global(&resource("", "v1", "Secret")), Arc::clone(&known));
        let task = tokio::spawn(async move {
            let mut version = "0".to_owned();
            loop {
                let Ok(stream) = api.watch(&WatchParams::default(), &version).await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                pin_mut!(stream);
                while let Some(Ok(event)) = stream.next().await {
                    match event {
                        WatchEvent::Added(secret) | WatchEvent::Modified(secret) => {
                            version = secret.metadata.resource_version.clone().unwrap();
                            kept.lock().unwrap().see(&secret);
                        }
                        WatchEvent::Deleted(secret) => version = secret.metadata.resource_version.unwrap(),
                        WatchEvent::Bookmark(mark) => version = mark.metadata.resource_version,
                        // From the beginning: what is known is known.
                        WatchEvent::Error(_) => {
                            "0".clone_into(&mut version);
                            break;
                        }
                    }
                }
            }
        });
        Self { seen: known, task }
    }

    /// How many certificates were ever made in a namespace, of an authority, of its bundle and of a server.
    pub fn made(&self, namespace: &str) -> [usize; 3] {
        let seen = self.seen.lock().unwrap();
        let mut counts = [0; 3];
        for (configuration, secrets) in seen.made.get(namespace).into_iter().flatten() {
            let which = match configuration.as_str() {
                name if name.ends_with("-bundle") => 1,
                name if name.starts_with("ca-") => 0,
                _ => 2,
            };
            counts[which] += secrets.len();
            let names: BTreeSet<&String> = secrets.iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), secrets.len(), "{namespace}: one name came twice: {secrets:?}");
        }
        counts
    }

    /// No line of a log, no event, no annotation or status of an object and no metric has anything secret.
    pub async fn are_reported_nowhere(&self, stage: &Stage, program: &Supervisor) {
        let mut reported = vec![("a metric", program.metrics().await)];
        reported.extend(program.log().into_iter().map(|line| ("a line of the log", line.to_string())));
        let machine = |kind| resource("machine.sapcloud.io", "v1alpha1", kind);
        let mut kinds: Vec<ApiResource> = KINDS[..3].iter().map(|kind| extension(kind)).collect();
        kinds.extend(["MachineDeployment", "MachineSet", "Machine", "MachineClass"].map(machine));
        kinds.push(resource("resources.gardener.cloud", "v1alpha1", "ManagedResource"));
        kinds.extend([resource("events.k8s.io", "v1", "Event"), resource("", "v1", "Secret")]);
        for kind in kinds {
            for mut object in stage.seed.global(&kind).list(&ListParams::default()).await.unwrap() {
                // Secrets have their data, and nothing of them in what describes them.
                object.data.as_object_mut().unwrap().remove("data");
                reported.push(("an object", serde_json::to_string(&object).unwrap()));
            }
        }
        let text = reported.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        let canaries = self.seen.lock().unwrap().canaries.clone();
        assert!(canaries.len() > 10, "there was nothing secret");
        if let Some(canary) = canaries.iter().find(|canary| text.contains(*canary)) {
            let at = reported.iter().find(|(_, text)| text.contains(canary)).unwrap();
            panic!("{} has something secret ({canary}): {}", at.0, at.1);
        }
    }
}

impl Drop for Secrets {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Seen {
    fn see(&mut self, secret: &DynamicObject) {
        let metadata = &secret.metadata;
        let namespace = metadata.namespace.clone().unwrap_or_default();
        if !namespace.starts_with("shoot--") {
            return;
        }
        let label = |key: &str| metadata.labels.as_ref().and_then(|labels| labels.get(key)).cloned();
        if label("manager-identity").as_deref() == Some(MANAGER) {
            let of_namespace = self.made.entry(namespace).or_default();
            let made = of_namespace.entry(label("name").unwrap()).or_default();
            made.insert((metadata.name.clone().unwrap(), metadata.uid.clone().unwrap()));
        }
        for (key, value) in secret.data["data"].as_object().into_iter().flatten() {
            if SECRET.contains(&key.as_str()) {
                self.canaries.extend(pieces(value));
            }
        }
    }
}

/// Pieces of a value, each long enough to be nothing else.
fn pieces(value: &Value) -> Vec<String> {
    let encoded = value.as_str().unwrap();
    let middle = encoded.len() / 2;
    let mut pieces = vec![encoded[middle.saturating_sub(20)..encoded.len().min(middle + 20)].to_owned()];
    let text = String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.len() >= 16 && !line.starts_with("-----")).collect();
    pieces
        .extend([lines.first(), lines.get(lines.len() / 2)].into_iter().flatten().map(|line| (*line).to_owned()));
    pieces.retain(|piece| piece.len() >= 16);
    pieces
}
