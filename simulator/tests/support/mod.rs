//! Requests as text, signed by the built-in access key, and their answers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Uri};
use jiff::Timestamp;
use serde_json::Value;
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};
use trellis_simulator::signature::{Pair, Secret, acs3, oss};

/// What hangs fails after this.
const PATIENCE: Duration = Duration::from_mins(1);

/// A call of an action of VPC in the newer generation, with parameters in the query.
pub(crate) fn rpc(action: &str, query: &[(&str, &str)]) -> Vec<u8> {
    rpc_with("POST", action, query, b"")
}

/// The same with another method and a form, whose length it says.
pub(crate) fn rpc_with(method: &str, action: &str, query: &[(&str, &str)], form: &[u8]) -> Vec<u8> {
    let mut text = rpc_head(method, action, query, form);
    text.extend(format!("content-length: {}\r\n\r\n", form.len()).as_bytes());
    text.extend(form);
    text
}

/// The head of a call without the end of its headers.
pub(crate) fn rpc_head(method: &str, action: &str, query: &[(&str, &str)], form: &[u8]) -> Vec<u8> {
    static NONCE: AtomicU64 = AtomicU64::new(0);
    let mut headers = HeaderMap::new();
    let nonce = NONCE.fetch_add(1, Ordering::Relaxed);
    for (name, value) in [
        ("host", "127.0.0.1".to_owned()),
        ("x-acs-action", action.to_owned()),
        ("x-acs-version", "2016-04-28".to_owned()),
        ("x-acs-date", Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        ("x-acs-signature-nonce", format!("{}-{nonce}", std::process::id())),
        ("x-acs-content-sha256", acs3::content_sha256(form)),
        ("content-type", "application/x-www-form-urlencoded".to_owned()),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap());
    }
    let pairs: Vec<Pair<'_>> = query.iter().map(|(name, value)| (Cow::from(*name), Cow::from(*value))).collect();
    let name = method.parse::<Method>().unwrap();
    let request = acs3::Request { method: &name, path: "/", query: &pairs, headers: &headers, body: form };
    let authorization = acs3::sign(&request, ACCESS_KEY, &Secret::new(ACCESS_KEY_SECRET));
    headers.insert(AUTHORIZATION, HeaderValue::from_str(&authorization).unwrap());
    let query: Vec<_> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
    head(method, &format!("/?{}", query.join("&")), &headers)
}

/// A request to OSS with the content of an object or with nothing, whose length it says.
pub(crate) fn object(method: &str, path: &str, content: &[u8]) -> Vec<u8> {
    let mut text = object_head(method, path);
    text.extend(format!("content-length: {}\r\n\r\n", content.len()).as_bytes());
    text.extend(content);
    text
}

/// The head of a request to OSS without the end of its headers.
pub(crate) fn object_head(method: &str, path: &str) -> Vec<u8> {
    let mut headers = HeaderMap::new();
    let date = Timestamp::now().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    for (name, value) in [("host", "127.0.0.1"), ("date", date.as_str())] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    }
    let name = method.parse::<Method>().unwrap();
    let uri = path.parse::<Uri>().unwrap();
    let (bucket, key) = uri.path().trim_start_matches('/').split_once('/').unwrap_or((&uri.path()[1..], ""));
    let request = oss::Request { method: &name, bucket: Some(bucket), key, query: &[], headers: &headers };
    let authorization = oss::v1::sign(&request, ACCESS_KEY, &Secret::new(ACCESS_KEY_SECRET)).unwrap();
    headers.insert(AUTHORIZATION, HeaderValue::from_str(&authorization).unwrap());
    head(method, path, &headers)
}

/// A request to the simulator's own API, with more lines of headers.
pub(crate) fn own(method: &str, path: &str, body: &str, headers: &[&str]) -> Vec<u8> {
    let length = format!("content-length: {}", body.len());
    let first = format!("{method} /_simulator/{path} HTTP/1.1");
    let own = [first.as_str(), "host: 127.0.0.1", "content-type: application/json", &length];
    [&own, headers, &["", body]].concat().join("\r\n").into_bytes()
}

fn head(method: &str, target: &str, headers: &HeaderMap) -> Vec<u8> {
    let mut text = format!("{method} {target} HTTP/1.1\r\n");
    for (name, value) in headers {
        text.extend([name.as_str(), ": ", value.to_str().unwrap(), "\r\n"]);
    }
    text.into_bytes()
}

/// A connection.
pub(crate) struct Client<S = TcpStream>(pub(crate) BufReader<S>);

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    /// Waits until nothing more comes, and says how it ended.
    pub(crate) fn end(mut self) -> io::Result<Vec<u8>> {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).map(|_| rest)
    }
}

impl<S: Read + Write> Client<S> {
    pub(crate) fn send(&mut self, text: &[u8]) {
        self.0.get_mut().write_all(text).unwrap();
    }

    /// Sends a request, and reads its answer.
    pub(crate) fn ask(&mut self, text: &[u8]) -> Answer {
        self.send(text);
        self.answer()
    }

    /// The next answer, to a request of any method but HEAD.
    pub(crate) fn answer(&mut self) -> Answer {
        let mut answer = self.answer_to_head();
        let length = answer.headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        answer.body.resize(length, 0);
        self.0.read_exact(&mut answer.body).unwrap();
        answer
    }

    /// The next answer, to a request with the method HEAD.
    pub(crate) fn answer_to_head(&mut self) -> Answer {
        let mut lines = std::iter::from_fn(|| {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            Some(line.trim_end().to_owned()).filter(|line| !line.is_empty())
        });
        let first = lines.next().unwrap_or_else(|| panic!("no answer"));
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| {
                let (name, value) = line.split_once(": ").unwrap();
                (name.to_ascii_lowercase(), value.to_owned())
            })
            .collect();
        Answer { status, headers, body: Vec::new() }
    }
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// By their names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it never is so: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
