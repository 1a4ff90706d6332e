//! Clusters: what gardenlet says to extensions of a Shoot, its Seed and its CloudProfile.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Weak};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use serde::{Deserialize, Deserializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::controller::runtime::kind::{GROUP, VERSION};

/// The annotation of a Shoot, or of another object, whose deletion must not wait for anything.
pub const FORCE_DELETION: &str = "confirmation.gardener.cloud/force-deletion";
/// The annotation of a Cluster with the name of the Secret that all components reach the Shoot's API server by.
const GENERIC_KUBECONFIG: &str = "generic-token-kubeconfig.secret.gardener.cloud/name";
/// Domains of the annotations of a Shoot that controllers read.
const READ: [&str; 3] =
    ["confirmation.gardener.cloud/", "infrastructure.trellis.gardener.cloud/", "trellis.gardener.cloud/"];

/// What gardenlet writes again at each reconcile of a Shoot, while nothing else changes. No policy reads it.
const PASSING: [(&str, &[&str]); 2] = [
    ("metadata", &["managedFields", "resourceVersion"]),
    (
        "status",
        &["conditions", "constraints", "lastErrors", "lastOperation", "observedGeneration", "retryCycleStartTime"],
    ),
];

/// A Cluster. Its objects stay the text that they are, for the policy.
#[derive(Clone, Debug)]
pub struct Cluster {
    metadata: ObjectMeta,
    cloud_profile: Option<Arc<RawValue>>,
    seed: Option<Arc<RawValue>>,
    shoot: Option<Arc<RawValue>>,
    /// Name and annotations of the Cluster, as far as policies read them.
    described: Arc<RawValue>,
    /// Annotations of the Shoot, as far as controllers read them.
    annotations: BTreeMap<String, String>,
    has_failed: bool,
    hibernates: bool,
    is_hibernated: bool,
    lasting: u64,
}

impl Cluster {
    /// The objects for a policy, by the names of its requests.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &RawValue)> {
        let parts = [("cloudProfile", &self.cloud_profile), ("seed", &self.seed), ("shoot", &self.shoot)];
        parts.into_iter().filter_map(|(name, part)| part.as_deref().map(|part| (name, part)))
    }

    /// The objects, and the metadata of the Cluster.
    pub fn described(&self) -> impl Iterator<Item = (&'static str, &RawValue)> {
        self.parts().chain([("metadata", &*self.described)])
    }

    /// A hash of all but what passes: of a Cluster with the same one, controllers and policies read the same.
    pub fn lasting(&self) -> u64 {
        self.lasting
    }

    /// The Shoot, read whole.
    pub fn shoot(&self) -> Option<Value> {
        serde_json::from_str(self.shoot.as_ref()?.get()).ok()
    }

    /// An annotation of the Shoot in one of the domains that controllers read.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.get(key).map(String::as_str)
    }

    /// Whether the Shoot's last operation has failed, and no controller may go on with its resources.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether the Shoot sleeps already.
    pub fn is_hibernated(&self) -> bool {
        self.is_hibernated
    }

    /// Whether the Shoot is to hibernate.
    pub fn hibernates(&self) -> bool {
        self.hibernates
    }

    /// Whether the deletion of the Shoot must not wait for anything.
    pub fn is_forced(&self) -> bool {
        // What Go's ParseBool takes for true.
        self.annotation(FORCE_DELETION).is_some_and(|text| ["1", "t", "T", "true", "TRUE", "True"].contains(&text))
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec {
    cloud_profile: Option<Box<RawValue>>,
    seed: Option<Box<RawValue>>,
    shoot: Option<Box<RawValue>>,
}

impl<'de> Deserialize<'de> for Cluster {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Object {
            metadata: ObjectMeta,
            #[serde(default)]
            spec: Spec,
        }
        let Object { mut metadata, spec } = Object::deserialize(deserializer)?;
        metadata.managed_fields = None;
        let mut annotations = metadata.annotations.take().unwrap_or_default();
        annotations.retain(|key, _| key == GENERIC_KUBECONFIG);
        let described = json!({ "name": metadata.name, "annotations": annotations });
        let described = to_raw_value(&described).map_err(serde::de::Error::custom)?;
        let shoot: Value =
            spec.shoot.as_ref().and_then(|shoot| serde_json::from_str(shoot.get()).ok()).unwrap_or_default();
        let annotations = shoot.pointer("/metadata/annotations").and_then(Value::as_object);
        let read = |(key, value): (&String, &Value)| {
            let is_read = READ.iter().any(|domain| key.starts_with(domain));
            is_read.then(|| Some((key.clone(), value.as_str()?.to_owned())))?
        };
        let annotations = annotations.into_iter().flatten().filter_map(read).collect();
        let part = |part: Option<Box<RawValue>>| part.filter(|part| part.get().starts_with('{')).map(Arc::from);
        Ok(Self {
            annotations,
            is_hibernated: shoot.pointer("/status/hibernated").and_then(Value::as_bool) == Some(true),
            hibernates: shoot.pointer("/spec/hibernation/enabled").and_then(Value::as_bool) == Some(true),
            has_failed: shoot.pointer("/status/lastOperation/state").and_then(Value::as_str) == Some("Failed"),
            lasting: lasting(shoot, &described, &spec),
            metadata,
            described: described.into(),
            cloud_profile: part(spec.cloud_profile),
            seed: part(spec.seed),
            shoot: part(spec.shoot),
        })
    }
}

/// A hash of what lasts. `shoot` is that of the specification, read.
fn lasting(shoot: Value, described: &RawValue, spec: &Spec) -> u64 {
    let seed: Option<Value> = spec.seed.as_ref().and_then(|seed| serde_json::from_str(seed.get()).ok());
    let of = |mut object: Value| {
        for (part, passing) in PASSING {
            if let Some(Value::Object(members)) = object.get_mut(part) {
                members.retain(|key, _| !passing.contains(&key.as_str()));
            }
        }
        object.to_string()
    };
    let profile = spec.cloud_profile.as_ref().map(|profile| profile.get());
    let mut hasher = DefaultHasher::new();
    (described.get(), profile, of(shoot), seed.map(of)).hash(&mut hasher);
    hasher.finish()
}

impl Resource for Cluster {
    type DynamicType = ();
    type Scope = kube::core::ClusterResourceScope;

    fn kind((): &()) -> Cow<'_, str> {
        "Cluster".into()
    }

    fn group((): &()) -> Cow<'_, str> {
        GROUP.into()
    }

    fn version((): &()) -> Cow<'_, str> {
        VERSION.into()
    }

    fn plural((): &()) -> Cow<'_, str> {
        "clusters".into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// Keeps equal texts once, because the Clusters of a seed have the same Seed and few CloudProfiles.
#[derive(Debug, Default)]
pub struct Shared(Vec<Weak<RawValue>>);

impl Shared {
    /// Replaces the texts of a Cluster by equal ones that are there already.
    pub fn share(&mut self, cluster: &mut Cluster) {
        for part in [&mut cluster.cloud_profile, &mut cluster.seed].into_iter().flatten() {
            self.0.retain(|known| known.strong_count() > 0);
            match self.0.iter().filter_map(Weak::upgrade).find(|known| known.get() == part.get()) {
                Some(known) => *part = known,
                None => self.0.push(Arc::downgrade(part)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(spec: &Value) -> Cluster {
        let text = json!({ "metadata": { "name": "shoot--a--b" }, "spec": spec }).to_string();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_shoot_shows_whether_it_failed_and_whether_its_deletion_is_forced() {
        let one = cluster(&json!({ "shoot": {
            "metadata": { "annotations": { FORCE_DELETION: "True", "other": "x", "trellis.gardener.cloud/pause": "true" } },
            "status": { "lastOperation": { "state": "Failed" } },
        } }));
        assert!(one.has_failed() && one.is_forced());
        assert_eq!(
            (one.annotation("other"), one.annotation("trellis.gardener.cloud/pause")),
            (None, Some("true"))
        );
        let other = cluster(&json!({ "shoot": { "metadata": { "annotations": { FORCE_DELETION: "yes" } } } }));
        assert!(!other.has_failed() && !other.is_forced());
    }

    #[test]
    fn what_lasts_of_a_cluster_is_all_but_what_gardenlet_writes_at_each_reconcile() {
        let object =
            |status: Value| json!({ "metadata": { "resourceVersion": "1" }, "spec": {}, "status": status });
        let one = json!({ "cloudProfile": {}, "seed": object(json!({})), "shoot": object(json!({})) });
        let lasting = |pointer: &str, value: Value| {
            let mut other = one.clone();
            *other.pointer_mut(pointer).unwrap() = value;
            cluster(&other).lasting()
        };
        let passing = json!({ "conditions": [{}], "lastOperation": { "progress": 1 }, "observedGeneration": 2 });
        for same in [("/shoot/status", passing.clone()), ("/seed/status", passing), ("/shoot/metadata", json!({}))]
        {
            assert_eq!(lasting(same.0, same.1.clone()), cluster(&one).lasting(), "{same:?}");
        }
        for other in [
            ("/shoot/spec", json!({ "a": 1 })),
            ("/shoot/metadata", json!({ "annotations": { "a": "b" } })),
            ("/shoot/status", json!({ "credentials": {} })),
            ("/seed/spec", json!({ "a": 1 })),
            ("/seed/status", json!({ "kubernetesVersion": "1.35.0" })),
            ("/cloudProfile", json!({ "spec": {} })),
        ] {
            assert_ne!(lasting(other.0, other.1.clone()), cluster(&one).lasting(), "{other:?}");
        }
    }

    #[test]
    fn the_shoot_shows_whether_it_is_to_hibernate() {
        for (spec, hibernates) in [
            (json!({}), false),
            (json!({ "hibernation": {} }), false),
            (json!({ "hibernation": { "enabled": false } }), false),
            (json!({ "hibernation": { "enabled": true } }), true),
        ] {
            assert_eq!(cluster(&json!({ "shoot": { "spec": spec } })).hibernates(), hibernates, "{spec}");
        }
    }

    #[test]
    fn what_is_no_object_counts_as_absent() {
        let one = cluster(&json!({ "cloudProfile": 7, "seed": null, "shoot": "text" }));
        assert_eq!(one.parts().count(), 0);
        assert_eq!(cluster(&json!({ "shoot": {} })).parts().map(|(name, _)| name).collect::<Vec<_>>(), ["shoot"]);
    }

    #[test]
    fn equal_texts_are_kept_once_and_freed_with_their_last_cluster() {
        let mut shared = Shared::default();
        let spec = json!({ "cloudProfile": { "spec": {} }, "shoot": {} });
        let (mut one, mut two) = (cluster(&spec), cluster(&spec));
        shared.share(&mut one);
        shared.share(&mut two);
        assert!(Arc::ptr_eq(one.cloud_profile.as_ref().unwrap(), two.cloud_profile.as_ref().unwrap()));
        drop((one, two));
        shared.share(&mut cluster(&json!({ "seed": {} })));
        assert_eq!(shared.0.len(), 1);
    }
}
