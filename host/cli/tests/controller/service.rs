//! A Service: hands each connection on to one of the processes behind it that are ready, in turn.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::wait::{LIMIT, until};

/// How often processes are asked whether they are ready.
const INTERVAL: Duration = Duration::from_millis(100);
/// How long a process may take to say so.
const PATIENCE: Duration = Duration::from_secs(5);

/// Its processes. Clones are the same Service.
#[derive(Clone, Default)]
pub struct Service(Arc<Mutex<Vec<Endpoint>>>);

struct Endpoint {
    at: SocketAddr,
    health: SocketAddr,
    is_ready: bool,
}

impl Service {
    /// The Service, and where it is.
    pub async fn start() -> (Self, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let (service, address) = (Self::default(), listener.local_addr().unwrap());
        tokio::spawn(service.clone().hand_on(listener));
        tokio::spawn(service.clone().look());
        (service, address)
    }

    /// Puts a process behind it, and waits until that is ready.
    pub async fn add(&self, at: SocketAddr, health: SocketAddr) {
        self.lock().push(Endpoint { at, health, is_ready: false });
        until("the process is ready", LIMIT, async || self.ready().contains(&at).then_some(())).await;
    }

    /// Waits until a process gets no connection any more.
    pub async fn without(&self, at: SocketAddr) {
        until("the process is out of the Service", LIMIT, async || (!self.ready().contains(&at)).then_some(()))
            .await;
    }

    /// The processes that are ready.
    fn ready(&self) -> Vec<SocketAddr> {
        self.lock().iter().filter(|endpoint| endpoint.is_ready).map(|endpoint| endpoint.at).collect()
    }

    async fn hand_on(self, listener: TcpListener) {
        for turn in 0.. {
            let (mut from, _) = listener.accept().await.unwrap();
            let ready = self.ready();
            // Where nobody is ready, the connection ends.
            if ready.is_empty() {
                continue;
            }
            let to = ready[turn % ready.len()];
            tokio::spawn(async move {
                if let Ok(mut to) = TcpStream::connect(to).await {
                    let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
                }
            });
        }
    }

    async fn look(self) {
        loop {
            let all: Vec<_> = self.lock().iter().map(|endpoint| endpoint.health).collect();
            for health in all {
                let is_ready = timeout(PATIENCE, says_ready(health)).await.ok().flatten().unwrap_or_default();
                let mut endpoints = self.lock();
                endpoints.iter_mut().filter(|of| of.health == health).for_each(|of| of.is_ready = is_ready);
            }
            sleep(INTERVAL).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Endpoint>> {
        self.0.lock().unwrap()
    }
}

/// Whether a process says that it is ready; none where it does not answer.
async fn says_ready(health: SocketAddr) -> Option<bool> {
    let mut stream = TcpStream::connect(health).await.ok()?;
    stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n").await.ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await.ok()?;
    Some(text.split(' ').nth(1) == Some("200"))
}
