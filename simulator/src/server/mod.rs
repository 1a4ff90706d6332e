//! Connections: how many, how long, how large, and how they end.

mod certificate;
mod connection;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::gateway::Gateway;

pub use certificate::{Certificate, CertificateError};

/// The limits for clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most connections at once; more wait until one ends.
    pub connections: usize,
    /// Largest head of a request, in bytes; parameters in the query are part of it.
    pub head: usize,
    /// Largest body of a request for an action, in bytes.
    pub body: usize,
    /// Largest content of an object, in bytes.
    pub object: usize,
    /// Most bytes of bodies that are being received at once; more wait.
    pub receiving: usize,
    /// Most time until the head of a request is there, and so between two requests of a connection; also of a TLS
    /// handshake, and until a client takes something of its answer.
    pub patience: Duration,
    /// Most time until a body has arrived.
    pub upload: Duration,
    /// Most time that a call is held or left without an answer by a fault; then its connection is cut.
    pub silence: Duration,
    /// Most time that a connection is given to end an answer, once it should end.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            head: 256 << 10,
            body: 4 << 20,
            object: 64 << 20,
            receiving: 512 << 20,
            // As the cloud has it.
            patience: Duration::from_secs(25),
            upload: Duration::from_mins(1),
            silence: Duration::from_hours(1),
            grace: Duration::from_secs(1),
        }
    }
}

/// How long to wait when the system has no connection to give, for example because it has no file descriptors
/// left.
const PAUSE: Duration = Duration::from_millis(100);

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another program listens at the address.
    #[error("another program already listens at `{0}`")]
    InUse(SocketAddr),
    /// The address cannot be listened at for another reason.
    #[error("cannot listen at `{address}`: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
}

/// Serves a cloud.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    gateway: Arc<Gateway>,
    tls: Option<TlsAcceptor>,
    limits: Limits,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Listens at an address. Who connects from now on is answered once the server [runs](Self::run).
    pub async fn bind(
        address: SocketAddr,
        gateway: Arc<Gateway>,
        tls: Option<&Certificate>,
        limits: Limits,
    ) -> Result<Self, ServerError> {
        let listen = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerError::InUse(address),
            _ => ServerError::Listen { address, error },
        };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let tls = tls.map(Certificate::acceptor);
        Ok(Self { listener, address, gateway, tls, limits })
    }

    /// Where it listens, with the port that was free if none was named.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where clients find it.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Serves until asked to stop, and then until all answers under way have ended or the grace is over.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, gateway, tls, limits, .. } = self;
        let places = Arc::new(Semaphore::new(limits.connections));
        let service = connection::Service::new(gateway, limits);
        let (ends, end) = watch::channel(());
        let accept = async {
            loop {
                // Nobody closes the semaphore.
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                match listener.accept().await {
                    Ok((stream, peer)) => {
                        let connection = serve(stream, peer, tls.clone(), service.clone(), limits, end.clone());
                        tokio::spawn(async move {
                            connection.await;
                            drop(place);
                        });
                    }
                    Err(_) => sleep(PAUSE).await,
                }
            }
        };
        tokio::select! {
            () = accept => {}
            () = stop => {}
        }
        drop(listener);
        drop(ends);
        // Every connection ends within its grace.
        let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
        let _ = places.acquire_many(all).await;
    }
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    service: connection::Service,
    limits: Limits,
    mut end: watch::Receiver<()>,
) {
    // Small answers follow each other without waiting for an acknowledgment.
    let _ = stream.set_nodelay(true);
    let peer = Arc::from(peer.to_string());
    match tls {
        None => connection::serve(stream, peer, service, limits, end).await,
        Some(tls) => {
            let handshake = tokio::select! {
                handshake = timeout(limits.patience, tls.accept(stream)) => handshake,
                // The server drops the sender when all connections should end.
                _ = end.changed() => return,
            };
            // A client that fails the handshake gets no answer.
            if let Ok(Ok(stream)) = handshake {
                connection::serve(stream, peer, service, limits, end).await;
            }
        }
    }
}
