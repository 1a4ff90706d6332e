//! Connections: how many, how long, and how they end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::ServeError;
use super::address::Loopback;
use super::answer::router;
use super::files::Page;

/// What browsers may use. The defaults are far from what one person's browsers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most connections at once; more wait until one ends.
    pub connections: usize,
    /// Largest head of a request, in bytes, at least 8192. Other servers on this machine leave cookies, which
    /// browsers send to all of them.
    pub head: usize,
    /// Most time until the head of a request has arrived, and so between two requests of a connection.
    pub patience: Duration,
    /// Most time that a connection is used; browsers open another.
    pub lifetime: Duration,
    /// Most time that a connection is given to end an answer, once it should end.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head: 16 << 10,
            patience: Duration::from_secs(10),
            lifetime: Duration::from_mins(5),
            grace: Duration::from_secs(2),
        }
    }
}

/// How long to wait when the system has no connection to give, for example because it has no file descriptors
/// left.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a page.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    limits: Limits,
}

impl Server {
    /// Listens at an address. A client that connects from now on is answered once the server [runs](Self::run).
    pub async fn bind(address: Loopback, page: &Page, limits: Limits) -> Result<Self, ServeError> {
        Self::bind_with(address, page, limits, Router::new()).await
    }

    /// The same, with routes in addition to the page. Requests that are not for this machine do not get to them
    /// either.
    pub async fn bind_with(
        address: Loopback,
        page: &Page,
        limits: Limits,
        routes: Router,
    ) -> Result<Self, ServeError> {
        let address = address.address();
        let listen = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(address),
            _ => ServeError::Listen { address, error },
        };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Self { listener, address, router: router(page, routes), limits })
    }

    /// Where it listens, with the port that was free if none was named.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is asked to stop, and then until all answers under way have ended or the grace is over.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, router, limits, .. } = self;
        let places = Arc::new(Semaphore::new(limits.connections));
        let (ends, end) = watch::channel(());
        let accept = async {
            loop {
                // Nobody closes the semaphore.
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = serve(stream, router.clone(), limits, end.clone());
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

/// Answers the requests of one connection. An error of the connection concerns its client alone.
async fn serve(stream: TcpStream, router: Router, limits: Limits, mut end: watch::Receiver<()>) {
    // Small answers follow each other without waiting for an acknowledgment.
    let _ = stream.set_nodelay(true);
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(limits.head);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)));
    tokio::select! {
        _ = connection.as_mut() => return,
        // The server drops the sender when all connections should end.
        _ = end.changed() => {}
        () = sleep(limits.lifetime) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits.grace, connection).await;
}
