//! A client of admission webhooks, as an API server is one: TLS, and connections that stay open.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test double may panic")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio_rustls::TlsConnector;

/// Writes a certificate of a server at 127.0.0.1 and its key into a folder, as `tls.crt` and `tls.key`. Returns
/// the certificate.
pub fn certify(folder: &Path) -> String {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    std::fs::write(folder.join("tls.key"), signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("tls.crt"), cert.pem()).unwrap();
    cert.pem()
}

/// Sends reviews to one server.
#[derive(Clone)]
pub struct Reviewer {
    connector: TlsConnector,
    address: SocketAddr,
}

/// A connection to a server.
pub struct Connection(SendRequest<Full<Bytes>>);

/// What a server answers to a request.
pub struct Answer {
    pub status: StatusCode,
    pub body: Bytes,
    /// Whether the connection ends with it.
    pub is_last: bool,
}

/// What a server answers to a review.
pub struct ReviewReply {
    /// The response of the review.
    pub response: Value,
    /// Whether the connection ends with it.
    pub is_last: bool,
}

impl Reviewer {
    /// Trusts certificates, in PEM.
    pub fn new(certificates: &str, address: SocketAddr) -> Self {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(certificates.as_bytes()) {
            roots.add(certificate.unwrap()).unwrap();
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Self { connector: TlsConnector::from(Arc::new(config)), address }
    }

    /// A connection; none where nobody listens any more, or the certificate is another one.
    pub async fn connect(&self) -> Option<Connection> {
        let stream = tokio::net::TcpStream::connect(self.address).await.ok()?;
        stream.set_nodelay(true).unwrap();
        let stream = self.connector.connect(ServerName::from(self.address.ip()), stream).await.ok()?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Some(Connection(sender))
    }
}

impl Connection {
    /// Sends a review, which has to be answered.
    pub async fn send(&mut self, path: &str, review: Bytes) -> ReviewReply {
        let Answer { status, body, is_last } = self.post(path, review).await;
        assert_eq!(status, 200);
        let mut document: Value = serde_json::from_slice(&body).unwrap();
        ReviewReply { response: document["response"].take(), is_last }
    }

    /// Sends a body, whatever it is, which has to be answered.
    pub async fn post(&mut self, path: &str, body: Bytes) -> Answer {
        self.try_post(path, body).await.unwrap()
    }

    /// Sends a body to a server that may end.
    pub async fn try_post(&mut self, path: &str, body: Bytes) -> Result<Answer, hyper::Error> {
        self.0.ready().await?;
        let request = hyper::Request::post(path).header("host", "localhost").body(Full::new(body)).unwrap();
        let response = self.0.send_request(request).await?;
        let is_last = response.headers().get("connection").is_some_and(|value| value == "close");
        let status = response.status();
        Ok(Answer { status, body: response.into_body().collect().await?.to_bytes(), is_last })
    }
}
