//! The Secrets of a namespace, for a keeper of certificates.

use serde_json::Value;

use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::SECRETS;
use crate::certificates::SecretStore;
use trellis_runner::state::object::ApiError;

/// The Secrets of a namespace.
#[derive(Clone)]
pub struct SecretsOf {
    /// The way to the API server.
    pub objects: Objects,
    /// The namespace.
    pub namespace: String,
}

impl SecretStore for SecretsOf {
    type Error = WriteError;

    async fn list(&self, selector: &str) -> Result<Vec<Value>, WriteError> {
        self.objects.list(&SECRETS, &self.namespace, selector).await
    }

    async fn get(&self, name: &str) -> Result<Option<Value>, WriteError> {
        self.objects.get(&SECRETS, &self.namespace, name).await
    }

    async fn create(&self, secret: &Value) -> Result<Option<Value>, WriteError> {
        match self.objects.create(&SECRETS, secret).await {
            Err(WriteError::Api(ApiError::AlreadyExists)) => Ok(None),
            created => created.map(Some),
        }
    }

    async fn patch(&self, live: &Value, patch: &Value) -> Result<(), WriteError> {
        self.objects.patch(&SECRETS, live, patch).await.map(drop)
    }

    async fn delete(&self, live: &Value) -> Result<(), WriteError> {
        self.objects.delete(&SECRETS, live).await
    }
}
