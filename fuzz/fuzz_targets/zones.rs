//! Any request: `addresses` and `zones` answer with JSON, and give the same answer again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_fuzz::{ask, provider};

fuzz_target!(|data: &[u8]| {
    let Ok(request) = std::str::from_utf8(data) else { return };
    for function in ["addresses", "zones"] {
        ask(provider(data), function, request);
    }
});
