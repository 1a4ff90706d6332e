//! Quantities, durations, UUIDs and patterns: whatever the text, an answer, and what is printed reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_core::kube::duration::Duration;
use trellis_core::kube::quantity::Quantity;
use trellis_core::text::{check_uuid, matches};

fuzz_target!(|texts: (&str, &str)| {
    let (pattern, text) = texts;
    matches(pattern, text);
    let _ = check_uuid(text);
    if let Ok(quantity) = Quantity::parse(text) {
        assert!(Quantity::parse(&quantity.to_string()).is_ok());
    }
    if let Ok(duration) = Duration::parse(text) {
        assert_eq!(Duration::parse(&duration.to_string()).ok(), Some(duration));
    }
});
