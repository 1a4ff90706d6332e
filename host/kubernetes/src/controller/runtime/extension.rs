//! Extension resources as the cache holds them: what decides whether, and what, a controller has to do.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use kube::core::ApiResource;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::api_server::managed_fields::WithoutManagedFields;
use crate::controller::runtime::kind::Operation;

/// The annotation by which gardenlet asks for an operation.
pub const OPERATION: &str = "gardener.cloud/operation";
/// The annotation with the time at which gardenlet asked.
pub const TIMESTAMP: &str = "gardener.cloud/timestamp";

/// An extension resource. Whatever a field holds that it should not, counts as absent: such an object must fail
/// alone.
#[derive(Clone, Debug)]
pub struct Extension {
    /// Name, namespace, annotations, finalizers and so on, without managed fields.
    pub metadata: ObjectMeta,
    /// `spec.type`.
    pub provider: String,
    /// `spec.class`; `shoot` where absent.
    pub class: String,
    /// Namespace and name of `spec.secretRef`.
    pub secret: Option<(String, String)>,
    /// Whether it is a Worker with pools whose nodes a person updates in place.
    pub is_updated_by_hand: bool,
    /// `status.lastOperation`.
    pub last: Option<LastOperation>,
    /// `status.lastError.description`.
    pub error: Option<String>,
    /// `status.conditions` as text; none where there are none.
    conditions: Option<Box<str>>,
    /// Of the whole status.
    status: u64,
}

/// The last operation of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastOperation {
    /// Such as `Create`.
    pub operation: String,
    /// Such as `Succeeded`.
    pub state: String,
    /// When the operation was reported last.
    pub updated: Option<Timestamp>,
}

/// What somebody asks for in the annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// `reconcile`
    Reconcile,
    /// `migrate`
    Migrate,
    /// `restore`
    Restore,
    /// `wait-for-state`: the state of the object comes later, and no controller may touch it before.
    WaitForState,
}

impl Extension {
    /// Reads an object.
    fn read(mut object: Value) -> Result<Self, serde_json::Error> {
        let metadata = object.get_mut("metadata").map(Value::take).unwrap_or_default();
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let last =
            object.pointer("/status/lastOperation").filter(|last| last.is_object()).map(|_| LastOperation {
                operation: text("/status/lastOperation/type").unwrap_or_default(),
                state: text("/status/lastOperation/state").unwrap_or_default(),
                updated: text("/status/lastOperation/lastUpdateTime").and_then(|time| time.parse().ok()),
            });
        let named = text("/spec/secretRef/namespace").zip(text("/spec/secretRef/name"));
        let mut hasher = DefaultHasher::new();
        object.get("status").map(Value::to_string).hash(&mut hasher);
        Ok(Self {
            metadata: serde_json::from_value(metadata)?,
            provider: text("/spec/type").unwrap_or_default(),
            class: text("/spec/class").filter(|class| !class.is_empty()).unwrap_or_else(|| SHOOT.to_owned()),
            secret: named,
            is_updated_by_hand: is_updated_by_hand(&object),
            last,
            error: text("/status/lastError/description"),
            conditions: object
                .pointer("/status/conditions")
                .filter(|conditions| conditions.as_array().is_some_and(|all| !all.is_empty()))
                .map(|conditions| conditions.to_string().into()),
            status: hasher.finish(),
        })
    }

    /// Namespace; empty for an object without one.
    pub fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// Name.
    pub fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    /// The version, as a number: a greater one is newer. Kubernetes compares versions of an object so since 1.35.
    pub fn version(&self) -> Option<u64> {
        self.metadata.resource_version.as_deref()?.parse().ok()
    }

    /// The value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        annotation(self.metadata.annotations.as_ref(), key)
    }

    /// What somebody asks for in the annotation.
    pub fn request(&self) -> Option<Request> {
        match self.annotation(OPERATION)? {
            "reconcile" => Some(Request::Reconcile),
            "migrate" => Some(Request::Migrate),
            "restore" => Some(Request::Restore),
            "wait-for-state" => Some(Request::WaitForState),
            _ => None,
        }
    }

    /// Whether somebody has deleted the object, which waits for its finalizers.
    pub fn is_deleted(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// Whether the last operation succeeded.
    pub fn has_succeeded(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.state == SUCCEEDED)
    }

    /// Whether gardenlet waits for an operation that nobody asks for any more: a process ended after it took the
    /// annotation away, and before the status said that the operation begins. gardenlet compares whole seconds.
    pub fn lacks_answer(&self) -> bool {
        let asked: Option<Timestamp> = self.annotation(TIMESTAMP).and_then(|time| time.parse().ok());
        let answered = self.last.as_ref().and_then(|last| last.updated);
        self.annotation(OPERATION).is_none()
            && asked.zip(answered).is_some_and(|(asked, answered)| asked.as_second() > answered.as_second())
    }

    /// Whether the object has left for another seed.
    pub fn has_migrated(&self) -> bool {
        self.has_succeeded() && self.last.as_ref().is_some_and(|last| last.operation == Operation::Migrate.name())
    }

    /// `status.conditions`.
    pub fn conditions(&self) -> Vec<Value> {
        // Never fails, because it was a list.
        self.conditions.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// Whether two versions of an object have the same status.
    pub fn has_status_of(&self, other: &Self) -> bool {
        self.status == other.status
    }

    /// What there is to do with the object; the first that matches (reference: gardener-contract 2.2).
    pub fn operation(&self) -> Operation {
        let is_unfinished = |operation: Operation| {
            let last = self.last.as_ref();
            last.is_some_and(|last| last.operation == operation.name() && last.state != SUCCEEDED)
        };
        match self.request() {
            Some(Request::Migrate) => Operation::Migrate,
            _ if self.is_deleted() => Operation::Delete,
            Some(Request::Restore) => Operation::Restore,
            _ if self.last.is_none() || is_unfinished(Operation::Create) => Operation::Create,
            _ if is_unfinished(Operation::Migrate) => Operation::Migrate,
            _ if is_unfinished(Operation::Restore) => Operation::Restore,
            _ => Operation::Reconcile,
        }
    }
}

/// `lastOperation.state` of what is done.
pub const SUCCEEDED: &str = "Succeeded";
/// The class of an object that names none.
pub const SHOOT: &str = "shoot";

fn is_updated_by_hand(object: &Value) -> bool {
    let pools = object.pointer("/spec/pools").and_then(Value::as_array);
    let strategy =
        |pool: &Value| pool.get("updateStrategy").and_then(Value::as_str) == Some("ManualInPlaceUpdate");
    pools.is_some_and(|pools| pools.iter().any(strategy))
}

/// The value of an annotation.
fn annotation<'a>(annotations: Option<&'a BTreeMap<String, String>>, key: &str) -> Option<&'a str> {
    annotations?.get(key).map(String::as_str)
}

impl<'de> Deserialize<'de> for Extension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WithoutManagedFields(object) = WithoutManagedFields::deserialize(deserializer)?;
        Self::read(object).map_err(serde::de::Error::custom)
    }
}

impl Resource for Extension {
    type DynamicType = ApiResource;
    type Scope = kube::core::DynamicResourceScope;

    fn kind(resource: &ApiResource) -> Cow<'_, str> {
        resource.kind.as_str().into()
    }

    fn group(resource: &ApiResource) -> Cow<'_, str> {
        resource.group.as_str().into()
    }

    fn version(resource: &ApiResource) -> Cow<'_, str> {
        resource.version.as_str().into()
    }

    fn plural(resource: &ApiResource) -> Cow<'_, str> {
        resource.plural.as_str().into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

#[cfg(test)]
mod tests;
