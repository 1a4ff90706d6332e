//! The API servers of Shoots, by the kubeconfigs that gardenlet keeps for extensions (reference: gardener-contract
//! 2.9).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kube::Client;
use kube::api::ListParams;
use kube::client::ClientBuilder;
use kube::config::Kubeconfig;
use kube::core::Request;
use serde_json::Value;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::api_server::exchange::{Limits, exchange, with_causes};
use crate::api_server::member::text;
use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{NODES, SECRETS};
use crate::controller::runtime::client;
use trellis_runner::limits::permit::PermitEnded;

/// The Secret with the address inside the seed.
const INTERNAL: &str = "gardener-internal";
/// The Secret with the address for everybody.
const EXTERNAL: &str = "gardener";
/// Chooses the address for everybody, for a process outside the seed.
const VARIABLE: &str = "GARDENER_SHOOT_CLIENT";
/// The most clients that are kept with their connections; what is beyond connects again each time. They are some
/// 100 KB each.
const MOST_KEPT: usize = 100;
/// The most bytes of an answer.
const MOST_BYTES: usize = 1 << 20;

/// The API servers of Shoots.
pub struct Shoots {
    /// The names of the Secret, the first that exists.
    secrets: &'static [&'static str],
    /// The longest time for one request.
    limit: Duration,
    /// How long a client is kept that nobody uses.
    idle: Duration,
    /// By namespace.
    kept: Mutex<HashMap<String, ShootClient>>,
}

struct ShootClient {
    /// Name, uid and version of the Secret.
    secret: String,
    client: Client,
    used: Instant,
}

/// Why an API server of a Shoot says nothing.
#[derive(Debug, thiserror::Error)]
pub enum ShootError {
    /// The process may read nothing any more.
    #[error(transparent)]
    PermitEnded(#[from] PermitEnded),
    /// There is no way to the API server.
    #[error("failed to create shoot client: {0}")]
    Way(String),
    /// The API server does not do as it is asked.
    #[error("{0}")]
    Answer(String),
}

impl Shoots {
    /// With limits for a request, and for how long a client is kept that nobody uses.
    pub fn new(limit: Duration, idle: Duration) -> Self {
        let is_external = std::env::var_os(VARIABLE).is_some_and(|value| value == "external");
        let secrets: &[_] = if is_external { &[EXTERNAL] } else { &[INTERNAL, EXTERNAL] };
        Self { secrets, limit, idle, kept: Mutex::default() }
    }

    /// Whether the API server of a Shoot lists nodes. The answer has one of them, without its spec and its status:
    /// nobody reads it.
    pub async fn list_nodes(&self, objects: &Objects, namespace: &str) -> Result<(), ShootError> {
        let client = self.client(objects, namespace).await?;
        let request = Request::new(NODES.path("")).list_metadata(&ListParams::default().limit(1));
        let request = request.map_err(|error| ShootError::Answer(error.to_string()))?;
        let limits = Limits { time: self.limit, bytes: MOST_BYTES };
        let answer = exchange(&client, request, limits).await;
        answer.map(drop).map_err(|error| ShootError::Answer(error.to_string()))
    }

    async fn client(&self, objects: &Objects, namespace: &str) -> Result<Client, ShootError> {
        let secret = self.secret(objects, namespace).await?;
        let id =
            ["/metadata/name", "/metadata/uid", "/metadata/resourceVersion"].map(|at| text(&secret, at)).join(" ");
        if let Some(client) = self.find(namespace, &id) {
            return Ok(client);
        }
        let client = connect(text(&secret, "/data/kubeconfig"), self.limit).await.map_err(|why| {
            ShootError::Way(format!(
                "secret {:?} in namespace {namespace:?}: {why}",
                text(&secret, "/metadata/name")
            ))
        })?;
        self.keep(namespace, id, &client);
        Ok(client)
    }

    async fn secret(&self, objects: &Objects, namespace: &str) -> Result<Value, ShootError> {
        let mut missing = "";
        for name in self.secrets {
            match objects.glance(&SECRETS, namespace, name).await {
                Ok(Some(secret)) => return Ok(secret),
                Ok(None) => missing = name,
                Err(WriteError::PermitEnded(ended)) => return Err(ended.into()),
                Err(error) => {
                    return Err(ShootError::Way(format!("secret {name:?} in namespace {namespace:?}: {error}")));
                }
            }
        }
        Err(ShootError::Way(format!("secret {missing:?} in namespace {namespace:?} not found")))
    }

    /// A client that is kept for a Secret as it is. Those that nobody uses go.
    fn find(&self, namespace: &str, secret: &str) -> Option<Client> {
        let mut kept = self.kept();
        kept.retain(
            |name, one| {
                if name == namespace { one.secret == secret } else { one.used.elapsed() < self.idle }
            },
        );
        let one = kept.get_mut(namespace)?;
        one.used = Instant::now();
        Some(one.client.clone())
    }

    fn keep(&self, namespace: &str, secret: String, client: &Client) {
        let mut kept = self.kept();
        if kept.len() < MOST_KEPT {
            let one = ShootClient { secret, client: client.clone(), used: Instant::now() };
            kept.insert(namespace.to_owned(), one);
        }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, ShootClient>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shoots {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Shoots")
    }
}

/// A client by a kubeconfig in base64.
async fn connect(kubeconfig: &str, limit: Duration) -> Result<Client, String> {
    if kubeconfig.is_empty() {
        return Err("there is no `kubeconfig` in it".to_owned());
    }
    let bytes = STANDARD.decode(kubeconfig).map_err(|_| "its `kubeconfig` is no base64".to_owned())?;
    let bytes = Zeroizing::new(bytes);
    let text = std::str::from_utf8(&bytes).map_err(|_| "its `kubeconfig` is no text".to_owned())?;
    // The error would quote the text.
    let kubeconfig = Kubeconfig::from_yaml(text).map_err(|_| "its `kubeconfig` cannot be read".to_owned())?;
    if let Some(member) = foreign(&kubeconfig) {
        return Err(format!("its `kubeconfig` has `{member}`, which is not supported"));
    }
    let mut config = client::of(kubeconfig).await.map_err(|error| error.to_string())?;
    (config.connect_timeout, config.read_timeout, config.write_timeout) = (Some(limit), Some(limit), Some(limit));
    let builder = ClientBuilder::try_from(config).map_err(|error| with_causes(&error))?;
    Ok(builder.build())
}

/// What a kubeconfig asks of this process that a kubeconfig in a Secret must not: its files, its programs, to be
/// somebody else.
fn foreign(kubeconfig: &Kubeconfig) -> Option<&'static str> {
    let clusters = kubeconfig.clusters.iter().filter_map(|named| named.cluster.as_ref());
    let users = kubeconfig.auth_infos.iter().filter_map(|named| named.auth_info.as_ref());
    let of_clusters =
        clusters.map(|cluster| [(cluster.certificate_authority.is_some(), "certificate-authority")].to_vec());
    let of_users = users.map(|user| {
        let impersonates = user.impersonate.is_some() || user.impersonate_groups.is_some();
        vec![
            (user.exec.is_some(), "exec"),
            (user.auth_provider.is_some(), "auth-provider"),
            (user.token_file.is_some(), "tokenFile"),
            (user.client_certificate.is_some(), "client-certificate"),
            (user.client_key.is_some(), "client-key"),
            (impersonates, "as"),
        ]
    });
    of_clusters.chain(of_users).flatten().find_map(|(is_there, member)| is_there.then_some(member))
}

#[cfg(test)]
pub(super) mod tests;
