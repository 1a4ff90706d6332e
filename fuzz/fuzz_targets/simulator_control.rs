//! Requests to the simulator's own API: each is answered with JSON, none by an internal error.
//!
//! An input is one request or more, with `---` between them.
#![no_main]

mod simulator;

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;
use simulator::{answer, gateway, request, split};
use trellis_simulator::control::PREFIX;
use trellis_simulator::world::World;

/// Most requests of an input: the list of all actions takes a while here.
const MOST: usize = 4;

fuzz_target!(|data: &[u8]| {
    let gateway = gateway(&World::default());
    let mut rest = Some(data);
    for _ in 0..MOST {
        let Some(text) = rest else { return };
        let (text, next) = split(text, b"\n---\n").map_or((text, None), |(text, next)| (text, Some(next)));
        rest = next;
        let Some((head, body)) = request(text) else { continue };
        if !head.uri.path().starts_with(PREFIX) {
            continue;
        }
        let response = answer(&gateway, &head, &body).expect("an answer");
        let status = response.status().as_u16();
        assert!(matches!(status, 200 | 400 | 403 | 404 | 405 | 409 | 413 | 415), "{head:?}: {status}");
        let _: IgnoredAny = serde_json::from_slice(response.body()).expect("an answer is JSON");
    }
});
