//! The webhooks of a seed: a policy changes objects of control planes, etcds, credentials and Shoots before they
//! are stored (reference: gardener-contract 5).
//!
//! Each process serves them, whether it leads or not. [`mutating`] asks the policy about the objects that
//! [`Granted`](super::runtime::granted::Granted) says, [`upkeep`] keeps certificates and registrations, and
//! [`shoots`] brings them to Shoots.

pub mod mutating;
pub mod senders;
pub mod shoots;
#[cfg(test)]
mod tests;
pub mod upkeep;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use self::mutating::Mutating;
use self::upkeep::Upkeep;
use crate::api_server::requests::WriteError;
use crate::certificates::issue::IssueError;
use crate::controller::runtime::granted::SeedWebhook;
use crate::health::{Check, Readiness, ServeError, listen};
use crate::webhook::certificates::CertificatesError;
use crate::webhook::registration::{Extension, Reach, RegisterError, Registration};
use crate::webhook::{CertificateError, Certificates, Limits, Server, Webhook, serve};
use trellis_policies::answer::ManagedResource;
use trellis_runner::limits::stop::StopSignal;

/// How webhooks are served.
#[derive(Clone, Debug)]
pub struct Options {
    /// The webhooks; there is one at least.
    pub webhooks: Vec<&'static SeedWebhook>,
    /// Where they are served.
    pub address: SocketAddr,
    /// The extension that registers them.
    pub extension: Extension,
    /// How API servers reach them.
    pub reach: Reach,
    /// The namespace of the Secrets with certificates. Without one the process makes a certificate for itself
    /// alone.
    pub namespace: Option<String>,
    /// The namespace that owns what is registered.
    pub owner: Option<String>,
    /// Whether the seed is a Shoot that hosts its own control plane.
    pub is_self_hosted: bool,
    /// How often certificates are looked at.
    pub period: Duration,
    /// How long they are served after the process was asked to stop.
    pub drain: Duration,
}

/// Why webhooks are not served.
#[derive(Debug, thiserror::Error)]
pub enum WebhooksError {
    /// Nobody can listen at the address.
    #[error(transparent)]
    Listen(#[from] ServeError),
    /// The Secrets with certificates.
    #[error(transparent)]
    Certificates(#[from] CertificatesError<WriteError>),
    /// A certificate of the process itself cannot be made.
    #[error("the webhooks have no certificate: {0}")]
    Issue(#[from] IssueError),
    /// A certificate cannot be used.
    #[error("the certificate of the webhooks cannot be used: {0}")]
    Unusable(#[from] CertificateError),
    /// The registration.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The ManagedResources of Shoots.
    #[error("the webhooks in Shoots cannot be brought up to date: {0}")]
    Shoots(WriteError),
}

/// The API servers of webhooks, which may be one.
#[derive(Clone)]
pub struct Clients {
    /// The one that sends the reviews.
    pub own: Client,
    /// That of the Secrets with certificates.
    pub secrets: Client,
}

/// What registers webhooks in Shoots.
#[derive(Debug)]
pub struct Shoots(Option<watch::Sender<Arc<ManagedResource>>>);

/// Webhooks that are served.
pub struct Served {
    /// Ends once the last review is answered after a stop.
    pub server: JoinHandle<()>,
    /// Where they are served.
    pub address: SocketAddr,
    /// What the leader goes on with.
    pub upkeep: Upkeep,
}

/// Serves webhooks in tasks of their own until the process is to stop. Listens already when this returns.
pub async fn start(
    options: Options,
    mutating: Mutating,
    client: Client,
    readiness: &Readiness,
    stop: StopSignal,
    background: &mut JoinSet<()>,
) -> Result<Served, WebhooksError> {
    let ready = readiness.condition(Check::Webhooks, "webhooks");
    let (listener, address) = listen(options.address, "--webhook-config-server-port").await?;
    let provider = mutating.provider.clone();
    let registration = Registration {
        extension: options.extension,
        reach: options.reach,
        webhooks: options.webhooks.iter().map(|webhook| webhook.entry(&provider)).collect(),
        owner: options.owner,
        is_self_hosted: options.is_self_hosted,
    };
    let (certificates, namespace, period) = (Certificates::none(), options.namespace.as_deref(), options.period);
    let clients = Clients { own: client.clone(), secrets: client };
    let (upkeep, first) = Upkeep::start(clients, provider, registration, namespace, period, &certificates).await?;
    background.spawn(upkeep.clone().reload(first, certificates.clone()));
    let metrics = mutating.metrics.clone();
    let server = Server {
        webhooks: served(&options.webhooks, &Arc::new(mutating)),
        certificates,
        limits: Limits::default(),
        drain: options.drain,
        metrics,
    };
    let server = tokio::spawn(async move {
        if let Err(error) = serve(listener, server, ready, stop).await {
            tracing::error!("webhooks are not served: {error}");
        }
    });
    Ok(Served { server, address, upkeep })
}

/// The webhooks as the server takes them.
fn served(webhooks: &[&'static SeedWebhook], mutating: &Arc<Mutating>) -> Vec<Webhook> {
    let of = |webhook: &'static SeedWebhook| {
        let mutating = Arc::clone(mutating);
        Webhook::new(webhook.name, webhook.path, &webhook.sees, move |review| {
            let mutating = Arc::clone(&mutating);
            async move { mutating.answer(webhook, review).await }
        })
    };
    webhooks.iter().copied().map(of).collect()
}
