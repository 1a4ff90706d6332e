//! Credentials, from the Secrets that gardenlet keeps for Shoots, and from those that other objects name.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::TryStreamExt as _;
use k8s_openapi::api::core::v1::Secret;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::api_server::objects::Objects;
use crate::api_server::requests::{WriteError, watch_trouble};
use crate::api_server::resource::SECRETS;
use trellis_runner::credentials::{CredentialError, CredentialSource, ReadsCredentials, SecretData, Watched};
use trellis_runner::limits::permit::Permit;

/// The label of the Secrets with the credentials of Shoots (reference: gardener-contract 1.13).
const LABEL: &str = "gardener.cloud/purpose=cloudprovider";
/// The longest time for a Secret that is not watched.
const LIMIT: Duration = Duration::from_secs(10);
/// How often such a Secret is read while its credentials are in use.
const EVERY: Duration = Duration::from_secs(10);

/// Namespace and name of a Secret.
pub type SecretName = (String, String);

/// The credentials in Secrets, as they are now. Nothing else of the Secrets is kept.
#[derive(Clone)]
pub struct Secrets {
    client: Client,
    reader: Arc<dyn ReadsCredentials>,
    known: Arc<Mutex<HashMap<SecretName, watch::Sender<Watched>>>>,
}

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub enum NoCredentials {
    /// The API server has no such Secret.
    #[error("there is no Secret `{0}/{1}` with the credentials")]
    NotFound(String, String),
    /// The API server does not say.
    #[error("the Secret `{0}/{1}` cannot be read: {2}")]
    Api(String, String, WriteError),
    /// The Secret has no credentials of the family.
    #[error(transparent)]
    Credential(Arc<CredentialError>),
}

impl Secrets {
    /// Nothing is known yet. `reader` makes credentials of Secrets.
    pub fn new(client: Client, reader: Arc<dyn ReadsCredentials>) -> Self {
        Self { client, reader, known: Arc::default() }
    }

    /// Watches the Secrets with credentials, until it is dropped. `ready` is called each time that all are known.
    pub async fn watch(self, mut ready: impl FnMut()) {
        let api: Api<Secret> = Api::all(self.client.clone());
        let events = watcher(api, watcher::Config::default().labels(LABEL)).default_backoff();
        let mut events = std::pin::pin!(events);
        let mut listed = HashMap::new();
        loop {
            match events.try_next().await {
                Ok(Some(Event::Init)) => listed.clear(),
                Ok(Some(Event::InitApply(secret))) => {
                    if let Some((name, watched)) = read(&secret, &*self.reader) {
                        listed.insert(name, watched);
                    }
                }
                Ok(Some(Event::InitDone)) => {
                    self.replace(std::mem::take(&mut listed));
                    ready();
                }
                Ok(Some(Event::Apply(secret))) => {
                    if let Some((name, watched)) = read(&secret, &*self.reader) {
                        send(&mut self.known(), name, watched);
                    }
                }
                Ok(Some(Event::Delete(secret))) => {
                    if let Some(name) = name(&secret) {
                        self.known().remove(&name);
                    }
                }
                Ok(None) => return,
                Err(error) => tracing::warn!(
                    kind = "Secret",
                    "the watch failed, and starts again: {}",
                    watch_trouble(&error)
                ),
            }
        }
    }

    /// The credentials of a Secret. One that is not watched is read from the API server, and again from time to
    /// time, as long as somebody uses its credentials.
    pub async fn source(&self, name: &SecretName) -> Result<CredentialSource, NoCredentials> {
        let known = self.known().get(name).map(watch::Sender::subscribe);
        let receiver = if let Some(receiver) = known {
            receiver
        } else {
            let (sender, receiver) = watch::channel(self.read(name).await?);
            tokio::spawn(self.clone().follow(name.clone(), sender));
            receiver
        };
        receiver.borrow().clone().map_err(NoCredentials::Credential)?;
        Ok(CredentialSource::watched(receiver))
    }

    /// Reads a Secret by its name.
    async fn read(&self, name: &SecretName) -> Result<Watched, NoCredentials> {
        let (namespace, secret) = name;
        let objects = Objects::new(self.client.clone(), Permit::unlimited(), Instant::now() + LIMIT);
        let found = objects.get(&SECRETS, namespace, secret).await;
        let found = found.map_err(|error| NoCredentials::Api(namespace.clone(), secret.clone(), error))?;
        let found = found.and_then(|found| read(&serde_json::from_value(found).ok()?, &*self.reader));
        let found = found.ok_or_else(|| NoCredentials::NotFound(namespace.clone(), secret.clone()));
        found.map(|(_, watched)| watched)
    }

    /// Reports changes of a Secret until nobody listens. Credentials of a Secret that cannot be read stay in use.
    async fn follow(self, name: SecretName, reported: watch::Sender<Watched>) {
        loop {
            tokio::select! {
                () = reported.closed() => return,
                () = sleep(EVERY) => {}
            }
            if let Ok(watched) = self.read(&name).await {
                let _ = reported.send_replace(watched);
            }
        }
    }

    fn replace(&self, listed: HashMap<SecretName, Watched>) {
        let mut known = self.known();
        known.retain(|name, _| listed.contains_key(name));
        for (name, watched) in listed {
            send(&mut known, name, watched);
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<SecretName, watch::Sender<Watched>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows no credentials.
impl fmt::Debug for Secrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// Sends credentials that changed to runs under way.
fn send(known: &mut HashMap<SecretName, watch::Sender<Watched>>, name: SecretName, watched: Watched) {
    match known.get(&name) {
        Some(sender) => _ = sender.send_replace(watched),
        None => _ = known.insert(name, watch::channel(watched).0),
    }
}

/// The name of a Secret.
fn name(secret: &Secret) -> Option<SecretName> {
    Some((secret.metadata.namespace.clone()?, secret.metadata.name.clone()?))
}

/// The name of a Secret, and its credentials.
pub(crate) fn read(secret: &Secret, reader: &dyn ReadsCredentials) -> Option<(SecretName, Watched)> {
    let name = name(secret)?;
    let data = secret.data.as_ref();
    let value = |key: &str| data.and_then(|data| data.get(key)).map(|bytes| bytes.0.as_slice());
    let place = format!("{}/{}", name.0, name.1);
    let credential = reader.of_secret(&SecretData::decoded(&value, &place)).map_err(Arc::new);
    Some((name, credential))
}

#[cfg(test)]
mod tests {
    use k8s_openapi::ByteString;
    use trellis_runner::credentials::Accounts;
    use trellis_runner::transport::alicloud::Alicloud;

    use super::*;
    use crate::controller::runtime::testing::Server;

    fn secret(namespace: &str, id: &str, secret: &str) -> Secret {
        let mut object = Secret::default();
        object.metadata.namespace = Some(namespace.to_owned());
        object.metadata.name = Some("cloudprovider".to_owned());
        let pairs = [("accessKeyID", id), ("accessKeySecret", secret)];
        let pairs = pairs.into_iter().filter(|(_, value)| !value.is_empty());
        object.data =
            Some(pairs.map(|(key, value)| (key.to_owned(), ByteString(value.as_bytes().to_vec()))).collect());
        object
    }

    #[test]
    fn a_secret_without_a_key_says_which_one_is_missing() {
        let (_, watched) = read(&secret("shoot--a--b", "id", ""), &Alicloud).unwrap();
        let words = watched.unwrap_err().to_string();
        assert!(words.contains("shoot--a--b/cloudprovider") && words.contains("accessKeySecret"), "{words}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_secret_that_is_not_watched_is_read_again_while_its_credentials_are_in_use() {
        let name = ("a".to_owned(), "cloudprovider".to_owned());
        let with = |id: &str| serde_json::to_value(secret("a", id, "s")).unwrap();
        let server = Server::default().with(&SECRETS, with("one"));
        let secrets = Secrets::new(server.client(), Arc::new(Alicloud));
        let accounts = Accounts::new(secrets.source(&name).await.unwrap());
        let id = async || {
            sleep(EVERY + Duration::from_secs(1)).await;
            accounts.of(None).unwrap().id().to_owned()
        };
        assert_eq!(id().await, "one");
        let _ = server.clone().with(&SECRETS, with("two"));
        assert_eq!(id().await, "two");
        drop(accounts);
        server.requests();
        sleep(EVERY * 3).await;
        assert!(server.requests().is_empty());
    }

    #[test]
    fn runs_under_way_learn_of_credentials_that_change_and_secrets_that_are_gone_are_forgotten() {
        let mut known = HashMap::new();
        let (name, watched) = read(&secret("a", "one", "s"), &Alicloud).unwrap();
        send(&mut known, name.clone(), watched);
        let receiver = known[&name].subscribe();
        let (_, watched) = read(&secret("a", "two", "s"), &Alicloud).unwrap();
        send(&mut known, name, watched);
        assert_eq!(receiver.borrow().as_ref().unwrap().id(), "two");
    }
}
