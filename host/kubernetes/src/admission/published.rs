//! A ConfigMap that says which policy judges, for programs that judge before: a dashboard loads the same version.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, interval};

use super::parts::Mode;
use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::CONFIG_MAPS;
use trellis_policies::engine::{Engine, Versions};
use trellis_policies::policy::Policy;
use trellis_runner::limits::permit::Permit;
use trellis_runner::state::object::ApiError;

/// The namespace for what every authenticated user of a garden may read (Gardener's own `gardener-info` is there).
pub const NAMESPACE: &str = "gardener-system-public";
/// How often the process looks whether the ConfigMap says what is in use. Where that is so, nothing is written.
const INTERVAL: Duration = Duration::from_mins(1);
/// The longest time for one look.
const LIMIT: Duration = Duration::from_secs(30);

/// What is published, and where.
pub struct Published {
    /// The API server of the garden.
    pub client: kube::Client,
    /// The namespace of the ConfigMap.
    pub namespace: String,
    /// The provider type.
    pub provider: String,
    /// What becomes of an object that a rule rejects.
    pub mode: Mode,
    /// The policies in use.
    pub policies: Arc<Versions>,
}

/// Why the ConfigMap does not say what is in use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PublishError {
    /// The process may not write it.
    #[error(
        "objects are judged, and no dashboard learns which policy judges: allow this process to `create`, `get` and `patch` `configmaps` in the namespace `{namespace}`, or leave the ConfigMap out by --policy-config-map-namespace=: {message}"
    )]
    Forbidden {
        /// Where it would be.
        namespace: String,
        /// What the API server says.
        message: String,
    },
    /// Something else.
    #[error("the ConfigMap with the version of the policy cannot be written: {0}")]
    Failed(String),
}

impl Published {
    /// Keeps the ConfigMap, for ever.
    pub async fn keep(self) {
        let mut ticks = interval(INTERVAL);
        let mut last = None;
        loop {
            ticks.tick().await;
            let outcome = self.write().await.err();
            if let Some(error) = outcome.as_ref().filter(|error| Some(*error) != last.as_ref()) {
                tracing::warn!("{error}");
            }
            last = outcome;
        }
    }

    pub(super) async fn write(&self) -> Result<(), PublishError> {
        let wanted = self.wanted(&*self.policies.current()).map_err(PublishError::Failed)?;
        let objects = Objects::new(self.client.clone(), Permit::unlimited(), Instant::now() + LIMIT);
        objects.keep(&CONFIG_MAPS, &wanted).await.map(drop).map_err(|error| match error {
            WriteError::Api(ApiError::Refused { status: 401 | 403, message }) => {
                PublishError::Forbidden { namespace: self.namespace.clone(), message }
            }
            error => PublishError::Failed(error.to_string()),
        })
    }

    /// The ConfigMap for the policies of an engine.
    fn wanted(&self, engine: &dyn Engine) -> Result<Value, String> {
        let Self { namespace, provider, mode, .. } = self;
        let policy = Policy::load(engine, provider).map_err(|failure| failure.message)?;
        // A policy that is linked into the program has none.
        let digest = engine.file(provider).map(|file| file.digest.to_string());
        let data = json!({
            "provider": provider,
            "version": policy.info().version,
            "parity": policy.info().parity,
            "digest": digest,
            "mode": mode.to_string(),
        });
        let metadata = json!({ "namespace": namespace, "name": format!("trellis-admission-{provider}") });
        Ok(json!({ "metadata": metadata, "data": data }))
    }
}

impl fmt::Debug for Published {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Published").field("namespace", &self.namespace).finish_non_exhaustive()
    }
}
