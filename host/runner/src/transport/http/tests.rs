use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

fn behind(proxy: &str) -> Http {
    let proxies = Matcher::builder().https(proxy).no("near.example").build();
    Http::new(RootCertStore::empty(), Some(proxies), Connections::default()).unwrap()
}

async fn failure(http: &Http, uri: &'static str) -> CallFailure {
    let request = Request::post(uri).body(Bytes::new()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    http.send(request, Duration::from_secs(30), deadline).await.unwrap_err()
}

#[tokio::test]
async fn the_proxy_of_the_environment_is_asked_for_a_tunnel() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let proxy = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let length = stream.read(&mut request).await.unwrap();
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n").await.unwrap();
        String::from_utf8_lossy(&request[..length]).to_ascii_lowercase()
    });
    let failure = failure(&behind(&format!("http://me:hidden@{address}")), "https://vpc.example/").await;
    let asked = proxy.await.unwrap();
    assert!(asked.starts_with("connect vpc.example:443 http/1.1\r\n"), "{asked}");
    assert!(asked.contains("proxy-authorization: basic "), "{asked}");
    assert_eq!((failure.code.as_str(), failure.ambiguous), (CONNECTION_FAILED, false));
    assert!(failure.message.starts_with("`vpc.example` cannot be reached: "), "{failure}");
    assert!(!failure.message.contains("hidden"), "{failure}");
}

#[tokio::test]
async fn a_proxy_that_is_none_of_http_is_refused() {
    let failure = failure(&behind("socks5://me:hidden@127.0.0.1:1"), "https://vpc.example/").await;
    let reported = "the proxy that the environment names must be one of `http://`, not `socks5://`";
    assert_eq!((failure.code.as_str(), failure.message.as_str()), (CONNECTION_FAILED, reported));
}

#[tokio::test]
async fn a_host_that_is_near_is_reached_without_the_proxy() {
    let http = behind("socks5://127.0.0.1:1");
    let failure = failure(&http, "https://near.example:1/").await;
    assert!(failure.message.starts_with("`near.example:1` cannot be reached: "), "{failure}");
}

#[tokio::test]
async fn a_connection_writes_nothing_once_the_lease_is_over() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (lease, lease_signal) = crate::limits::lease::lease(Instant::now() + Duration::from_hours(1));
    let http = Http::local(&Scheme::HTTP, None, Connections(lease_signal)).unwrap();
    let request = Request::post(format!("http://{}/", listener.local_addr().unwrap())).body(Bytes::new()).unwrap();
    lease.give_up();
    let deadline = Instant::now() + Duration::from_secs(30);
    let sent = http.send(request, Duration::from_secs(30), deadline);
    let received = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut received = Vec::new();
        stream.read_to_end(&mut received).await.unwrap();
        received
    };
    let (sent, received) = tokio::join!(sent, received);
    assert_eq!((sent.unwrap_err().code.as_str(), received.as_slice()), (CONNECTION_FAILED, &[][..]));
}
