//! Any request: `validate` answers with JSON, and gives the same answer again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(request) = std::str::from_utf8(data) else { return };
    for provider in trellis_core::providers() {
        let answer = trellis_core::call(provider, "validate", request);
        assert_eq!(trellis_core::call(provider, "validate", request), answer);
        let _: serde_json::Value = serde_json::from_str(&answer).expect("an answer is JSON");
    }
});
