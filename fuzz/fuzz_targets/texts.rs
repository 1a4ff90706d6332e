//! Quantities, durations, UUIDs and texts that patterns match: whatever the text, an answer, and what is printed
//! reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_core::kube::duration::Duration;
use trellis_core::kube::quantity::Quantity;
use trellis_core::text::{check_uuid, finds, matches_regex};

/// Patterns are the policies' own; one of each form.
const PATTERNS: [&str; 3] = [
    r"^[a-zA-Z][a-zA-Z0-9\.\-_:]+$",
    r"^https://[a-z0-9-]{3,24}\.blob\.core[^\s]+/[^\s]+$",
    r"^arn:aws[a-z0-9-]*:iam::\d{12}:role(/[\w+=,.@-]+)*/[\w+=,.@-]+$",
];

fuzz_target!(|text: &str| {
    for pattern in PATTERNS {
        matches_regex(text, pattern);
    }
    // An operator may write any pattern.
    let (pattern, rest) = text.split_once('\n').unwrap_or((text, ""));
    let _ = finds(rest, pattern);
    let _ = check_uuid(text);
    if let Ok(quantity) = Quantity::parse(text) {
        // An exponent near the limit of 32 bits may pass it when it is printed.
        let printed = quantity.to_string();
        if let Ok(again) = Quantity::parse(&printed) {
            assert_eq!(again.to_string(), printed);
        }
    }
    if let Ok(duration) = Duration::parse(text) {
        assert_eq!(Duration::parse(&duration.to_string()).ok(), Some(duration));
    }
});
