//! A client of webhooks, and an authority whose certificates it trusts.

use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{CONNECTION, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Signs certificates for `localhost`.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A new certificate and its key.
    pub(crate) fn issue(&self) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// A client of a server at an address on loopback.
    pub(crate) fn client(&self, address: SocketAddr) -> Client {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.pem.as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Client { connector: TlsConnector::from(Arc::new(config)), address }
    }
}

/// Calls a server over TLS.
#[derive(Clone)]
pub(crate) struct Client {
    connector: TlsConnector,
    pub(crate) address: SocketAddr,
}

/// A connection to a server.
pub(crate) struct Connection(SendRequest<Full<Bytes>>);

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Whether the connection ends with this answer.
    pub(crate) is_last: bool,
    pub(crate) body: String,
}

impl Client {
    /// A connection over TLS.
    pub(crate) async fn tls(&self) -> std::io::Result<TlsStream<TcpStream>> {
        let stream = TcpStream::connect(self.address).await?;
        self.connector.connect(ServerName::try_from("localhost").unwrap(), stream).await
    }

    /// A connection for requests.
    pub(crate) async fn connect(&self) -> std::io::Result<Connection> {
        let (sender, connection) = http1::handshake(TokioIo::new(self.tls().await?)).await.unwrap();
        tokio::spawn(connection);
        Ok(Connection(sender))
    }

    /// One request with a connection of its own.
    pub(crate) async fn post(&self, path: &str, body: impl Into<Bytes>) -> Reply {
        self.connect().await.unwrap().send(Method::POST, path, body).await.unwrap()
    }

    /// The response of one review.
    pub(crate) async fn review(&self, path: &str, review: &Value) -> Value {
        let reported = self.post(path, review.to_string()).await;
        assert_eq!(reported.status, 200, "{}", reported.body);
        let document: Value = serde_json::from_str(&reported.body).unwrap();
        assert_eq!(document["response"]["uid"], review["request"]["uid"]);
        document["response"].clone()
    }
}

impl Connection {
    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: impl Into<Bytes>,
    ) -> Result<Reply, hyper::Error> {
        self.0.ready().await?;
        let request =
            Request::builder().method(method).uri(path).header(HOST, "localhost").body(Full::new(body.into()));
        let response = self.0.send_request(request.unwrap()).await?;
        let is_last = response.headers().get(CONNECTION).is_some_and(|value| value == "close");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await?.to_bytes();
        Ok(Reply { status, is_last, body: String::from_utf8_lossy(&body).into_owned() })
    }
}

/// A review of an object, as an API server sends it.
pub(crate) fn review(operation: &str, object: &Value, old: &Value) -> Value {
    let of = if object.is_null() { old } else { object };
    let text = |pointer: &str| of.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (group, version) = text("/apiVersion").split_once('/').unwrap_or(("", text("/apiVersion")));
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": { "group": group, "version": version, "kind": text("/kind") },
            "resource": { "group": group, "version": version, "resource": "any" },
            "name": text("/metadata/name"), "namespace": text("/metadata/namespace"),
            "operation": operation, "userInfo": { "username": "somebody" },
            "object": object, "oldObject": old, "dryRun": false, "options": null,
        },
    })
}
