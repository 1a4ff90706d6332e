//! The policy core as a WebAssembly module for JavaScript: JSON text in, JSON text out.

use wasm_bindgen::prelude::wasm_bindgen;

/// Answers one request to the policy of a provider with one JSON document.
///
/// `function` is `info`, `rules`, `validate` or `default`. Bad input is answered with an `error` document; nothing throws.
#[wasm_bindgen]
pub fn call(provider: &str, function: &str, request: &str) -> String {
    trellis_core::call(provider, function, request)
}
