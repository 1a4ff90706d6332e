//! Any request: `addresses` and `zones` answer with JSON, and give the same answer again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|data: &[u8]| {
    let Ok(request) = std::str::from_utf8(data) else { return };
    for provider in trellis_core::providers() {
        for function in ["addresses", "zones"] {
            let answer = trellis_core::call(provider, function, request);
            assert_eq!(trellis_core::call(provider, function, request), answer);
            // Without reading values: a person's number may be beyond every machine type.
            let _: IgnoredAny = serde_json::from_str(&answer).expect("an answer is JSON");
        }
    }
});
