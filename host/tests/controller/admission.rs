//! `trellis admission` as a process, with the policies in the sandbox: reviews over TLS, and its end.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustix::process::Signal;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tokio_rustls::TlsConnector;

use crate::process::Trellis;
use crate::wait::{LIMIT, until};

/// Nobody listens there: what is judged here needs no garden.
const KUBECONFIG: &str = "
apiVersion: v1
kind: Config
current-context: none
contexts: [{ name: none, context: { cluster: none, user: none } }]
clusters: [{ name: none, cluster: { server: 'http://127.0.0.1:1' } }]
users: [{ name: none, user: {} }]
";

/// A client that trusts the certificate of the server.
#[derive(Clone)]
struct Client {
    connector: TlsConnector,
    address: SocketAddr,
}

impl Client {
    fn new(certificate: &str, address: SocketAddr) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Self { connector: TlsConnector::from(Arc::new(config)), address }
    }

    /// A connection; none where nobody listens any more.
    async fn connect(&self) -> Option<SendRequest<Full<Bytes>>> {
        let stream = tokio::net::TcpStream::connect(self.address).await.ok()?;
        let stream = self.connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.ok()?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Some(sender)
    }
}

/// Sends a review. Returns the response, and whether the connection ends with it.
async fn send(sender: &mut SendRequest<Full<Bytes>>, review: &Value) -> (Value, bool) {
    sender.ready().await.unwrap();
    let request = hyper::Request::post("/webhooks/validate").header("host", "localhost");
    let request = request.body(Full::new(Bytes::from(review.to_string()))).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let is_last = response.headers().get("connection").is_some_and(|value| value == "close");
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let document: Value = serde_json::from_slice(&body).unwrap();
    (document["response"].clone(), is_last)
}

fn review() -> Value {
    let shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": { "name": "s", "namespace": "garden-a" },
        "spec": { "provider": { "type": "alicloud", "workers": [{ "name": "a" }] } },
    });
    json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u", "operation": "CREATE", "object": shoot,
            "kind": { "group": "core.gardener.cloud", "version": "v1beta1", "kind": "Shoot" },
        },
    })
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_answers_every_review_until_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    write(folder.path(), "tls.crt", &cert.pem());
    write(folder.path(), "tls.key", &signing_key.serialize_pem());
    write(folder.path(), "kubeconfig", KUBECONFIG);
    let mut trellis = Trellis::start_admission(folder.path(), &["--shutdown-delay-seconds=2"]).await;
    let client = Client::new(&cert.pem(), trellis.webhooks());
    let (told, is_last) = send(&mut client.connect().await.unwrap(), &review()).await;
    assert!(told["allowed"] == false && !is_last, "{told}");
    let message = told["status"]["message"].as_str().unwrap();
    assert!(message.contains("(ALI-SHOOT-003)"), "{message}");
    assert_eq!(trellis.health("/readyz").await.0, 200);

    let (answered, has_ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let (client, answered, has_ended) = (client.clone(), Arc::clone(&answered), Arc::clone(&has_ended));
            tokio::spawn(async move {
                while let Some(mut sender) = client.connect().await {
                    while !send(&mut sender, &review()).await.1 {
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                }
                has_ended.store(true, Ordering::Relaxed);
            })
        })
        .collect();
    until("reviews are answered", LIMIT, async || (answered.load(Ordering::Relaxed) > 50).then_some(())).await;
    trellis.signal(Signal::TERM);
    let unready = until("it is not ready", LIMIT, async || {
        Some(trellis.health("/readyz").await).filter(|told| told.0 == 503)
    });
    assert_eq!(unready.await.1, "not ready: webhooks\n");
    // Who has not heard of that yet is answered.
    assert!(!has_ended.load(Ordering::Relaxed));
    let status = trellis.exit().await;
    assert!(status.success(), "{status}: {:#?}", trellis.log());
    for client in clients {
        client.await.unwrap();
    }
    assert!(TcpStream::connect(trellis.webhooks()).is_err());
}
