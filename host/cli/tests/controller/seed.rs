//! The seed's API server, as an administrator sees it.

use std::path::Path;

use kube::api::{
    Api, ApiResource, DeleteParams, DynamicObject, GroupVersionKind, ListParams, Patch, PatchParams, PostParams,
};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Map, Value, json};

use crate::shoot::Shoot;
use crate::wait::{LIMIT, until};

/// Until the namespaces of a thousand Shoots have gone.
const CLEARED: std::time::Duration = std::time::Duration::from_mins(15);

/// The kinds of `extensions.gardener.cloud` that tests make; the first three need a Shoot.
pub const KINDS: [&str; 8] =
    ["Infrastructure", "ControlPlane", "Worker", "Cluster", "Bastion", "DNSRecord", "BackupBucket", "BackupEntry"];

/// A client with all rights.
#[derive(Clone)]
pub struct Seed {
    pub client: Client,
    /// How to reach the API server, with no rights.
    pub anonymous: Config,
}

/// A kind of this group and version; its plural is regular.
pub fn resource(group: &str, version: &str, kind: &str) -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind))
}

/// A kind of `extensions.gardener.cloud`.
pub fn extension(kind: &str) -> ApiResource {
    resource("extensions.gardener.cloud", "v1alpha1", kind)
}

impl Seed {
    /// The client that this kubeconfig gives.
    pub async fn connect(kubeconfig: &Path) -> Self {
        let read = Kubeconfig::read_from(kubeconfig).unwrap();
        let config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await.unwrap();
        let mut anonymous = Config::new(config.cluster_url.clone());
        anonymous.root_cert.clone_from(&config.root_cert);
        anonymous.default_retry = false;
        Self { client: Client::try_from(config).unwrap(), anonymous }
    }

    /// Objects in a namespace.
    pub fn namespaced(&self, namespace: &str, resource: &ApiResource) -> Api<DynamicObject> {
        Api::namespaced_with(self.client.clone(), namespace, resource)
    }

    /// Objects without a namespace.
    pub fn global(&self, resource: &ApiResource) -> Api<DynamicObject> {
        Api::all_with(self.client.clone(), resource)
    }

    /// The Infrastructures of a Shoot's namespace.
    pub fn infrastructures(&self, shoot: &Shoot) -> Api<DynamicObject> {
        self.namespaced(&shoot.namespace, &extension("Infrastructure"))
    }

    /// The Infrastructure of a Shoot as JSON, `null` where there is none.
    pub async fn infrastructure(&self, shoot: &Shoot) -> Value {
        let found = self.infrastructures(shoot).get_opt(&shoot.name).await.unwrap();
        serde_json::to_value(found).unwrap()
    }

    /// Merges this into the Infrastructure of a Shoot.
    pub async fn merge(&self, shoot: &Shoot, patch: Value) {
        let (api, parameters) = (self.infrastructures(shoot), PatchParams::default());
        api.patch(&shoot.name, &parameters, &Patch::Merge(patch)).await.unwrap();
    }

    /// Merges this into its status, as another client than the program.
    pub async fn merge_status(&self, shoot: &Shoot, status: Value) {
        let parameters = PatchParams { field_manager: Some("test".to_owned()), ..PatchParams::default() };
        let patch = Patch::Merge(json!({ "status": status }));
        self.infrastructures(shoot).patch_status(&shoot.name, &parameters, &patch).await.unwrap();
    }

    /// Sets annotations of the Infrastructure; `null` takes one away.
    pub async fn annotate(&self, shoot: &Shoot, annotations: Value) {
        self.merge(shoot, json!({ "metadata": { "annotations": annotations } })).await;
    }

    /// Asks for an operation, as gardenlet does.
    pub async fn operate(&self, shoot: &Shoot, operation: &str) {
        let now = jiff::Timestamp::now().to_string();
        self.annotate(shoot, json!({ "gardener.cloud/operation": operation, "gardener.cloud/timestamp": now }))
            .await;
    }

    /// Waits until the Infrastructure of a Shoot is so, and answers with it.
    pub async fn until(&self, shoot: &Shoot, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let what = format!("{}: {what}", shoot.namespace);
        until(&what, LIMIT, async || Some(self.infrastructure(shoot).await).filter(&is)).await
    }

    /// What events of a namespace say: type, reason and text, in the order of their names.
    pub async fn events(&self, namespace: &str) -> Vec<String> {
        let api = self.namespaced(namespace, &resource("events.k8s.io", "v1", "Event"));
        let events = api.list(&ListParams::default()).await.unwrap();
        let text = |event: &DynamicObject, key: &str| event.data[key].as_str().unwrap_or_default().to_owned();
        let say = |event: &DynamicObject| {
            format!("{} {}: {}", text(event, "type"), text(event, "reason"), text(event, "note"))
        };
        events.items.iter().map(say).collect()
    }

    /// The object that a text describes, and where it belongs.
    fn parse(&self, object: &Value) -> (Api<DynamicObject>, DynamicObject) {
        let parsed: DynamicObject = serde_json::from_value(object.clone()).unwrap();
        let types = parsed.types.as_ref().unwrap();
        let (group, version) = types.api_version.split_once('/').unwrap_or(("", &types.api_version));
        let resource = resource(group, version, &types.kind);
        let api = match &parsed.metadata.namespace {
            Some(namespace) => self.namespaced(namespace, &resource),
            None => self.global(&resource),
        };
        (api, parsed)
    }

    /// Creates an object, with whatever JSON has.
    pub async fn create(&self, object: &Value) {
        let (api, parsed) = self.parse(object);
        api.create(&PostParams::default(), &parsed).await.unwrap();
    }

    /// Creates an object, or sets the fields given.
    pub async fn apply(&self, object: &Value) {
        let (api, parsed) = self.parse(object);
        let parameters = PatchParams::apply("test").force();
        let name = parsed.metadata.name.as_deref().unwrap();
        api.patch(name, &parameters, &Patch::Apply(object)).await.unwrap();
    }

    /// Deletes every extension resource, Cluster and namespace of a Shoot, whatever holds it: what a failed test
    /// left would be reconciled in the next one.
    pub async fn clear(&self) {
        for kind in KINDS {
            let all = self.global(&extension(kind)).list(&ListParams::default()).await.unwrap();
            for object in all {
                let (name, namespace) = (object.metadata.name.unwrap(), object.metadata.namespace);
                let api = match namespace {
                    Some(namespace) => self.namespaced(&namespace, &extension(kind)),
                    None => self.global(&extension(kind)),
                };
                let confirmed = json!({ "metadata": {
                    "finalizers": null, "annotations": { "confirmation.gardener.cloud/deletion": "true" },
                } });
                let patched = api.patch(&name, &PatchParams::default(), &Patch::Merge(confirmed)).await;
                ignore_missing(patched.map(drop));
                ignore_missing(api.delete(&name, &DeleteParams::default()).await.map(drop));
            }
        }
        let namespaces = self.global(&resource("", "v1", "Namespace"));
        let of_shoots = async || {
            let all = namespaces.list(&ListParams::default()).await.unwrap();
            let names = all.into_iter().map(|object| object.metadata.name.unwrap());
            names.filter(|name| name.starts_with("shoot--")).collect::<Vec<_>>()
        };
        for name in of_shoots().await {
            ignore_missing(namespaces.delete(&name, &DeleteParams::default()).await.map(drop));
        }
        until("the namespaces of Shoots have gone", CLEARED, async || of_shoots().await.is_empty().then_some(()))
            .await;
    }
}

fn ignore_missing(result: Result<(), kube::Error>) {
    match result {
        Err(kube::Error::Api(status)) if status.code == 404 => {}
        result => result.unwrap(),
    }
}

/// The annotations of an object.
pub fn annotations(object: &Value) -> Map<String, Value> {
    object["metadata"]["annotations"].as_object().cloned().unwrap_or_default()
}

/// Whether the last operation of an object succeeded and nothing else is asked for.
pub fn succeeded(object: &Value) -> bool {
    object["status"]["lastOperation"]["state"] == "Succeeded"
        && object["status"]["observedGeneration"] == object["metadata"]["generation"]
        && !annotations(object).contains_key("gardener.cloud/operation")
}
