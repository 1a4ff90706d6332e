//! API servers of Shoots on loopback, and the Secrets that lead there.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::controller::health_check::tests::Server;
use trellis_runner::limits::permit::Permit;

/// The API server of a Shoot that answers each request alike, and counts connections.
pub struct ShootServer {
    pub address: String,
    pub connections: Arc<AtomicUsize>,
}

impl ShootServer {
    /// `body` is the answer; none where there is no answer.
    pub async fn start(status: u16, body: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let body = body.clone();
                tokio::spawn(async move {
                    let mut seen = Vec::new();
                    loop {
                        let mut part = [0; 4096];
                        let Ok(read @ 1..) = stream.read(&mut part).await else { return };
                        seen.extend_from_slice(&part[..read]);
                        if !seen.ends_with(b"\r\n\r\n") {
                            continue;
                        }
                        let request = String::from_utf8(std::mem::take(&mut seen)).unwrap();
                        assert!(request.starts_with("GET /api/v1/nodes?&limit=1 "), "{request}");
                        assert!(request.contains("authorization: Bearer CANARY"), "{request}");
                        let Some(body) = &body else { continue };
                        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", body.len());
                        if stream.write_all(format!("{head}{body}").as_bytes()).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { address, connections }
    }

    pub async fn healthy() -> Self {
        Self::start(200, Some("{}".to_owned())).await
    }
}

/// A Secret with a kubeconfig.
pub fn secret(name: &str, version: &str, server: &str, user: &Value) -> Value {
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "u" } }],
        "clusters": [{ "name": "c", "cluster": { "server": server } }],
        "users": [{ "name": "u", "user": user }],
    });
    json!({
        "metadata": { "namespace": "s", "name": name, "uid": "u", "resourceVersion": version },
        "data": { "kubeconfig": STANDARD.encode(kubeconfig.to_string()) },
    })
}

fn token() -> Value {
    json!({ "token": "CANARY" })
}

fn shoots(limit: u64) -> Shoots {
    Shoots::new(Duration::from_secs(limit), Duration::from_mins(1))
}

async fn ask(shoots: &Shoots, secrets: &[Value]) -> Result<(), String> {
    let server = Server::with(secrets.iter().map(|secret| ("/api/v1/namespaces/s/secrets", secret.clone())));
    let objects = Objects::new(
        server.client(),
        Permit::unlimited(),
        tokio::time::Instant::now() + std::time::Duration::from_mins(10),
    );
    let answer = shoots.list_nodes(&objects, "s").await.map_err(|error| error.to_string());
    assert!(!format!("{answer:?}").contains("CANARY"), "{answer:?}");
    answer
}

#[tokio::test]
async fn the_address_inside_the_seed_comes_first() {
    let (inside, outside) = (ShootServer::healthy().await, ShootServer::healthy().await);
    let internal = secret("gardener-internal", "1", &inside.address, &token());
    let external = secret("gardener", "1", &outside.address, &token());
    ask(&shoots(30), &[internal, external.clone()]).await.unwrap();
    let count = || (inside.connections.load(Ordering::Relaxed), outside.connections.load(Ordering::Relaxed));
    assert_eq!(count(), (1, 0));
    ask(&shoots(30), &[external]).await.unwrap();
    assert_eq!(count(), (1, 1));
    let why = ask(&shoots(30), &[]).await.unwrap_err();
    assert_eq!(why, "failed to create shoot client: secret \"gardener\" in namespace \"s\" not found");
}

#[tokio::test]
async fn a_client_keeps_its_connection_until_its_secret_changes() {
    let server = ShootServer::healthy().await;
    let shoots = shoots(30);
    for (version, connections) in [("1", 1), ("1", 1), ("2", 2), ("2", 2)] {
        ask(&shoots, &[secret("gardener", version, &server.address, &token())]).await.unwrap();
        assert_eq!(server.connections.load(Ordering::Relaxed), connections, "{version}");
    }
    assert_eq!(shoots.kept().len(), 1);
}

#[tokio::test]
async fn few_clients_are_kept_and_none_that_nobody_uses() {
    let client = Server::default().client();
    let shoots = Shoots::new(Duration::from_secs(1), Duration::ZERO);
    for at in 0..2 * MOST_KEPT {
        shoots.keep(&at.to_string(), "secret".to_owned(), &client);
    }
    assert_eq!(shoots.kept().len(), MOST_KEPT);
    assert!(shoots.find("0", "secret").is_some());
    assert_eq!(shoots.kept().len(), 1);
    assert!(shoots.find("0", "another secret").is_none());
    assert_eq!(shoots.kept().len(), 0);
}

#[tokio::test]
async fn an_api_server_that_does_not_list_nodes_says_why() {
    let large = format!("{{\"pad\":\"{}\"}}", "x".repeat(MOST_BYTES));
    for (status, body, why) in [
        (
            403,
            Some(json!({ "kind": "Status", "message": "nodes is forbidden" }).to_string()),
            "nodes is forbidden",
        ),
        (502, Some("<html>".to_owned()), "the API server answers 502 Bad Gateway"),
        (200, Some(large), "the answer is larger than 1048576 bytes"),
        (200, None, "there was no answer within 1 s"),
    ] {
        let server = ShootServer::start(status, body).await;
        let found = ask(&shoots(1), &[secret("gardener", "1", &server.address, &token())]).await;
        assert_eq!(found, Err(why.to_owned()));
    }
    let nobody = ask(&shoots(30), &[secret("gardener", "1", "http://127.0.0.1:1", &token())]).await.unwrap_err();
    assert!(nobody.contains("Connection refused"), "{nobody}");
}

#[tokio::test]
async fn a_kubeconfig_in_a_secret_has_no_say_over_this_process() {
    for (user, member) in [
        (json!({ "exec": { "apiVersion": "client.authentication.k8s.io/v1", "command": "CANARY" } }), "exec"),
        (json!({ "auth-provider": { "name": "CANARY", "config": {} } }), "auth-provider"),
        (json!({ "tokenFile": "/CANARY" }), "tokenFile"),
        (json!({ "client-certificate": "/CANARY" }), "client-certificate"),
        (json!({ "client-key": "/CANARY" }), "client-key"),
        (json!({ "as": "CANARY" }), "as"),
    ] {
        let why = ask(&shoots(30), &[secret("gardener", "1", "http://127.0.0.1:1", &user)]).await.unwrap_err();
        assert!(why.contains(&format!("has `{member}`, which is not supported")), "{why}");
    }
    let mut file = secret("gardener", "1", "x", &token());
    let text =
        "clusters: [{ name: c, cluster: { server: 'http://127.0.0.1:1', certificate-authority: /CANARY } }]";
    file["data"]["kubeconfig"] = json!(STANDARD.encode(text));
    let why = ask(&shoots(30), &[file]).await.unwrap_err();
    assert!(why.contains("certificate-authority"), "{why}");
}

#[tokio::test]
async fn a_secret_that_nobody_can_read_is_reported_without_its_text() {
    for (data, words) in [
        (json!({}), "there is no `kubeconfig` in it"),
        (json!({ "kubeconfig": "CANARY!" }), "is no base64"),
        (json!({ "kubeconfig": STANDARD.encode([0xff, 0xfe]) }), "is no text"),
        (json!({ "kubeconfig": STANDARD.encode("users: CANARY\n  x: [") }), "cannot be read"),
    ] {
        let mut broken = secret("gardener", "1", "x", &token());
        broken["data"] = data;
        let why = ask(&shoots(30), &[broken]).await.unwrap_err();
        assert!(why.contains(words), "{why}");
    }
}
