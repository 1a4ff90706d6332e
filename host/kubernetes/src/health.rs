//! What a kubelet and a Prometheus ask of the process.

mod address;
mod connections;
mod readiness;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use tokio::net::TcpListener;

pub use self::address::{AddressError, address};
pub use self::readiness::{Check, Readiness, Setter};
use crate::metrics::Metrics;
use connections::serve_all;
use trellis_runner::limits::stop::StopSignal;

/// Where the process answers: addresses with the ports that were free where none was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Address of `/metrics`.
    pub metrics: Option<SocketAddr>,
    /// Address of `/healthz` and `/readyz`.
    pub health: Option<SocketAddr>,
}

/// The process cannot answer at an address.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen at {address}: {error}; another one can be chosen with `{flag}`")]
pub struct ServeError {
    /// The address.
    pub address: SocketAddr,
    /// The flag that sets it.
    pub flag: &'static str,
    /// What the system said.
    #[source]
    pub error: io::Error,
}

/// Answers at these addresses, in tasks of their own, until the process is to stop. Listens already when this
/// returns.
pub async fn serve(
    metrics_address: Option<SocketAddr>,
    health_address: Option<SocketAddr>,
    metrics: Metrics,
    ready: Readiness,
    stop: StopSignal,
) -> Result<Bound, ServeError> {
    let for_metrics = listen_where(metrics_address, "--metrics-bind-address").await?;
    let for_health = listen_where(health_address, "--health-bind-address").await?;
    let mut bound = Bound { metrics: None, health: None };
    if let Some((listener, address)) = for_metrics {
        bound.metrics = Some(address);
        let answer =
            move |uri: &Uri, headers: &HeaderMap| (uri.path() == "/metrics").then(|| scrape(&metrics, headers));
        tokio::spawn(serve_all(listener, move |request| respond(&request, &answer), stop.clone()));
    }
    if let Some((listener, address)) = for_health {
        bound.health = Some(address);
        let answer = move |uri: &Uri, _: &HeaderMap| {
            let path = uri.path();
            match (path.strip_suffix('/').unwrap_or(path), is_verbose(uri)) {
                ("/healthz", true) => Some(each("healthz", [("ping", Vec::new())])),
                ("/healthz" | "/healthz/ping", _) => Some(text(StatusCode::OK, "ok")),
                ("/readyz", true) => {
                    let checks = Check::ALL.map(|check| (check.name(), ready.missing_of(check)));
                    Some(each("readyz", checks))
                }
                ("/readyz", false) => Some(readiness(&ready.missing())),
                (path, _) => {
                    Check::of(path.strip_prefix("/readyz/")?).map(|check| readiness(&ready.missing_of(check)))
                }
            }
        };
        tokio::spawn(serve_all(listener, move |request| respond(&request, &answer), stop));
    }
    Ok(bound)
}

async fn listen_where(
    address: Option<SocketAddr>,
    flag: &'static str,
) -> Result<Option<(TcpListener, SocketAddr)>, ServeError> {
    let Some(address) = address else { return Ok(None) };
    listen(address, flag).await.map(Some)
}

/// Listens at an address, which a flag says. Returns the address with the port that was free where none was named.
pub async fn listen(address: SocketAddr, flag: &'static str) -> Result<(TcpListener, SocketAddr), ServeError> {
    let listener = match TcpListener::bind(address).await {
        // All addresses of both families, on a machine without IPv6.
        Err(error) if address.is_ipv6() && address.ip().is_unspecified() && !is_taken(&error) => {
            TcpListener::bind((Ipv4Addr::UNSPECIFIED, address.port())).await
        }
        listener => listener,
    };
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = bound.map_err(|error| ServeError { address, flag, error })?;
    Ok((listener, address))
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied)
}

type Answer = Response<Full<Bytes>>;

fn respond<B>(request: &Request<B>, answer: impl Fn(&Uri, &HeaderMap) -> Option<Answer>) -> Answer {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are allowed");
        refused.headers_mut().insert(ALLOW, hyper::header::HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let found = answer(request.uri(), request.headers());
    found.unwrap_or_else(|| text(StatusCode::NOT_FOUND, "not found"))
}

/// Whether a line for each check is asked for, as of API servers.
fn is_verbose(uri: &Uri) -> bool {
    let mut pairs = uri.query().unwrap_or_default().split('&');
    pairs.any(|pair| pair.split_once('=').map_or(pair, |(key, _)| key) == "verbose")
}

/// A line for each check, with what is missing, and whether all is well.
fn each(page: &str, checks: impl IntoIterator<Item = (&'static str, Vec<String>)>) -> Answer {
    let (mut lines, mut status, mut end) = (Vec::new(), StatusCode::OK, "passed");
    for (name, missing) in checks {
        if missing.is_empty() {
            lines.push(format!("[+]{name} ok"));
        } else {
            lines.push(format!("[-]{name} failed: {}", missing.join(", ")));
            (status, end) = (StatusCode::SERVICE_UNAVAILABLE, "failed");
        }
    }
    lines.push(format!("{page} check {end}"));
    text(status, &lines.join("\n"))
}

fn readiness(missing: &[String]) -> Answer {
    if missing.is_empty() {
        text(StatusCode::OK, "ok")
    } else {
        text(StatusCode::SERVICE_UNAVAILABLE, &format!("not ready: {}", missing.join(", ")))
    }
}

/// Prometheus prefers OpenMetrics, and says so.
fn scrape(metrics: &Metrics, headers: &HeaderMap) -> Answer {
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|accept| accept.to_str().ok());
    if accepted.any(|accept| accept.contains("application/openmetrics-text")) {
        typed(StatusCode::OK, "application/openmetrics-text; version=1.0.0; charset=utf-8", metrics.open_metrics())
    } else {
        typed(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", metrics.text())
    }
}

fn text(status: StatusCode, words: &str) -> Answer {
    typed(status, "text/plain; charset=utf-8", format!("{words}\n"))
}

fn typed(status: StatusCode, kind: &'static str, body: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static(kind));
    answer
}
