//! Writes of many objects.

use std::future::Future;

use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::{Value, json};

use super::MANAGER;
use crate::api_server::member::number;
use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{DEPLOYMENTS, Resource};
use trellis_runner::state::object::ApiError;

/// The most requests at a time.
const MOST_AT_ONCE: usize = 20;

/// Changes an object that was read before, or creates it; it is read again where somebody else was faster. Returns
/// the object as it is then; none where nothing was written.
pub async fn bring(
    objects: &Objects,
    of: &Resource,
    (namespace, name): (&str, &str),
    live: Option<&Value>,
    change: impl Fn(Option<&Value>) -> Option<Value>,
) -> Result<Option<Value>, WriteError> {
    let Some(wanted) = change(live) else { return Ok(None) };
    let written = match live {
        None => objects.create(of, &wanted).await,
        Some(live) => objects.patch(of, live, &wanted).await,
    };
    match written {
        Err(WriteError::Api(ApiError::Conflict | ApiError::AlreadyExists | ApiError::NotFound)) => {
            objects.change(of, namespace, name, change).await
        }
        written => written.map(Some),
    }
}

/// Carries out requests, some of them at a time. Each one is carried out; the first error is returned.
pub async fn all<T>(requests: Vec<impl Future<Output = Result<T, WriteError>>>) -> Result<Vec<T>, WriteError> {
    let done: Vec<Result<T, WriteError>> = stream::iter(requests).buffered(MOST_AT_ONCE).collect().await;
    done.into_iter().collect()
}

/// Deletes objects.
pub async fn delete<'v>(
    objects: &Objects,
    of: &Resource,
    live: impl Iterator<Item = &'v Value>,
) -> Result<(), WriteError> {
    all(live.map(|live| objects.delete(of, live)).collect()).await.map(drop)
}

/// How many pods the machine-controller-manager should have; none where there is no such Deployment.
pub async fn manager(objects: &Objects, namespace: &str) -> Result<i64, WriteError> {
    let deployment = objects.get(&DEPLOYMENTS, namespace, MANAGER).await?;
    Ok(deployment.map(|deployment| number(&deployment, "/spec/replicas")).unwrap_or_default())
}

/// Scales the machine-controller-manager, where it exists.
pub async fn scale_manager(objects: &Objects, namespace: &str, replicas: i64) -> Result<(), WriteError> {
    let change = |live: Option<&Value>| {
        live.filter(|live| number(live, "/spec/replicas") != replicas)
            .map(|_| json!({ "spec": { "replicas": replicas } }))
    };
    objects.change(&DEPLOYMENTS, namespace, MANAGER, change).await.map(drop)
}
