//! Reads objects of Kubernetes for policies.

use std::fmt;

use kube::api::DynamicObject;
use kube::core::GroupVersionKind;
use kube::discovery::pinned_kind;
use kube::{Api, Client};
use serde_json::Value;

use crate::api_server::requests::told;
use trellis_runner::call::CallFailure;
use trellis_runner::run::reads::Read;
use trellis_runner::run::world::Reader;
use trellis_runner::state::object::ApiError;

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
        let found: Result<Option<Value>, kube::Error> = found.await;
        let failure = |code: &str, message: String, http_status: u16| CallFailure {
            code: code.to_owned(),
            message,
            http_status,
            ..CallFailure::default()
        };
        match found {
            Ok(found) => Ok(found),
            // The API server does not serve the kind.
            Err(kube::Error::Discovery(_)) => Ok(None),
            Err(error) => match told(&error) {
                ApiError::NotFound => Ok(None),
                ApiError::Refused { status, message } => Err(failure("Refused", message, status)),
                error => Err(failure("ApiServer", error.to_string(), 503)),
            },
        }
    }
}
