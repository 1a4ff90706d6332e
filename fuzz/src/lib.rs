//! What fuzz targets share.

/// The provider that an input is for. The number of bytes picks the provider, so that the input stays a document,
/// and white space at its end leads to another provider.
#[must_use]
pub fn provider(data: &[u8]) -> &'static str {
    picked(trellis_core::providers, data)
}

/// The policy that an input is for, a provider's or one that judges objects of every provider. It is picked as a
/// provider is.
#[must_use]
pub fn policy(data: &[u8]) -> &'static str {
    picked(trellis_core::policies, data)
}

fn picked<I: Iterator<Item = &'static str>>(names: fn() -> I, data: &[u8]) -> &'static str {
    let count = names().count().max(1);
    names().nth(data.len() % count).unwrap_or_default()
}

/// Asks a policy twice: the answers are JSON, and equal.
///
/// # Panics
///
/// If they are not.
pub fn ask(provider: &str, function: &str, request: &str) {
    let answer = trellis_core::call(provider, function, request);
    assert_eq!(trellis_core::call(provider, function, request), answer);
    // Without reading values: a person's number may be beyond every machine type.
    let _: serde::de::IgnoredAny = serde_json::from_str(&answer).expect("an answer is JSON");
}
