use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::*;
use trellis_runner::limits::stop::{Stop, stop};

async fn started(ready: &Readiness, stop: StopSignal) -> Bound {
    let any = address("127.0.0.1:0").unwrap();
    serve(any, any, Metrics::new(), ready.clone(), stop).await.unwrap()
}

/// What a server sends for these bytes until it closes the connection.
async fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that refuses what is too large may close before it has read all.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

/// Status and body.
async fn ask(address: SocketAddr, method: &str, path: &str) -> (u16, String) {
    let answer = exchange(address, &format!("{method} {path} HTTP/1.1\r\nhost: a\r\n\r\n")).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn health_readiness_and_metrics_are_answered() {
    let ready = Readiness::default();
    let (caches, policies) =
        (ready.condition(Check::Caches, "caches"), ready.condition(Check::Process, "policies"));
    let Bound { metrics: Some(metrics), health: Some(health) } = started(&ready, StopSignal::never()).await else {
        panic!("both listen")
    };
    assert_eq!(ask(health, "GET", "/healthz").await, (200, "ok\n".to_owned()));
    assert_eq!(ask(health, "GET", "/readyz").await, (503, "not ready: caches, policies\n".to_owned()));
    caches.set(true);
    assert_eq!(ask(health, "GET", "/readyz?x").await, (503, "not ready: policies\n".to_owned()));
    policies.set(true);
    assert_eq!(ask(health, "GET", "/readyz").await, (200, "ok\n".to_owned()));
    caches.set(false);
    assert_eq!(ask(health, "GET", "/readyz").await.0, 503);
    assert_eq!(ask(health, "HEAD", "/healthz").await, (200, String::new()));
    assert_eq!(ask(health, "POST", "/healthz").await.0, 405);
    let (status, text) = ask(metrics, "GET", "/metrics").await;
    assert!(status == 200 && text.contains("\ntrellis_plans_total 0\n"), "{text}");
    for (address, path) in [(health, "/metrics"), (health, "/"), (metrics, "/healthz"), (metrics, "/metrics/")] {
        assert_eq!(ask(address, "GET", path).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn a_check_is_asked_alone_by_the_name_that_gardeners_extensions_give_it() {
    let ready = Readiness::default();
    let Bound { health: Some(health), .. } = started(&ready, StopSignal::never()).await else {
        panic!("health listens")
    };
    // Without webhooks and caches, there is nothing to wait for.
    for path in ["/readyz/informer-sync", "/readyz/webhook-server", "/healthz/ping", "/healthz/", "/readyz/"] {
        assert_eq!(ask(health, "GET", path).await, (200, "ok\n".to_owned()), "{path}");
    }
    let (caches, webhooks) =
        (ready.condition(Check::Caches, "workers"), ready.condition(Check::Webhooks, "webhooks"));
    let both = async || {
        (ask(health, "GET", "/readyz/informer-sync").await, ask(health, "GET", "/readyz/webhook-server").await)
    };
    let (ok, missing) = ((200, "ok\n".to_owned()), |name: &str| (503, format!("not ready: {name}\n")));
    assert_eq!(both().await, (missing("workers"), missing("webhooks")));
    caches.set(true);
    assert_eq!(both().await, (ok.clone(), missing("webhooks")));
    webhooks.set(true);
    caches.set(false);
    assert_eq!(both().await, (missing("workers"), ok));
    for path in
        ["/readyz/other", "/readyz/ping", "/healthz/webhook-server", "/readyz//", "/readyz/webhook-server/x"]
    {
        assert_eq!(ask(health, "GET", path).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn who_asks_for_more_gets_a_line_for_each_check() {
    let ready = Readiness::default();
    let Bound { health: Some(health), .. } = started(&ready, StopSignal::never()).await else {
        panic!("health listens")
    };
    let (workers, clusters) =
        (ready.condition(Check::Caches, "workers"), ready.condition(Check::Caches, "clusters"));
    assert_eq!(
        ask(health, "GET", "/readyz?verbose").await,
        (
            503,
            "[-]informer-sync failed: clusters, workers\n[+]webhook-server ok\n[+]shutdown ok\nreadyz check failed\n"
                .to_owned()
        )
    );
    workers.set(true);
    clusters.set(true);
    let all = "[+]informer-sync ok\n[+]webhook-server ok\n[+]shutdown ok\nreadyz check passed\n";
    for path in ["/readyz?verbose", "/readyz/?verbose=1", "/readyz?a=b&verbose="] {
        assert_eq!(ask(health, "GET", path).await, (200, all.to_owned()), "{path}");
    }
    let alive = "[+]ping ok\nhealthz check passed\n";
    assert_eq!(ask(health, "GET", "/healthz?verbose").await, (200, alive.to_owned()));
    for path in ["/readyz?verbosely", "/readyz/informer-sync?verbose", "/healthz/ping?verbose"] {
        assert_eq!(ask(health, "GET", path).await, (200, "ok\n".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn the_format_is_the_one_that_is_asked_for() {
    let Bound { metrics: Some(address), .. } = started(&Readiness::default(), StopSignal::never()).await else {
        panic!("metrics listen")
    };
    let prometheus = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1";
    for (accept, kind, end) in [
        ("text/plain", "text/plain; version=0.0.4", false),
        ("*/*", "text/plain; version=0.0.4", false),
        (prometheus, "application/openmetrics-text; version=1.0.0", true),
    ] {
        let request = format!("GET /metrics HTTP/1.1\r\nhost: a\r\naccept: {accept}\r\n\r\n");
        let answer = exchange(address, &request).await;
        assert!(answer.contains(&format!("content-type: {kind}; charset=utf-8\r\n")), "{answer}");
        assert_eq!(answer.ends_with("# EOF\n"), end);
    }
}

#[tokio::test]
async fn clients_that_send_too_much_or_nothing_are_refused_and_hold_up_nobody() {
    let Bound { health: Some(health), .. } = started(&Readiness::default(), StopSignal::never()).await else {
        panic!("health listens")
    };
    let large = format!("GET /healthz HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "a".repeat(64 << 10));
    let answer = exchange(health, &large).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    let mut slow = Vec::new();
    for _ in 0..32 {
        slow.push(TcpStream::connect(health).await.unwrap());
    }
    assert_eq!(ask(health, "GET", "/healthz").await.0, 200);
    // More than there are places: clients that are silent have to go.
    for _ in 0..64 {
        slow.push(TcpStream::connect(health).await.unwrap());
    }
    let limit = connections::LIFETIME + Duration::from_secs(5);
    assert_eq!(timeout(limit, ask(health, "GET", "/healthz")).await.unwrap().0, 200);
}

#[tokio::test]
async fn it_ends_with_the_process_and_is_disabled_where_no_address_is() {
    let (stopper, signal) = stop();
    let Bound { metrics: Some(metrics), health: Some(health) } = started(&Readiness::default(), signal).await
    else {
        panic!("both listen")
    };
    stopper.stop(Stop::Gracefully);
    for address in [metrics, health] {
        let refused = async { while TcpStream::connect(address).await.is_ok() {} };
        timeout(Duration::from_secs(10), refused).await.unwrap();
    }
    let none = serve(None, None, Metrics::new(), Readiness::default(), StopSignal::never()).await.unwrap();
    assert_eq!(none, Bound { metrics: None, health: None });
}

#[tokio::test]
async fn an_address_that_is_taken_is_named_with_its_flag() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    for (metrics, health, flag) in
        [(Some(address), None, "--metrics-bind-address"), (None, Some(address), "--health-bind-address")]
    {
        let error = serve(metrics, health, Metrics::new(), Readiness::default(), StopSignal::never()).await;
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot listen at {address}: ")) && error.contains(flag), "{error}");
    }
}
