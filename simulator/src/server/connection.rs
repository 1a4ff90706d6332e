//! The requests of one connection.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_LENGTH, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutWriter;
use tokio_rustls::server::TlsStream;

use super::Limits;
use crate::gateway::{Cut, Gateway, Unreceived};

/// The unit, in bytes, in which bodies take places. A body up to this size needs no place, so that slow senders of
/// large bodies keep only other large bodies waiting.
const PIECE: usize = 64 << 10;

/// A stream that the server can cut.
pub(super) trait Cuttable: AsyncRead + AsyncWrite + Unpin + Send {
    /// Makes the client see a reset in place of an end when the stream is dropped.
    fn cut(&self);
}

impl Cuttable for TcpStream {
    fn cut(&self) {
        let _ = self.set_zero_linger();
    }
}

impl Cuttable for TlsStream<TcpStream> {
    fn cut(&self) {
        self.get_ref().0.cut();
    }
}

/// Answers requests.
#[derive(Clone)]
pub(super) struct Service {
    gateway: Arc<Gateway>,
    limits: Limits,
    /// A place for each [`PIECE`] of the bodies that are being received.
    places: Arc<Semaphore>,
}

impl Service {
    pub(super) fn new(gateway: Arc<Gateway>, limits: Limits) -> Self {
        let places = Arc::new(Semaphore::new(limits.receiving / PIECE));
        Self { gateway, limits, places }
    }

    async fn answer(self, peer: Arc<str>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Cut> {
        let (head, body) = request.into_parts();
        let limit = if Gateway::takes_object(&head) { self.limits.object } else { self.limits.body };
        let response = match self.receive(&head, body, limit).await {
            Ok(body) => {
                let answer = self.gateway.answer(&peer, &head, body);
                timeout(self.limits.silence, answer).await.map_err(|_| Cut)??
            }
            Err(unreceived) => {
                let mut response = self.gateway.unreceived(&head, unreceived);
                // The rest of the body is not read.
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                response
            }
        };
        Ok(response.map(Full::new))
    }

    /// The whole body.
    async fn receive(&self, head: &Parts, body: Incoming, limit: usize) -> Result<Bytes, Unreceived> {
        let declared = match head.headers.get(CONTENT_LENGTH) {
            Some(length) => length.to_str().ok().and_then(|length| length.parse().ok()).unwrap_or(usize::MAX),
            None if body.is_end_stream() => 0,
            None => limit,
        };
        if declared > limit {
            return Err(Unreceived::TooLarge(limit));
        }
        if declared == 0 {
            return Ok(Bytes::new());
        }
        let receive = async {
            let pieces = if declared > PIECE { declared.div_ceil(PIECE) } else { 0 };
            let pieces = u32::try_from(pieces).unwrap_or(u32::MAX);
            // Nobody closes the semaphore.
            let _places = self.places.acquire_many(pieces).await;
            Limited::new(body, limit).collect().await
        };
        match timeout(self.limits.upload, receive).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(Unreceived::TooLarge(limit)),
            Ok(Err(_)) => Err(Unreceived::Broken),
            Err(_) => Err(Unreceived::TooSlow),
        }
    }
}

/// Answers the requests of one connection. An error of the connection concerns its client alone.
pub(super) async fn serve<S: Cuttable + 'static>(
    stream: S,
    peer: Arc<str>,
    service: Service,
    limits: Limits,
    mut end: watch::Receiver<()>,
) {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(limits.head);
    let answer = hyper::service::service_fn(move |request| -> Pin<Box<dyn Future<Output = _> + Send>> {
        Box::pin(service.clone().answer(Arc::clone(&peer), request))
    });
    let mut stream = TimeoutWriter::new(stream);
    // The server does not wait for a client that does not read its answers.
    stream.set_timeout(Some(limits.patience));
    let mut connection = server.serve_connection(TokioIo::new(Box::pin(stream)), answer);
    let mut ending = false;
    let done = tokio::select! {
        done = poll_fn(|context| connection.poll_without_shutdown(context)) => done,
        // The server drops the sender when all connections should end.
        _ = end.changed() => {
            ending = true;
            Pin::new(&mut connection).graceful_shutdown();
            let rest = poll_fn(|context| connection.poll_without_shutdown(context));
            timeout(limits.grace, rest).await.unwrap_or(Ok(()))
        }
    };
    let mut stream = connection.into_parts().io.into_inner();
    match done {
        Err(error) if error.is_user() => stream.as_ref().get_ref().get_ref().cut(),
        _ => {
            let close = async {
                let _ = stream.shutdown().await;
                // Data that arrives at a closed connection resets it, and a client that is still sending may lose
                // the answer.
                let mut rest = [0; 4096];
                while !ending && stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
            };
            let _ = timeout(limits.grace, close).await;
        }
    }
}
