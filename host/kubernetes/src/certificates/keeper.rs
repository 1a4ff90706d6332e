//! Carries out what is [decided](super::decide).

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::decide::{Blank, DecideError, Settled, Step, TLS_CRT, TLS_KEY, decide, lifetime, seconds};
use super::desired::DesiredCertificates;
use super::existing::{Data, ExistingSecret};
use super::issue::{FreshKeys, IssueError, Keys, issue};
use super::name::{IDENTITY, ISSUED, Labels, MANAGED_BY, MANAGER, NAME, USE_DATA_FOR};
use super::rotation::Rotation;

/// How many keys are made at the same time. They are few, because each takes a second of a processor, which other
/// work needs too.
static TURNS: Semaphore = Semaphore::const_new(2);

/// The Secrets of one namespace.
pub trait SecretStore: Sync {
    /// Why a request failed.
    type Error: fmt::Display;

    /// The Secrets that a label selector selects.
    fn list(&self, selector: &str) -> impl Future<Output = Result<Vec<Value>, Self::Error>> + Send;
    /// A Secret; none where there is none of that name.
    fn get(&self, name: &str) -> impl Future<Output = Result<Option<Value>, Self::Error>> + Send;
    /// Creates a Secret, and returns it as it is then; none, and nothing happens, where there is one of its name.
    fn create(&self, secret: &Value) -> impl Future<Output = Result<Option<Value>, Self::Error>> + Send;
    /// Sends a merge patch that has an effect on this version of a Secret alone. `live` is the Secret without its
    /// data.
    fn patch(&self, live: &Value, patch: &Value) -> impl Future<Output = Result<(), Self::Error>> + Send;
    /// Deletes a Secret, and no other one of its name; gone is fine. `live` is the Secret without its data.
    fn delete(&self, live: &Value) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Why the certificates are not as they are wanted. No message has data of a Secret.
#[derive(Debug, thiserror::Error)]
pub enum KeepError<E> {
    /// The API server.
    #[error("{0}")]
    Store(E),
    /// What exists cannot be understood.
    #[error(transparent)]
    Decide(#[from] DecideError),
    /// A certificate cannot be issued.
    #[error("the Secret `{secret}` cannot be made: {error}")]
    Issue {
        /// The Secret.
        secret: String,
        /// Why.
        error: IssueError,
    },
    /// Several Secrets say that their data are to be used.
    #[error("several Secrets have the label `{USE_DATA_FOR}: {0}`, and there may be one")]
    SeveralData(String),
    /// An object is not what it has to be.
    #[error("the API server answers with a Secret that cannot be read")]
    Malformed,
    /// The thread that makes keys ended without one.
    #[error("the work on a key was aborted")]
    Aborted,
    /// Secrets vanish as fast as they are made.
    #[error("the Secrets of the certificates change all the time")]
    Unsettled,
}

/// The certificates are as they are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentCertificates {
    settled: Settled,
    /// Secrets of the manager that are no longer used, without their data.
    unused: Vec<Value>,
    /// The manager's Secrets, each with the version that was read.
    versions: BTreeMap<String, String>,
}

impl CurrentCertificates {
    /// The names of the Secrets to use, by the names of authorities, bundles and servers.
    pub fn secrets(&self) -> &BTreeMap<String, String> {
        &self.settled.current
    }

    /// The names of all Secrets of the manager, each with the resource version that was read.
    pub fn versions(&self) -> &BTreeMap<String, String> {
        &self.versions
    }

    /// Digests of their data, as annotations of pods have them, by the names of authorities and servers.
    pub fn checksums(&self) -> &BTreeMap<String, String> {
        &self.settled.checksums
    }
}

/// Keeps the certificates of a namespace.
#[derive(Clone)]
pub struct Keeper<S> {
    store: S,
    keys: Arc<dyn Keys>,
}

impl<S: SecretStore> Keeper<S> {
    /// Keeps certificates in a store.
    pub fn new(store: S) -> Self {
        Self::with_keys(store, Arc::new(FreshKeys))
    }

    /// Keeps certificates with keys of one's own.
    pub fn with_keys(store: S, keys: Arc<dyn Keys>) -> Self {
        Self { store, keys }
    }

    /// Makes what is missing, and gives what is there the labels that it should have. Where all is well, it lists
    /// the Secrets once and writes nothing. Nothing is deleted.
    pub async fn keep(
        &self,
        namespace: &str,
        wanted: &DesiredCertificates,
        rotation: Rotation,
        now: Timestamp,
    ) -> Result<CurrentCertificates, KeepError<S::Error>> {
        let mut held = self.list(&wanted.identity).await?;
        // Each step makes one Secret: two of an authority, one of a server.
        for _ in 0..=2 * wanted.authorities.len() + wanted.servers.len() {
            match decide(&held, wanted, rotation, now)? {
                Step::Make(blank) => held.push(self.make(namespace, *blank, now).await?),
                Step::Settled(settled) => {
                    for held in &held {
                        if let Some(labels) = settled.relabel.get(&held.name) {
                            let (live, patch) = (held.live(), relabel(held, labels));
                            self.store.patch(&live, &patch).await.map_err(KeepError::Store)?;
                        }
                    }
                    let unused =
                        held.iter().filter(|held| !settled.stay.contains(&held.name)).map(ExistingSecret::live);
                    let versions = held.iter().map(|held| (held.name.clone(), held.version().to_owned()));
                    return Ok(CurrentCertificates {
                        unused: unused.collect(),
                        versions: versions.collect(),
                        settled,
                    });
                }
            }
        }
        Err(KeepError::Unsettled)
    }

    /// Deletes the manager's Secrets that are no longer used. To be called when what uses them knows the new ones.
    pub async fn clean(&self, kept: &CurrentCertificates) -> Result<(), KeepError<S::Error>> {
        for live in &kept.unused {
            self.store.delete(live).await.map_err(KeepError::Store)?;
        }
        Ok(())
    }

    /// Deletes all Secrets of a manager. Not to be called when a control plane moves to another seed.
    pub async fn delete(&self, identity: &str) -> Result<(), KeepError<S::Error>> {
        for held in self.list(identity).await? {
            self.store.delete(&held.live()).await.map_err(KeepError::Store)?;
        }
        Ok(())
    }

    /// The Secrets of one configuration of a manager.
    pub async fn of(
        &self,
        identity: &str,
        configuration: &str,
    ) -> Result<Vec<ExistingSecret>, KeepError<S::Error>> {
        self.select(&format!("{MANAGED_BY}={MANAGER},{IDENTITY}={identity},{NAME}={configuration}")).await
    }

    async fn list(&self, identity: &str) -> Result<Vec<ExistingSecret>, KeepError<S::Error>> {
        if identity.is_empty() {
            return Ok(Vec::new());
        }
        self.select(&format!("{MANAGED_BY}={MANAGER},{IDENTITY}={identity}")).await
    }

    async fn select(&self, selector: &str) -> Result<Vec<ExistingSecret>, KeepError<S::Error>> {
        let all = self.store.list(selector).await.map_err(KeepError::Store)?;
        all.iter().map(|secret| ExistingSecret::read(secret).ok_or(KeepError::Malformed)).collect()
    }

    /// Makes a Secret. Where there is one of its name already, it is that one.
    async fn make(
        &self,
        namespace: &str,
        blank: Blank,
        now: Timestamp,
    ) -> Result<ExistingSecret, KeepError<S::Error>> {
        let mut found = self.store.get(&blank.object).await.map_err(KeepError::Store)?;
        if found.is_none() {
            let secret = self.secret(namespace, &blank, now).await?;
            found = self.store.create(&secret).await.map_err(KeepError::Store)?;
        }
        if found.is_none() {
            // Somebody was faster.
            found = self.store.get(&blank.object).await.map_err(KeepError::Store)?;
        }
        ExistingSecret::read(&found.ok_or(KeepError::Unsettled)?).ok_or(KeepError::Malformed)
    }

    async fn issue(&self, blank: &Blank, now: Timestamp) -> Result<Data, KeepError<S::Error>> {
        let _turn = TURNS.acquire().await.map_err(|_| KeepError::Aborted)?;
        let (keys, blank) = (Arc::clone(&self.keys), blank.clone());
        let secret = blank.object.clone();
        let issued = tokio::task::spawn_blocking(move || issue(&blank, keys.as_ref(), now)).await;
        issued.map_err(|_| KeepError::Aborted)?.map_err(|error| KeepError::Issue { secret, error })
    }

    async fn secret(&self, namespace: &str, blank: &Blank, now: Timestamp) -> Result<Value, KeepError<S::Error>> {
        let provided = self.data_to_use(&blank.configuration).await?;
        let data = if let Some(data) = provided { data } else { self.issue(blank, now).await? };
        let mut labels = blank.labels.clone();
        match blank.content.certificate() {
            Some(key) => labels.extend(lifetime(&data, key, &blank.object)?),
            None => _ = labels.insert(ISSUED.to_owned(), seconds(now)),
        }
        let is_tls = data.get(TLS_CRT).is_some() && data.get(TLS_KEY).is_some();
        Ok(json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": { "name": blank.object, "namespace": namespace, "labels": labels },
            "type": if is_tls { "kubernetes.io/tls" } else { "Opaque" },
            "immutable": true,
            "data": data.to_value(),
        }))
    }

    /// The data that somebody provides for a configuration.
    async fn data_to_use(&self, configuration: &str) -> Result<Option<Data>, KeepError<S::Error>> {
        let found = self.store.list(&format!("{USE_DATA_FOR}={configuration}")).await.map_err(KeepError::Store)?;
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(ExistingSecret::read(one).ok_or(KeepError::Malformed)?.data)),
            _ => Err(KeepError::SeveralData(configuration.to_owned())),
        }
    }
}

/// The merge patch that gives a Secret these labels and no others.
fn relabel(held: &ExistingSecret, labels: &Labels) -> Value {
    let gone = held.labels.keys().filter(|key| !labels.contains_key(*key)).map(|key| (key.clone(), Value::Null));
    let new = labels.iter().filter(|(key, value)| held.labels.get(*key) != Some(*value));
    let labels: Map<String, Value> = gone.chain(new.map(|(key, value)| (key.clone(), json!(value)))).collect();
    json!({ "metadata": { "labels": labels }, "immutable": true })
}
