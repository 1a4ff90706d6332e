//! The face for JavaScript, of which the npm package makes one function for each function of a policy.

use wasm_bindgen::prelude::wasm_bindgen;

/// Smaller in the download than the allocator of the standard library.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Answers one request with one JSON document.
///
/// `info` tells which functions the module answers. Bad input is answered with an `error` document; nothing throws.
#[wasm_bindgen]
pub fn call(function: &str, request: &str) -> String {
    crate::call(function, request)
}
