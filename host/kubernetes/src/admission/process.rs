//! The process in a garden: its client, policies, certificate and servers.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::cloud::Cloud;
use super::garden::Garden;
use super::leader;
use super::parts::{Admission, Mode};
use super::published::Published;
use crate::controller::process::options::Election;
use crate::controller::process::policies::{PolicyError, PolicyFiles};
use crate::controller::runtime::client::{Access, ClientError};
use crate::controller::webhooks::upkeep::Upkeep;
use crate::controller::webhooks::{Clients, WebhooksError};
use crate::health::{self, Check, Readiness, ServeError};
use crate::metrics::Metrics;
use crate::webhook::registration::Registration;
use crate::webhook::tls::CertificateFiles;
use crate::webhook::{CertificateError, Certificates, Limits, Server, serve};
use trellis_policies::engine::{PolicyThreads, Versions};
use trellis_runner::limits::stop::{Stop, StopSignal, stop};

/// How a process runs.
#[derive(Debug)]
pub struct Options {
    /// The provider type.
    pub provider: String,
    /// Its policies.
    pub policies: PolicyFiles,
    /// What becomes of an object that a rule rejects.
    pub mode: Mode,
    /// The way to the API server of the garden.
    pub access: Access,
    /// The way to the cloud.
    pub cloud: Cloud,
    /// Where reviews are answered.
    pub webhooks: SocketAddr,
    /// Where the certificate comes from.
    pub certified: Certified,
    /// How long reviews are answered after the process was asked to stop.
    pub drain: Duration,
    /// Where `/metrics` is served.
    pub metrics: Option<SocketAddr>,
    /// Where `/healthz` and `/readyz` are served.
    pub health: Option<SocketAddr>,
    /// The namespace of the ConfigMap that says which policy judges; none where it is not published.
    pub published: Option<String>,
}

/// Where the certificate of the server comes from.
#[derive(Debug)]
pub enum Certified {
    /// The folder with `tls.crt` and `tls.key`. The process that writes them registers the webhooks.
    Files(PathBuf),
    /// The process makes it, and registers the webhooks.
    Own(Box<Own>),
}

/// Webhooks that the process registers.
#[derive(Debug)]
pub struct Own {
    /// What is registered.
    pub registration: Registration,
    /// The namespace of the Secrets with certificates; none where the process has one for itself alone.
    pub namespace: Option<String>,
    /// How often certificates are looked at.
    pub period: Duration,
    /// The lock for one of several processes.
    pub election: Option<Election>,
    /// The way to the API server of these Secrets and of the Lease; none where it is that of the garden.
    pub source: Option<Access>,
}

/// Why a process does not run, or ends.
#[derive(Debug, thiserror::Error)]
pub enum AdmissionError {
    /// There is no API server to call.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The task that loads the policies broke off.
    #[error("the policies cannot be loaded: {0}")]
    Broken(#[from] tokio::task::JoinError),
    /// The policies cannot be loaded.
    #[error(transparent)]
    Policies(#[from] PolicyError),
    /// The certificate cannot be used.
    #[error("the certificate cannot be used: {0}")]
    Certificate(#[from] CertificateError),
    /// The process has no certificate.
    #[error(transparent)]
    Webhooks(#[from] WebhooksError),
    /// A server does not start.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// TLS cannot be spoken.
    #[error("TLS cannot be spoken: {0}")]
    Tls(#[from] rustls::Error),
}

/// Runs until it is stopped, and answers all reviews that arrive until then.
pub async fn run(options: Options, stop_signal: StopSignal) -> Result<(), AdmissionError> {
    let metrics = Metrics::new();
    let (load, counted) = (options.policies.clone(), metrics.clone());
    let loaded = tokio::task::spawn_blocking(move || load.load(&counted)).await;
    let versions = Arc::new(Versions::new(loaded??));
    let client = options.access.client(&metrics).await?;
    let certificates = Certificates::none();
    let mut background = JoinSet::new();
    match options.certified {
        Certified::Files(folder) => {
            background.spawn(CertificateFiles::of_folder(&folder).keep(certificates.clone())?);
        }
        Certified::Own(own) => {
            let Own { registration, namespace, period, election, source } = *own;
            let secrets = match source {
                Some(access) => access.client(&metrics).await?,
                None => client.clone(),
            };
            let clients = Clients { own: client.clone(), secrets: secrets.clone() };
            let (provider, namespace) = (options.provider.clone(), namespace.as_deref());
            let (upkeep, first) =
                Upkeep::start(clients, provider, registration, namespace, period, &certificates).await?;
            background.spawn(upkeep.clone().reload(first, certificates.clone()));
            background.spawn(leader::lead(upkeep, secrets, election, metrics.clone(), stop_signal.clone()));
        }
    }
    background.spawn(options.policies.clone().watch(Arc::clone(&versions), metrics.clone()));
    if let Some(namespace) = options.published {
        let published = Published {
            client: client.clone(),
            namespace,
            provider: options.provider.clone(),
            mode: options.mode,
            policies: Arc::clone(&versions),
        };
        background.spawn(published.keep());
    }
    let admission = Arc::new(Admission {
        provider: options.provider,
        policies: versions,
        threads: PolicyThreads::default(),
        mode: options.mode,
        garden: Garden(client),
        cloud: options.cloud,
        metrics: metrics.clone(),
    });
    let readiness = Readiness::default();
    let ready = readiness.condition(Check::Webhooks, "webhooks");
    // A kubelet asks until the end: reviews are answered for a while after the process is not ready any more.
    let (ending, ended) = stop();
    let bound = health::serve(options.metrics, options.health, metrics.clone(), readiness, ended).await?;
    let (listener, address) = health::listen(options.webhooks, "--webhook-config-server-port").await?;
    tracing::info!(
        webhooks = address.to_string(),
        metrics = bound.metrics.map(|address| address.to_string()),
        health = bound.health.map(|address| address.to_string()),
        mode = options.mode.to_string(),
        "serving"
    );
    let server = Server {
        webhooks: admission.webhooks(),
        certificates,
        limits: Limits::default(),
        drain: options.drain,
        metrics,
    };
    serve(listener, server, ready, stop_signal).await?;
    ending.stop(Stop::Gracefully);
    tracing::info!("stopped");
    Ok(())
}
