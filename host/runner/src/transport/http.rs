//! Sends requests over connections that stay open: HTTP/1.1, TLS, proxies, limits.

use std::error::Error;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::http::uri::Scheme;
use hyper::rt::Executor;
use hyper::{Request, Uri};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioTimer;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::{Instant, timeout_at};

use super::Url;
use super::answer::Answer;
use crate::call::CallFailure;
use crate::call::failure::{CONNECTION_FAILED, NOBODY_LISTENS, TIMEOUT, UNREADABLE_ANSWER, UNTRUSTED_CERTIFICATE};
use crate::limits::lease::LeaseSignal;

/// The longest time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a connection without requests stays open. The cloud closes it after 25 seconds.
const IDLE: Duration = Duration::from_secs(15);
/// How many connections without requests stay open for each host.
const MOST_IDLE: usize = 16;
/// The largest content of an answer, in bytes.
const MOST: usize = 16 << 20;

/// Why TLS does not work.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// There is no authority to trust.
    #[error(
        "the system has no certificates of authorities to trust: install its `ca-certificates`, or name a file of them in SSL_CERT_FILE"
    )]
    NoRoots,
    /// A certificate of an authority cannot be read.
    #[error(
        "the given authorities have no certificate that can be read: a certificate must be PEM, with `BEGIN CERTIFICATE`"
    )]
    Authority,
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// Serves connections for as long as this process may change things. A process that was asleep beyond its lease
/// drops them before they write what they had to write.
#[derive(Clone, Debug, Default)]
pub struct Connections(pub LeaseSignal);

impl<F> Executor<F> for Connections
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, connection: F) {
        let Self(lease_signal) = self.clone();
        tokio::spawn(async move { lease_signal.while_held(connection).await.ok() });
    }
}

/// Sends requests.
pub struct Http {
    connections: Connections,
    tls: Arc<ClientConfig>,
    direct: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Absent where the client uses no proxy.
    proxies: Option<Matcher>,
    /// The environment names at most one proxy for HTTPS.
    proxied: OnceLock<Client<HttpsConnector<Tunnel<HttpConnector>>, Full<Bytes>>>,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Http").finish_non_exhaustive()
    }
}

impl Http {
    /// A client for one host, with TLS or without, and without a proxy.
    pub fn local(scheme: &Scheme, authority: Option<&str>, connections: Connections) -> Result<Self, TlsError> {
        let roots = if *scheme == Scheme::HTTPS { roots(authority)? } else { RootCertStore::empty() };
        Self::new(roots, None, connections)
    }

    /// A client for the cloud, over the proxy that the environment names, if it names one.
    pub fn cloud(authority: Option<&str>, connections: Connections) -> Result<Self, TlsError> {
        Self::new(roots(authority)?, Some(Matcher::from_env()), connections)
    }

    fn new(roots: RootCertStore, proxies: Option<Matcher>, connections: Connections) -> Result<Self, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let tls = Arc::new(tls);
        let direct = client(HttpsConnector::from((connector(), Arc::clone(&tls))), connections.clone());
        Ok(Self { connections, tls, direct, proxies, proxied: OnceLock::new() })
    }

    /// Sends a request, and reads the answer, within a time.
    pub async fn send(
        &self,
        request: Request<Bytes>,
        patience: Duration,
        deadline: Instant,
    ) -> Result<Answer, CallFailure> {
        let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        let until = deadline.min(Instant::now() + patience);
        let waited = until.saturating_duration_since(Instant::now());
        timeout_at(until, self.exchange(request, &host)).await.unwrap_or_else(|_| {
            let message = format!("`{host}` did not answer within {:.1} s", waited.as_secs_f64());
            Err(CallFailure::own(TIMEOUT, message).ambiguous())
        })
    }

    async fn exchange(&self, request: Request<Bytes>, host: &str) -> Result<Answer, CallFailure> {
        let proxy = self.proxies.as_ref().and_then(|proxies| proxies.intercept(request.uri()));
        let request = request.map(Full::new);
        let response = match proxy {
            None => self.direct.request(request).await,
            Some(proxy) => self.proxied(&proxy)?.request(request).await,
        };
        let (head, body) = response.map_err(|error| unanswered(&error, host))?.into_parts();
        let body = Limited::new(body, MOST).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                let message = format!("the answer of `{host}` has more than {MOST} bytes");
                return CallFailure { http_status: head.status.as_u16(), ..unreadable(message) };
            }
            CallFailure::own(CONNECTION_FAILED, format!("the answer of `{host}` broke off: {}", causes(&*error)))
                .ambiguous()
        })?;
        Ok(Answer { status: head.status.as_u16(), headers: head.headers, body: body.to_bytes() })
    }

    fn proxied(
        &self,
        proxy: &Intercept,
    ) -> Result<&Client<HttpsConnector<Tunnel<HttpConnector>>, Full<Bytes>>, CallFailure> {
        let uri: &Uri = proxy.uri();
        if uri.scheme() != Some(&Scheme::HTTP) {
            let scheme = uri.scheme_str().unwrap_or_default();
            let message =
                format!("the proxy that the environment names must be one of `http://`, not `{scheme}://`");
            return Err(CallFailure::own(CONNECTION_FAILED, message));
        }
        Ok(self.proxied.get_or_init(|| {
            let tunnel = Tunnel::new(uri.clone(), connector());
            let tunnel = match proxy.basic_auth() {
                Some(login) => tunnel.with_auth(login.clone()),
                None => tunnel,
            };
            client(HttpsConnector::from((tunnel, Arc::clone(&self.tls))), self.connections.clone())
        }))
    }
}

fn connector() -> HttpConnector {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(CONNECT));
    connector
}

fn client<C>(connector: C, connections: Connections) -> Client<C, Full<Bytes>>
where
    C: hyper_util::client::legacy::connect::Connect + Clone,
{
    Client::builder(connections)
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(MOST_IDLE)
        .build(connector)
}

/// The authorities of the system, which include those of a company, and one more.
fn roots(authority: Option<&str>) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    // Something that is no file may never end.
    let named = std::env::var_os("SSL_CERT_FILE").and_then(|file| std::fs::metadata(file).ok());
    if named.is_none_or(|named| named.is_file()) {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    if let Some(authority) = authority {
        let certificates: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(authority.as_bytes()).flatten().collect();
        if roots.add_parsable_certificates(certificates).0 == 0 {
            return Err(TlsError::Authority);
        }
    }
    if roots.is_empty() { Err(TlsError::NoRoots) } else { Ok(roots) }
}

fn unanswered(error: &hyper_util::client::legacy::Error, host: &str) -> CallFailure {
    let causes = causes(error);
    if !error.is_connect() {
        let message = format!("the connection to `{host}` broke before the answer: {causes}");
        return CallFailure::own(CONNECTION_FAILED, message).ambiguous();
    }
    let mut message = format!("`{host}` cannot be reached: {causes}");
    let code = if comes_from(error, &is_untrusted) {
        UNTRUSTED_CERTIFICATE
    } else if is_loopback(host) && comes_from(error, &is_refused) {
        message
            .push_str("; start a simulator there with `trellis simulate`, or name another address with `--cloud`");
        NOBODY_LISTENS
    } else {
        CONNECTION_FAILED
    };
    CallFailure::own(code, message)
}

/// Whether a host with its port is this machine.
fn is_loopback(host: &str) -> bool {
    format!("http://{host}").parse::<Url>().is_ok_and(|url| url.is_loopback())
}

fn is_refused(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

fn is_untrusted(error: &(dyn Error + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(rustls::Error::InvalidCertificate(_)))
}

/// Whether an error, or an error behind it, is of a kind. Errors of sockets hold theirs inside.
fn comes_from(error: &(dyn Error + 'static), is_such: &dyn Fn(&(dyn Error + 'static)) -> bool) -> bool {
    if is_such(error) {
        return true;
    }
    let inside = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    let inside = inside.map(|inside| inside as &(dyn Error + 'static)).or_else(|| error.source());
    inside.is_some_and(|inside| comes_from(inside, is_such))
}

fn unreadable(message: String) -> CallFailure {
    CallFailure::own(UNREADABLE_ANSWER, message).ambiguous()
}

/// The causes of an error. The outermost error of a client names only itself.
fn causes(error: &(dyn Error + 'static)) -> String {
    let mut causes = Vec::new();
    let mut next = error.source().or(Some(error));
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes.dedup();
    causes.join(": ")
}

#[cfg(test)]
mod tests;
