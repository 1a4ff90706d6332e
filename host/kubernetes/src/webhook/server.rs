//! The server: connections over TLS, requests within limits, reviews to their webhooks.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::Webhook;
use super::answer::Answer;
use super::connections::{Place, Places};
use super::limits::{Limits, answer_time};
use super::nesting::{MOST_LEVELS, is_too_deep};
use super::review::{Review, ReviewError};
use super::tls::Certificates;
use crate::health::Setter;
use crate::metrics::Metrics;
use trellis_runner::limits::stop::{Stop, StopSignal};

/// Largest head of a request, in bytes.
const HEAD: usize = 16 << 10;
/// How many times the largest body is read of a body that is not wanted.
const MOST_DISCARDED: usize = 4;
/// The first byte of what a client of TLS sends.
const HANDSHAKE: u8 = 0x16;
/// What a client reads that speaks HTTP without TLS, as Go's servers say it.
const PLAIN: &[u8] =
    b"HTTP/1.0 400 Bad Request\r\nConnection: close\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
/// How long to wait when the system has no connection to give, for example because it has no file descriptors
/// left.
const PAUSE: Duration = Duration::from_millis(100);

/// What a server does.
#[derive(Debug)]
pub struct Server {
    /// Its webhooks.
    pub webhooks: Vec<Webhook>,
    /// Its certificate.
    pub certificates: Certificates,
    /// What clients may use.
    pub limits: Limits,
    /// How long the server goes on after it was asked to stop: until nobody sends it reviews any more.
    pub drain: Duration,
    /// Counts requests and reviews.
    pub metrics: Metrics,
}

/// A server as connections see it.
struct Shared {
    server: Server,
    /// Bytes of bodies that may still arrive.
    bodies: Arc<Semaphore>,
    /// Whether each connection is to be closed after its next answer.
    closing: AtomicBool,
    /// Ends connections that wait for a request.
    end: CancellationToken,
}

/// Answers reviews until the process is to stop. Then `ready` is no longer met, and the server goes on for a
/// while: it takes connections, and closes each after an answer. At the end, what has arrived is answered.
pub async fn serve(
    listener: TcpListener,
    server: Server,
    ready: Setter,
    stop: StopSignal,
) -> Result<(), rustls::Error> {
    let (limits, drain) = (server.limits, server.drain);
    let acceptor = TlsAcceptor::from(Arc::new(server.certificates.config()?));
    let bodies = Arc::new(Semaphore::new(limits.bodies));
    let end = CancellationToken::new();
    let shared = Arc::new(Shared { server, bodies, closing: AtomicBool::new(false), end: end.clone() });
    let places = Places::new(limits);
    let start = |stream: TcpStream, from: SocketAddr, place: Place| {
        tokio::spawn(Arc::clone(&shared).connection(acceptor.clone(), stream, from, place));
    };
    let accept = async {
        loop {
            match listener.accept().await {
                Ok((stream, from)) => start(stream, from, places.take().await),
                Err(_) => sleep(PAUSE).await,
            }
        }
    };
    let stopped = async {
        stop.asked(Stop::Gracefully).await;
        ready.set(false);
        shared.closing.store(true, Ordering::Relaxed);
        tokio::select! {
            () = sleep(drain) => {}
            () = stop.asked(Stop::AtOnce) => {}
        }
    };
    ready.set(true);
    tokio::select! {
        () = accept => {}
        () = stopped => {}
    }
    // Clients that have connected by now count on an answer.
    while let Some(Ok((stream, from))) = listener.accept().now_or_never() {
        start(stream, from, places.take().await);
    }
    drop(listener);
    end.cancel();
    tokio::select! {
        _ = timeout(limits.arrival + limits.answer, places.all_free()) => {}
        () = stop.asked(Stop::AtOnce) => {}
    }
    Ok(())
}

impl Shared {
    /// Serves a connection to its end. An error of the connection concerns its client alone.
    async fn connection(
        self: Arc<Self>,
        acceptor: TlsAcceptor,
        stream: TcpStream,
        from: SocketAddr,
        place: Place,
    ) {
        let place = Arc::new(place);
        tokio::select! {
            () = place.has_to_go() => {}
            () = self.converse(acceptor, stream, from, &place) => {}
        }
    }

    async fn converse(
        self: Arc<Self>,
        acceptor: TlsAcceptor,
        mut stream: TcpStream,
        from: SocketAddr,
        place: &Arc<Place>,
    ) {
        let mut first = [0];
        if !matches!(stream.peek(&mut first).await, Ok(1)) {
            return;
        }
        if first != [HANDSHAKE] {
            // A client whose request nobody has read may not get to see the answer.
            let _ = stream.read(&mut [0; 4 << 10]).await;
            let _ = stream.write_all(PLAIN).await;
            let _ = stream.shutdown().await;
            return;
        }
        let _ = stream.set_nodelay(true);
        let Ok(stream) = acceptor.accept(stream).await else { return };
        let service = service_fn(|request| {
            let (shared, place) = (Arc::clone(&self), Arc::clone(place));
            async move {
                place.has_request();
                let answer = shared.respond(from, request).await;
                place.has_answer();
                Ok::<_, Infallible>(answer)
            }
        });
        let mut server = http1::Builder::new();
        // How long a connection may wait is the business of its place.
        server.header_read_timeout(None).max_buf_size(HEAD);
        let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.end.cancelled() => {}
        }
        // The first request may be on its way. Its answer is the last one, and the connection has to go where none
        // comes.
        if place.has_asked() {
            connection.as_mut().graceful_shutdown();
        }
        let _ = connection.await;
    }

    async fn respond(&self, from: SocketAddr, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path();
        let Some(webhook) = self.server.webhooks.iter().find(|webhook| webhook.path == path) else {
            self.server.metrics.webhook_request("", StatusCode::NOT_FOUND.as_u16());
            self.discard(request.into_body()).await;
            return closed(text(StatusCode::NOT_FOUND, "there is no webhook at this path"));
        };
        let mut response = match self.review(webhook, from, request).await {
            Ok(answer) => typed(StatusCode::OK, "application/json", answer),
            Err(refusal) => closed(refusal.response()),
        };
        self.server.metrics.webhook_request(webhook.name, response.status().as_u16());
        if self.closing.load(Ordering::Relaxed) {
            response = closed(response);
        }
        response
    }

    async fn review(
        &self,
        webhook: &Webhook,
        from: SocketAddr,
        request: Request<Incoming>,
    ) -> Result<String, Refusal> {
        if *request.method() != Method::POST {
            self.discard(request.into_body()).await;
            return Err(Refusal::Method);
        }
        let began = Instant::now();
        let time = answer_time(request.uri().query(), self.server.limits.answer);
        let (body, hold) = self.body(request.into_body()).await?;
        let (review, envelope) = Review::read(&body, from, began + time)?;
        drop(body);
        let of = (review.kind.group.as_str(), review.kind.kind.as_str());
        let known = webhook.kinds.iter().find(|known| (known.group, known.kind) == of);
        let answer = match known {
            None => Answer::unreadable(format!("unexpected request kind {}", review.kind)),
            Some(_) => self.judge(webhook, review, time, hold).await,
        };
        let kind = known.map_or("", |known| known.kind);
        self.server.metrics.review(webhook.name, kind, answer.verdict(), began.elapsed());
        Ok(answer.to_json(&envelope))
    }

    /// The body, and what holds its share of the bytes of all bodies.
    async fn body(&self, body: Incoming) -> Result<(Bytes, OwnedSemaphorePermit), Refusal> {
        let Limits { body: most, arrival, .. } = self.server.limits;
        let reported = body.size_hint().exact();
        let size = reported.map_or(most, |reported| usize::try_from(reported).unwrap_or(usize::MAX));
        if size > most {
            self.discard(body).await;
            return Err(Refusal::TooLarge(most));
        }
        let until = Instant::now() + arrival;
        let share = Arc::clone(&self.bodies).acquire_many_owned(u32::try_from(size).unwrap_or(u32::MAX));
        // Nobody closes the semaphore.
        let hold = timeout_at(until, share).await.ok().and_then(Result::ok).ok_or(Refusal::Busy)?;
        let mut body = body;
        match timeout_at(until, Limited::new(&mut body, most).collect()).await {
            Ok(Ok(body)) => Ok((body.to_bytes(), hold)),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                self.discard(body).await;
                Err(Refusal::TooLarge(most))
            }
            Ok(Err(_)) => Err(Refusal::Incomplete),
            Err(_) => Err(Refusal::Slow),
        }
    }

    /// Reads what is left of a body that nobody wants, within limits, because a client that still sends does not
    /// get to see an answer.
    async fn discard(&self, mut body: Incoming) {
        let Limits { body: most, arrival, .. } = self.server.limits;
        let _ = timeout(arrival, async {
            let mut left = most * MOST_DISCARDED;
            while let Some(Ok(frame)) = body.frame().await {
                left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
                if left == 0 {
                    return;
                }
            }
        })
        .await;
    }

    /// What the webhook says, whatever becomes of it.
    async fn judge(
        &self,
        webhook: &Webhook,
        review: Review,
        time: Duration,
        hold: OwnedSemaphorePermit,
    ) -> Answer {
        let texts = [&review.object, &review.old_object].into_iter().flatten();
        if texts.into_iter().any(|text| is_too_deep(text.get())) {
            return Answer::unreadable(format!(
                "the object has more than {MOST_LEVELS} levels of lists and objects"
            ));
        }
        // The webhook should have an answer by the deadline, and has words of its own if not.
        let until = review.deadline + time / 16;
        let (about, name, handler) = (format!("{review:?}"), webhook.name, Arc::clone(&webhook.handler));
        let began = Instant::now();
        let mut task = tokio::spawn(async move {
            let _hold = hold;
            handler(review).await
        });
        let answer = match timeout_at(until, &mut task).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Answer::failed("the webhook broke off; its log says more"),
            Err(_) => {
                task.abort();
                Answer::failed("the webhook has no answer in time; try again")
            }
        };
        let (verdict, millis) = (answer.verdict(), began.elapsed().as_millis());
        let code = answer.denial.as_ref().map(|denial| denial.code);
        tracing::debug!(webhook = name, about, verdict, code, millis, "reviewed");
        answer
    }
}

/// Why a request is no review.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("reviews are sent by POST")]
    Method,
    #[error("the body has more than {0} bytes")]
    TooLarge(usize),
    #[error("the body did not arrive in time")]
    Slow,
    #[error("the body is not complete")]
    Incomplete,
    #[error("too many large reviews at once; try again")]
    Busy,
    #[error(transparent)]
    Review(#[from] ReviewError),
}

impl Refusal {
    fn response(&self) -> Response<Full<Bytes>> {
        let status = match self {
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Incomplete | Self::Review(_) => StatusCode::BAD_REQUEST,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        let mut response = text(status, &self.to_string());
        if matches!(self, Self::Method) {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}

/// The response as the last one of its connection.
fn closed(mut response: Response<Full<Bytes>>) -> Response<Full<Bytes>> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn text(status: StatusCode, words: &str) -> Response<Full<Bytes>> {
    typed(status, "text/plain; charset=utf-8", format!("{words}\n"))
}

fn typed(status: StatusCode, kind: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
