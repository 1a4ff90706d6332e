use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::testing::{Authority, Client, review};
use super::*;
use crate::api_server::resource::Resource;
use crate::health::{Check, Readiness};
use crate::metrics::Metrics;
use trellis_runner::limits::stop::{Stop, Stopper, stop};

/// Long enough for whatever has to happen.
const LONG: Duration = Duration::from_secs(30);
const KINDS: &[Resource] = &[Resource { group: "g", version: "v1", kind: "K", plural: "ks" }];

struct Running {
    client: Client,
    certificates: Certificates,
    readiness: Readiness,
    metrics: Metrics,
    stopper: Stopper,
    task: JoinHandle<()>,
}

/// A webhook that does what the object's `do` says.
async fn obey(review: Review) -> Answer {
    let object: Value = serde_json::from_str(review.object.unwrap().get()).unwrap();
    match object["do"].as_str() {
        Some("deny") => Answer::denied("no"),
        Some("hang") => std::future::pending().await,
        Some("panic") => panic!("as asked"),
        Some("wait") => {
            sleep(Duration::from_millis(50)).await;
            Answer::allowed()
        }
        _ => Answer { warnings: vec![review.sender.ip().to_string()], ..Answer::allowed() },
    }
}

async fn started_at(address: SocketAddr, authority: &Authority, limits: Limits, drain: Duration) -> Running {
    let listener = TcpListener::bind(address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (certificates, metrics, readiness) = (Certificates::none(), Metrics::new(), Readiness::default());
    let (certificate, key) = authority.issue();
    certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap();
    let server = Server {
        webhooks: vec![Webhook::new("obey", "/obey", KINDS, obey)],
        certificates: certificates.clone(),
        limits,
        drain,
        metrics: metrics.clone(),
    };
    let (stopper, signal) = stop();
    let ready = readiness.condition(Check::Webhooks, "webhooks");
    let task = tokio::spawn(async move { serve(listener, server, ready, signal).await.unwrap() });
    Running { client: authority.client(address), certificates, readiness, metrics, stopper, task }
}

async fn started(limits: Limits) -> Running {
    started_at(([127, 0, 0, 1], 0).into(), &Authority::new(), limits, Duration::ZERO).await
}

fn order(what: &str) -> Value {
    review("CREATE", &json!({ "apiVersion": "g/v1", "kind": "K", "do": what }), &Value::Null)
}

#[tokio::test]
async fn reviews_of_a_connection_are_answered_one_after_the_other() {
    let running = started(Limits::default()).await;
    let mut connection = running.client.connect().await.unwrap();
    for _ in 0..3 {
        let reported =
            connection.send(Method::POST, "/obey?timeout=10s", order("allow").to_string()).await.unwrap();
        assert!(reported.status == 200 && !reported.is_last, "{reported:?}");
        let answer: Value = serde_json::from_str(&reported.body).unwrap();
        assert_eq!(answer["response"]["allowed"], true);
        assert_eq!(answer["response"]["warnings"], json!(["127.0.0.1"]));
    }
    assert!(running.readiness.missing().is_empty());
    let denied = running.client.review("/obey", &order("deny")).await;
    assert_eq!((&denied["allowed"], &denied["status"]["message"]), (&json!(false), &json!("no")));
    let metrics = running.metrics.text();
    for row in [
        r#"controller_runtime_webhook_requests_total{webhook="obey",code="200"} 4"#,
        r#"trellis_webhook_review_seconds_count{webhook="obey",kind="K",verdict="allowed"} 3"#,
        r#"trellis_webhook_review_seconds_count{webhook="obey",kind="K",verdict="denied"} 1"#,
    ] {
        assert!(metrics.contains(row), "{row} is not in\n{metrics}");
    }
}

#[tokio::test]
async fn a_webhook_that_breaks_off_or_hangs_denies() {
    let running = started(Limits::default()).await;
    let status = |answer: Value| (answer["allowed"].clone(), answer["status"]["code"].clone());
    for (path, what) in [("/obey", "panic"), ("/obey?timeout=1s", "hang")] {
        let answer = running.client.review(path, &order(what)).await;
        assert_eq!(status(answer), (json!(false), json!(500)), "{what}");
    }
    assert_eq!(running.client.review("/obey", &order("allow")).await["allowed"], true);
}

#[tokio::test]
async fn each_hostile_request_is_answered_and_disturbs_no_other() {
    let running = started(Limits::default()).await;
    let allowed = order("allow").to_string();
    let with = |find: &str, replace: &str| allowed.replace(find, replace).into_bytes();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (path, body, status, words) in [
        ("/", allowed.clone().into_bytes(), 404, "no webhook at this path"),
        ("/obey/", allowed.clone().into_bytes(), 404, "no webhook at this path"),
        ("/obey", Vec::new(), 400, "no AdmissionReview"),
        ("/obey", b"\xff\xfe".to_vec(), 400, "not UTF-8"),
        ("/obey", with("somebody", "\u{0}"), 400, "control character"),
        ("/obey", [b"{\"a\":\"".as_slice(), &[0xc3, 0x28], b"\"}"].concat(), 400, "not UTF-8"),
        ("/obey", deep.clone().into_bytes(), 400, "no AdmissionReview"),
        ("/obey", with("admission.k8s.io/v1", "admission.k8s.io/v9"), 400, "webhooks answer"),
        ("/obey", with("CREATE", "EXPLODE"), 400, "unknown variant"),
        ("/obey", vec![b' '; (7 << 20) + 1], 413, "more than"),
        ("/obey", vec![b' '; 20 << 20], 413, "more than"),
        ("/", vec![b' '; 3 << 20], 404, "no webhook at this path"),
        ("/obey", with("\"allow\"", &deep), 200, "more than 120 levels"),
        ("/obey", with("\"kind\":\"K\"", "\"kind\":\"Shoot\""), 200, "unexpected request kind g/v1, Kind=Shoot"),
        ("/obey", with("\"group\":\"g\"", "\"group\":\"h\""), 200, "unexpected request kind h/v1, Kind=K"),
        ("/obey", with("\"allow\"", &format!("\"{}\"", "a".repeat(3 << 20))), 200, "\"allowed\":true"),
    ] {
        let reported = running.client.post(path, body).await;
        assert!(
            reported.status == status && reported.body.contains(words),
            "{words}: {} {:.300}",
            reported.status,
            reported.body
        );
    }
    let mut connection = running.client.connect().await.unwrap();
    assert_eq!(connection.send(Method::GET, "/obey", "").await.unwrap().status, 405);
    assert_eq!(running.client.review("/obey", &order("allow")).await["allowed"], true);
}

#[tokio::test]
async fn a_body_without_a_length_is_counted_and_one_that_does_not_end_is_refused() {
    let limits = Limits { body: 64 << 10, arrival: Duration::from_millis(300), ..Limits::default() };
    let running = started(limits).await;
    let ask = async |rest: &[u8]| {
        let mut stream = running.client.tls().await.unwrap();
        stream.write_all(b"POST /obey HTTP/1.1\r\nhost: localhost\r\n").await.unwrap();
        // A server that refuses what is too large may close before it has read all.
        let _ = stream.write_all(rest).await;
        let mut answer = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap();
        String::from_utf8(answer).unwrap()
    };
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 64 << 10], b"\r\n"].concat();
    let chunks = [b"transfer-encoding: chunked\r\n\r\n".as_slice(), &chunk, &chunk].concat();
    assert!(ask(&chunks).await.starts_with("HTTP/1.1 413"));
    assert!(ask(b"content-length: 100\r\n\r\n{").await.starts_with("HTTP/1.1 408"));
}

#[tokio::test]
async fn plain_http_on_the_port_of_tls_is_answered_with_the_reason() {
    let running = started(Limits::default()).await;
    let exchange = async |bytes: &[u8]| {
        let mut stream = TcpStream::connect(running.client.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = String::new();
        let _ = timeout(LONG, stream.read_to_string(&mut answer)).await.unwrap();
        answer
    };
    let plain = exchange(b"POST /obey HTTP/1.1\r\nhost: a\r\n\r\n").await;
    assert!(plain.contains("an HTTP request to an HTTPS server"), "{plain}");
    exchange(&[0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5]).await;
    assert_eq!(running.client.review("/obey", &order("allow")).await["allowed"], true);
}

#[tokio::test]
async fn clients_that_send_nothing_have_to_go() {
    let limits =
        Limits { patience: Duration::from_millis(200), idle: Duration::from_millis(400), ..Limits::default() };
    let running = started(limits).await;
    let ended = async |mut stream: TcpStream| {
        let mut rest = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut rest)).await.unwrap();
    };
    // Silent before the handshake.
    ended(TcpStream::connect(running.client.address).await.unwrap()).await;
    // Silent after it, and in the middle of a head.
    for bytes in ["", "POST /obey HTTP/1.1\r\nhost"] {
        let mut stream = running.client.tls().await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        ended(stream.into_inner().0).await;
    }
    // Silent after a review.
    let mut connection = running.client.connect().await.unwrap();
    connection.send(Method::POST, "/obey", order("allow").to_string()).await.unwrap();
    let goes_on = async {
        while connection.send(Method::POST, "/obey", "").await.is_ok() {
            sleep(limits.idle).await;
        }
    };
    timeout(LONG, goes_on).await.unwrap();
}

#[tokio::test]
async fn clients_that_fill_all_places_make_room_for_a_review() {
    let running = started(Limits { connections: 8, ..Limits::default() }).await;
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(TcpStream::connect(running.client.address).await.unwrap());
    }
    for _ in 0..20 {
        let answer = timeout(LONG, running.client.review("/obey", &order("allow"))).await.unwrap();
        assert_eq!(answer["allowed"], true);
    }
    let mut byte = [0];
    let closed = timeout(LONG, idle[0].read(&mut byte)).await.unwrap();
    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
}

/// Sends reviews for as long as `goes_on`, over connections that it keeps, to one of several servers, as a Service
/// spreads them.
async fn load(clients: Vec<Client>, lasts: usize, goes_on: impl Fn() -> bool, sent: Arc<AtomicUsize>) {
    let mut at = 0;
    while goes_on() {
        let client = &clients[at % clients.len()];
        let Ok(mut connection) = client.connect().await else {
            // Nobody listens there any more, and nothing was sent.
            at += 1;
            continue;
        };
        for _ in 0..lasts {
            let reported = connection.send(Method::POST, "/obey", order("wait").to_string()).await.unwrap();
            assert!(reported.status == 200 && reported.body.contains("\"allowed\":true"), "{reported:?}");
            sent.fetch_add(1, Ordering::Relaxed);
            if reported.is_last || !goes_on() {
                break;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotation_under_load_loses_no_review() {
    let authority = Authority::new();
    let running = started_at(([127, 0, 0, 1], 0).into(), &authority, Limits::default(), Duration::ZERO).await;
    let (stopper, signal) = stop();
    let sent = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let (signal, sent) = (signal.clone(), Arc::clone(&sent));
            tokio::spawn(load(vec![running.client.clone()], 2, move || signal.now() == Stop::No, sent))
        })
        .collect();
    let shown = async || {
        let stream = running.client.tls().await.unwrap();
        stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
    };
    let mut seen = vec![shown().await];
    for _ in 0..20 {
        let (certificate, key) = authority.issue();
        running.certificates.set(certificate.as_bytes(), key.as_bytes()).unwrap();
        let certificate = shown().await;
        assert!(!seen.contains(&certificate));
        seen.push(certificate);
        sleep(Duration::from_millis(20)).await;
    }
    stopper.stop(Stop::Gracefully);
    for client in clients {
        client.await.unwrap();
    }
    assert!(sent.load(Ordering::Relaxed) > 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_stop_one_after_the_other_under_load_lose_no_review() {
    let authority = Authority::new();
    let drain = Duration::from_millis(300);
    let start = async |address: SocketAddr| started_at(address, &authority, Limits::default(), drain).await;
    let any = ([127, 0, 0, 1], 0).into();
    let mut servers = vec![start(any).await, start(any).await];
    let addresses: Vec<Client> = servers.iter().map(|server| server.client.clone()).collect();
    let (stopper, signal) = stop();
    let sent = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let (signal, sent, addresses) = (signal.clone(), Arc::clone(&sent), addresses.clone());
            tokio::spawn(load(addresses, usize::MAX, move || signal.now() == Stop::No, sent))
        })
        .collect();
    for _ in 0..2 {
        for server in &mut servers {
            let before = sent.load(Ordering::Relaxed);
            while sent.load(Ordering::Relaxed) < before + 40 {
                sleep(Duration::from_millis(10)).await;
            }
            server.stopper.stop(Stop::Gracefully);
            timeout(LONG, &mut server.task).await.unwrap().unwrap();
            assert_eq!(server.readiness.missing(), ["webhooks"]);
            assert!(TcpStream::connect(server.client.address).await.is_err());
            *server = start(server.client.address).await;
        }
    }
    stopper.stop(Stop::Gracefully);
    for client in clients {
        client.await.unwrap();
    }
}

#[tokio::test]
async fn a_review_that_has_begun_is_answered_before_the_end() {
    let running = started(Limits::default()).await;
    let client = running.client.clone();
    let (mut connection, mut late) = (client.connect().await.unwrap(), client.connect().await.unwrap());
    let asked =
        tokio::spawn(
            async move { connection.send(Method::POST, "/obey", order("wait").to_string()).await.unwrap() },
        );
    sleep(Duration::from_millis(10)).await;
    running.stopper.stop(Stop::Gracefully);
    // A connection whose first request is on its way.
    let reported = late.send(Method::POST, "/obey", order("wait").to_string()).await.unwrap();
    assert!(reported.is_last && reported.body.contains("\"allowed\":true"), "{reported:?}");
    assert!(asked.await.unwrap().body.contains("\"allowed\":true"));
    timeout(LONG, running.task).await.unwrap().unwrap();
}
