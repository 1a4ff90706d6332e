//! Any request: `default` answers with JSON, and gives the same answer again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_fuzz::{ask, policy};

fuzz_target!(|data: &[u8]| {
    let Ok(request) = std::str::from_utf8(data) else { return };
    ask(policy(data), "default", request);
});
