//! The face for JavaScript, of which the npm package makes one function for each function of a policy.

use wasm_bindgen::prelude::wasm_bindgen;

/// Answers one request with one JSON document.
///
/// `info` tells which functions the module answers. Bad input is answered with an `error` document; nothing throws.
#[wasm_bindgen]
pub fn call(function: &str, request: &str) -> String {
    crate::call(function, request)
}
