//! What all runs of a process share of the way to a cloud: connections, TLS, pace, and what the cloud said of its
//! time and of accounts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::http::uri::Scheme;

use super::clock::Clock;
use super::endpoint::Endpoint;
use super::http::{Connections, Http, TlsError};
use super::identity::Identities;
use super::pace::{Limit, Pace, Rate};
use crate::limits::lease::LeaseSignal;

/// How a process sends calls.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Certificates of authorities that the host trusts in addition to those of the system, in PEM.
    pub authority: Option<String>,
    /// How fast calls of an account and an action may follow each other.
    pub rate: Rate,
    /// How many calls of a service that has a limit of its own a process makes with one access key, in place of that
    /// limit.
    pub limit: Option<Limit>,
    /// For how long connections are served. Its end closes all of them.
    pub lease_signal: LeaseSignal,
}

/// The way to all clouds. A process has one, which belongs to the runtime in which it sends its first call.
#[derive(Debug)]
pub struct Wire {
    options: Options,
    clients: Mutex<BTreeMap<Client, Arc<Http>>>,
    realms: Mutex<BTreeMap<String, Arc<Realm>>>,
}

/// The kinds of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Client {
    /// To the cloud, with TLS, over a proxy where the environment names one.
    Cloud,
    /// To an address, with TLS.
    Address,
    /// To an address, without TLS.
    Plain,
}

/// What all runs share of one cloud.
#[derive(Debug)]
pub(super) struct Realm {
    pub(super) clock: Clock,
    pub(super) identities: Identities,
    pub(super) pace: Pace,
    /// In place of the limits of services.
    pub(super) limit: Option<Limit>,
}

impl Wire {
    /// A way on which nothing was sent yet.
    pub fn new(options: Options) -> Arc<Self> {
        Arc::new(Self { options, clients: Mutex::default(), realms: Mutex::default() })
    }

    /// Connections to an endpoint.
    pub(super) fn client(&self, endpoint: &Endpoint) -> Result<Arc<Http>, TlsError> {
        let kind = match endpoint {
            Endpoint::Cloud => Client::Cloud,
            Endpoint::Url(url) if *url.scheme() == Scheme::HTTPS => Client::Address,
            Endpoint::Url(_) => Client::Plain,
        };
        let mut clients = lock(&self.clients);
        if let Some(client) = clients.get(&kind) {
            return Ok(Arc::clone(client));
        }
        let Options { authority, lease_signal, .. } = &self.options;
        let (authority, connections) = (authority.as_deref(), Connections(lease_signal.clone()));
        let client = match kind {
            Client::Cloud => Http::cloud(authority, connections)?,
            Client::Address => Http::local(&Scheme::HTTPS, authority, connections)?,
            Client::Plain => Http::local(&Scheme::HTTP, authority, connections)?,
        };
        let client = Arc::new(client);
        clients.insert(kind, Arc::clone(&client));
        Ok(client)
    }

    /// What is shared of the cloud at an endpoint.
    pub(super) fn realm(&self, endpoint: &Endpoint) -> Arc<Realm> {
        let address = endpoint.address().unwrap_or_default();
        let realm = || {
            Arc::new(Realm {
                clock: Clock::default(),
                identities: Identities::default(),
                pace: Pace::new(self.options.rate),
                limit: self.options.limit,
            })
        };
        Arc::clone(lock(&self.realms).entry(address).or_insert_with(realm))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
