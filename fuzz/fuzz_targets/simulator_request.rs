//! Requests to the simulator, as they are and signed by its built-in access key: each is answered, none by an
//! internal error, and one that is refused leaves the world as it was.
//!
//! An input is one request or more, with `---` between them, each after a letter for the way in which it is
//! signed.
#![no_main]

mod simulator;

use std::borrow::Cow;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::Uri;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::request::Parts;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use simulator::{answer, gateway, request, set, split};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::oss::address::Address;
use trellis_simulator::signature::{Pair, Secret, acs3, oss, rpc};
use trellis_simulator::world::World;

/// Most requests of an input.
const MOST: usize = 8;

/// What is there from the start.
static WORLD: LazyLock<World> = LazyLock::new(|| {
    let gateway = gateway(&World::default());
    for text in include_str!("simulator/start.txt").split("\n---\n") {
        let (way, text) = way(text.trim_end().as_bytes()).expect("a letter");
        let (head, body) = request(text).expect("a request");
        let head = signed(head, &body, way).expect("a signature");
        let response = answer(&gateway, &head, &body).expect("an answer");
        assert!(response.status().is_success(), "{head:?}: {:?}", response.body());
    }
    gateway.cloud().world()
});

/// How a request is signed.
#[derive(Clone, Copy)]
enum Way {
    Parameters,
    Acs3,
    OssV1,
    OssV4,
}

fn way(text: &[u8]) -> Option<(Way, &[u8])> {
    let (letter, text) = text.split_first()?;
    Some(([Way::Parameters, Way::Acs3, Way::OssV1, Way::OssV4][usize::from(letter % 4)], text))
}

fuzz_target!(|data: &[u8]| {
    let gateway = gateway(&WORLD);
    let mut rest = Some(data);
    for _ in 0..MOST {
        let Some(text) = rest else { return };
        let (text, next) = split(text, b"\n---\n").map_or((text, None), |(text, next)| (text, Some(next)));
        rest = next;
        let Some((way, text)) = way(text) else { continue };
        let Some((head, body)) = request(text) else { continue };
        ask(&gateway, &head, &body);
        if let Some(head) = signed(head, &body, way) {
            ask(&gateway, &head, &body);
        }
    }
});

fn ask(gateway: &Gateway, head: &Parts, body: &Bytes) {
    let before = gateway.cloud().world();
    let response = answer(gateway, head, body).expect("an answer");
    let status = response.status().as_u16();
    // It is slow to make a text of what is no text, so only where it is read.
    let text = || String::from_utf8_lossy(response.body()).into_owned();
    assert_ne!(status, 500, "{head:?}: {}", text());
    if status >= 400 {
        assert!(gateway.cloud().world() == before, "{head:?} changed the world, and was refused: {}", text());
    }
}

/// The head of a request, signed for the built-in access key, where it can be signed so.
fn signed(mut head: Parts, body: &Bytes, way: Way) -> Option<Parts> {
    static NONCE: AtomicU64 = AtomicU64::new(0);
    let now = Timestamp::now();
    let nonce = NONCE.fetch_add(1, Ordering::Relaxed).to_string();
    let secret = Secret::new(ACCESS_KEY_SECRET);
    head.headers.remove(AUTHORIZATION);
    if !head.headers.contains_key(HOST) {
        set(&mut head, "host", "127.0.0.1:8751");
    }
    match way {
        Way::Parameters => {
            let mut query = owned(head.uri.query().unwrap_or_default().as_bytes());
            let time = now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
            let own = [
                ("AccessKeyId", ACCESS_KEY),
                ("SignatureMethod", "HMAC-SHA1"),
                ("SignatureVersion", "1.0"),
                ("SignatureNonce", nonce.as_str()),
                ("Timestamp", time.as_str()),
            ];
            let is_own = |name: &str| name == "Signature" || own.iter().any(|(own, _)| *own == name);
            query.retain(|(name, _)| !is_own(name));
            query.extend(own.map(|(name, value)| (Cow::from(name), Cow::from(value.to_owned()))));
            let mut pairs = query.clone();
            if head.headers.get(CONTENT_TYPE).is_some() {
                pairs.extend(owned(body));
            }
            let signature = rpc::sign(&head.method, &pairs, &secret).expect("a method that is known");
            query.push((Cow::from("Signature"), Cow::from(signature)));
            let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
            head.uri = Uri::try_from(format!("/?{text}")).ok()?;
        }
        Way::Acs3 => {
            let query = owned(head.uri.query().unwrap_or_default().as_bytes());
            for (name, parameter) in [("x-acs-action", "Action"), ("x-acs-version", "Version")] {
                let given = query.iter().find(|(name, _)| name == parameter);
                if let Some((_, value)) = given
                    && let Ok(value) = value.parse()
                    && !head.headers.contains_key(name)
                {
                    head.headers.insert(name, value);
                }
            }
            set(&mut head, "x-acs-date", &now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
            set(&mut head, "x-acs-signature-nonce", &nonce);
            set(&mut head, "x-acs-content-sha256", &acs3::content_sha256(body));
            let request = acs3::Request {
                method: &head.method,
                path: head.uri.path(),
                query: &query,
                headers: &head.headers,
                body,
            };
            let authorization = acs3::sign(&request, ACCESS_KEY, &secret);
            set(&mut head, "authorization", &authorization);
        }
        Way::OssV1 | Way::OssV4 => {
            set(&mut head, "x-oss-date", &now.strftime("%Y%m%dT%H%M%SZ").to_string());
            set(&mut head, "x-oss-content-sha256", "UNSIGNED-PAYLOAD");
            let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            let address = Address::read(host, head.uri.path()).ok()?;
            let query = owned(head.uri.query().unwrap_or_default().as_bytes());
            let request = oss::Request {
                method: &head.method,
                bucket: address.bucket.as_deref(),
                key: address.key.as_deref().unwrap_or_default(),
                query: &query,
                headers: &head.headers,
            };
            let authorization = match way {
                Way::OssV1 => oss::v1::sign(&request, ACCESS_KEY, &secret),
                _ => oss::v4::sign(&request, ACCESS_KEY, "cn-shanghai", &secret),
            };
            set(&mut head, "authorization", &authorization.expect("a date"));
        }
    }
    Some(head)
}

fn owned(text: &[u8]) -> Vec<Pair<'static>> {
    form_urlencoded::parse(text)
        .map(|(name, value)| (Cow::Owned(name.into_owned()), Cow::Owned(value.into_owned())))
        .collect()
}
