//! A client of admission webhooks, as an API server is one: TLS, and connections that stay open.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test double may panic")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio_rustls::TlsConnector;

/// Writes a certificate of a server of this machine and its key into a folder, as `tls.crt` and `tls.key`. Returns the certificate.
pub fn certify(folder: &Path) -> String {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
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

/// What a server answers.
pub struct Told {
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

    /// A connection; none where nobody listens any more.
    pub async fn connect(&self) -> Option<Connection> {
        let stream = tokio::net::TcpStream::connect(self.address).await.ok()?;
        stream.set_nodelay(true).unwrap();
        let stream = self.connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.ok()?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Some(Connection(sender))
    }
}

impl Connection {
    /// Sends a review, which has to be answered.
    pub async fn send(&mut self, path: &str, review: Bytes) -> Told {
        self.0.ready().await.unwrap();
        let request = hyper::Request::post(path).header("host", "localhost").body(Full::new(review)).unwrap();
        let response = self.0.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let is_last = response.headers().get("connection").is_some_and(|value| value == "close");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let mut document: Value = serde_json::from_slice(&body).unwrap();
        Told { response: document["response"].take(), is_last }
    }
}
