//! Connections: how many, how long, and how they end.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use trellis_runner::limits::stop::{Stop, StopSignal};

/// Most connections of a listener at once; more wait until one ends. A kubelet and a few Prometheuses need one
/// each.
const CONNECTIONS: usize = 64;
/// Largest head of a request, in bytes; the least that hyper allows.
const HEAD: usize = 8 << 10;
/// Most time until the head of a request has arrived.
const PATIENCE: Duration = Duration::from_secs(3);
/// Most time of a connection. It has one request, so that nobody keeps a place without need.
pub(super) const LIFETIME: Duration = Duration::from_secs(15);
/// How long to wait when the system has no connection to give, for example because it has no file descriptors
/// left.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers requests until the process is to stop; then it accepts no connection any more, and answers what
/// arrived.
pub(super) async fn serve_all<F>(listener: TcpListener, answer: F, stop: StopSignal)
where
    F: Fn(Request<Incoming>) -> Response<Full<Bytes>> + Send + Sync + 'static,
{
    let (answer, places) = (Arc::new(answer), Arc::new(Semaphore::new(CONNECTIONS)));
    let accept = async {
        loop {
            // Nobody closes the semaphore.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => {
                    let (answer, stop) = (Arc::clone(&answer), stop.clone());
                    tokio::spawn(async move {
                        // An error of the connection concerns its client alone.
                        let _ = timeout(LIFETIME, serve(stream, answer.as_ref(), stop)).await;
                        drop(place);
                    });
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop.asked(Stop::Gracefully) => {}
    }
}

async fn serve<F>(stream: TcpStream, answer: &F, stop: StopSignal)
where
    F: Fn(Request<Incoming>) -> Response<Full<Bytes>>,
{
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(HEAD).keep_alive(false);
    let service = service_fn(|request| std::future::ready(Ok::<_, Infallible>(answer(request))));
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.asked(Stop::Gracefully) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
