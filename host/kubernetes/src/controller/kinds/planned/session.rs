//! Sessions with the cloud, with the credentials that objects name.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{CONFIGURATION, Further, Planned, UNAUTHENTICATED};
use crate::api_server::member::text;
use crate::controller::runtime::actuator::{Ended, Task};
use crate::controller::runtime::kind::Kind;
use crate::controller::runtime::secrets::NoCredentials;
use crate::controller::runtime::status::Failure;
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::transport::Session;

impl Planned {
    /// Carries out an operation with the credentials that the object names.
    pub(in crate::controller::kinds) async fn operate(&self, kind: &'static Kind, task: Task<'_>) -> Ended {
        let account = self.account(task.object).await;
        match account.and_then(|account| self.session(text(task.object, "/spec/region"), account)) {
            Ok(session) => self.carry_out(kind, task, session, Further::default()).await,
            Err(failure) => Ended::Failed(failure, Map::new()),
        }
    }

    /// The account whose credentials are in the Secret that an object names.
    pub(in crate::controller::kinds) async fn account(&self, object: &Value) -> Result<Accounts, Failure> {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let namespace = text("/metadata/namespace").unwrap_or_default();
        let Some(name) = text("/spec/secretRef/name") else {
            let words = "`spec.secretRef.name` is missing: name the Secret with the credentials of the account";
            return Err(Failure::new(words).coded(CONFIGURATION));
        };
        let secret = (text("/spec/secretRef/namespace").unwrap_or(namespace).to_owned(), name.to_owned());
        Ok(Accounts::new(self.credentials(&secret).await?))
    }

    /// A session in a region.
    pub(in crate::controller::kinds) fn session(
        &self,
        region: &str,
        accounts: Accounts,
    ) -> Result<Session, Failure> {
        let (family, endpoint) = (Arc::clone(&self.family), self.endpoint.clone());
        let session = Session::new(family, &self.wire, endpoint, region, accounts, self.allowed_calls.clone());
        session.map_err(|error| Failure::new(error.to_string()))
    }

    /// The credentials in a Secret, by its namespace and name.
    pub(in crate::controller::kinds) async fn credentials(
        &self,
        secret: &(String, String),
    ) -> Result<CredentialSource, Failure> {
        self.secrets.source(secret).await.map_err(|error| {
            let failure = Failure::new(error.to_string());
            match error {
                NoCredentials::NotFound(..) => failure.coded(CONFIGURATION),
                NoCredentials::Credential(_) => failure.coded(UNAUTHENTICATED),
                NoCredentials::Api(..) => failure,
            }
        })
    }
}
