//! Reads objects of Kubernetes for policies.

use std::fmt;

use kube::api::DynamicObject;
use kube::core::GroupVersionKind;
use kube::discovery::pinned_kind;
use kube::{Api, Client};
use serde_json::Value;

use super::api::told;
use crate::run::reads::Read;
use crate::run::world::Reader;
use crate::state::object::ApiError;
use crate::transport::CallFailure;

/// Reads from an API server.
#[derive(Clone)]
pub struct ClusterReader(pub Client);

impl fmt::Debug for ClusterReader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ClusterReader")
    }
}

impl Reader for ClusterReader {
    async fn get(&self, read: &Read) -> Result<Option<Value>, CallFailure> {
        let (group, version) = read.api_version.split_once('/').unwrap_or(("", &read.api_version));
        let kind = GroupVersionKind::gvk(group, version, &read.kind);
        let found = async {
            let (resource, _) = pinned_kind(&self.0, &kind).await?;
            let api: Api<DynamicObject> = match &read.namespace {
                Some(namespace) => Api::namespaced_with(self.0.clone(), namespace, &resource),
                None => Api::all_with(self.0.clone(), &resource),
            };
            let object = api.get_opt(&read.name).await?;
            object.map(|object| serde_json::to_value(object).map_err(kube::Error::SerdeError)).transpose()
        };
        found.await.map_err(|error| match told(&error) {
            ApiError::Refused { status, message } => {
                CallFailure { code: "Refused".to_owned(), message, http_status: status, ..CallFailure::default() }
            }
            error => CallFailure {
                code: "ApiServer".to_owned(),
                message: error.to_string(),
                http_status: 503,
                ..CallFailure::default()
            },
        })
    }
}
