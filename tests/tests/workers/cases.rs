//! Recorded cases as requests.

use std::sync::LazyLock;

use serde_json::Value;
pub use trellis_tests::workers::{live, request, workers};

/// The recorded cases, read once.
pub fn cases() -> &'static [Value] {
    static CASES: LazyLock<Vec<Value>> = LazyLock::new(|| trellis_tests::vectors::workers("alicloud"));
    &CASES
}

/// The cases whose machines the existing extension makes.
pub fn made_cases() -> impl Iterator<Item = &'static Value> {
    cases().iter().filter(|case| case["out"]["panic"].is_null() && case["out"]["error"].is_null())
}

/// The details of an answer's findings.
pub fn details(answer: &Value) -> Vec<&str> {
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    findings.iter().filter_map(|finding| finding["detail"].as_str()).collect()
}
