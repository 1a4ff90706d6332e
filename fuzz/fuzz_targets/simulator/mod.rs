//! What the targets of the simulator share: requests as text, and a cloud whose clock stands still.

use std::pin::pin;
use std::str::FromStr;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, Uri};
use trellis_simulator::cloud::{Accounts, Clock, Cloud};
use trellis_simulator::gateway::Gateway;
use trellis_simulator::settings::{PerAction, Seconds, Settings};
use trellis_simulator::world::World;

/// A cloud in which everything happens at once, and nothing by itself.
pub fn gateway(world: &World) -> Gateway {
    static SETTINGS: LazyLock<Settings> =
        LazyLock::new(|| Settings { delays: PerAction::all(Seconds::default()), ..Settings::default() });
    let clock = Clock::still("2026-01-02T03:04:05Z".parse().expect("a time"));
    let cloud = Cloud::new(world.clone(), clock, SETTINGS.clone());
    cloud.keep_records(8);
    Gateway::new(cloud, Accounts::built_in(), "cn-shanghai")
}

/// Reads `METHOD TARGET`, lines of headers, an empty line and a body.
pub fn request(text: &[u8]) -> Option<(Parts, Bytes)> {
    let (head, body) = split(text, b"\n\n").unwrap_or((text, b""));
    let mut lines = head.split(|byte| *byte == b'\n');
    let (method, target) = split(lines.next()?, b" ")?;
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(method).ok()?;
    *request.uri_mut() = Uri::try_from(target).ok()?;
    for line in lines {
        let Some((name, value)) = split(line, b": ") else { continue };
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value)) {
            request.headers_mut().append(name, value);
        }
    }
    Some((request.into_parts().0, Bytes::copy_from_slice(body)))
}

/// What is before and after the first of these.
pub fn split<'a>(text: &'a [u8], at: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let start = text.windows(at.len()).position(|window| window == at)?;
    Some((&text[..start], &text[start + at.len()..]))
}

/// The answer to a request, which is there at once where no fault was ordered.
pub fn answer(gateway: &Gateway, head: &Parts, body: &Bytes) -> Option<Response<Bytes>> {
    let answer = pin!(gateway.answer("127.0.0.1:1", head, body.clone()));
    match answer.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer.ok(),
        Poll::Pending => None,
    }
}

/// A header of a request that is being made.
pub fn set(head: &mut Parts, name: &str, value: &str) {
    let name = HeaderName::from_str(name).expect("a name");
    head.headers.insert(name, HeaderValue::from_str(value).expect("a value"));
}
