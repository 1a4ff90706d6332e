//! Reads objects of the garden, one at a time. Nothing is cached, and nobody lists or watches Secrets.

use std::fmt;

use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use serde_json::Value;
use tokio::time::Instant;

use crate::api_server::objects::Objects;
use crate::api_server::resource::{
    CLOUD_PROFILES, CREDENTIALS_BINDINGS, NAMESPACED_CLOUD_PROFILES, Resource, SECRET_BINDINGS, SECRETS,
};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::observe::FactError;

/// The API server of a garden.
#[derive(Clone)]
pub struct Garden(pub Client);

/// Why there is no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoObject {
    /// There is none, in the words of an API server.
    NotFound(String),
    /// The API server does not say now.
    Unknown(String),
}

impl Garden {
    /// Reads an object.
    pub async fn get(
        &self,
        of: &Resource,
        namespace: &str,
        name: &str,
        deadline: Instant,
    ) -> Result<Value, NoObject> {
        let objects = Objects::new(self.0.clone(), Permit::unlimited(), deadline);
        let what = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
        let late = || NoObject::Unknown(format!("{} `{what}` was not read in time", of.kind));
        match tokio::time::timeout_at(deadline, objects.get(of, namespace, name)).await {
            Err(_) => Err(late()),
            Ok(Err(error)) => Err(NoObject::Unknown(format!("{} `{what}` cannot be read: {error}", of.kind))),
            Ok(Ok(Some(object))) => Ok(object),
            Ok(Ok(None)) => Err(NoObject::NotFound(of.not_found(name))),
        }
    }

    /// The profile that a Shoot names; none where it names none.
    pub async fn profile(&self, shoot: &Value, deadline: Instant) -> Option<Result<Value, NoObject>> {
        let text = |pointer: &str| text(shoot, pointer);
        let (kind, name) = match (text("/spec/cloudProfile/name"), text("/spec/cloudProfileName")) {
            (Some(name), _) => (text("/spec/cloudProfile/kind").unwrap_or(CLOUD_PROFILES.kind), name),
            (None, Some(name)) => (CLOUD_PROFILES.kind, name),
            (None, None) => return None,
        };
        let namespace = text("/metadata/namespace").unwrap_or_default();
        let of_namespace = kind == NAMESPACED_CLOUD_PROFILES.kind;
        let (of, namespace) =
            if of_namespace { (&NAMESPACED_CLOUD_PROFILES, namespace) } else { (&CLOUD_PROFILES, "") };
        Some(self.get(of, namespace, name, deadline).await)
    }

    /// The Secret with the credentials of a Shoot: the one behind its binding.
    pub async fn secret(&self, shoot: &Value, deadline: Instant) -> Result<Secret, NoObject> {
        let namespace = text(shoot, "/metadata/namespace").unwrap_or_default();
        let (of, name, place) =
            match (text(shoot, "/spec/secretBindingName"), text(shoot, "/spec/credentialsBindingName")) {
                (Some(name), _) => (&SECRET_BINDINGS, name, "/secretRef"),
                (None, Some(name)) => (&CREDENTIALS_BINDINGS, name, "/credentialsRef"),
                (None, None) => {
                    let words = "shoot has neither secretBindingName nor credentialsBindingName";
                    return Err(NoObject::NotFound(words.to_owned()));
                }
            };
        let binding = self.get(of, namespace, name, deadline).await?;
        let reference = |key: &str| text(&binding, &format!("{place}/{key}")).unwrap_or_default();
        if !["", SECRETS.kind].contains(&reference("kind")) {
            let words = format!("{} `{namespace}/{name}` names no Secret", of.kind);
            return Err(NoObject::NotFound(words));
        }
        let (namespace, name) = (reference("namespace"), reference("name"));
        let secret = self.get(&SECRETS, namespace, name, deadline).await?;
        let unreadable = || NoObject::NotFound(format!("secret {namespace}/{name} cannot be read"));
        serde_json::from_value(secret).map_err(|_| unreadable())
    }
}

impl NoObject {
    /// The fact that there is no object. An error is why nobody knows.
    pub fn into_fact(self) -> Result<FactError, String> {
        match self {
            Self::NotFound(message) => Ok(FactError { code: "NotFound".to_owned(), message, http_status: 404 }),
            Self::Unknown(why) => Err(why),
        }
    }
}

impl fmt::Debug for Garden {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Garden")
    }
}

fn text<'v>(object: &'v Value, pointer: &str) -> Option<&'v str> {
    object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}
