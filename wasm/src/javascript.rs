//! The face for JavaScript, of which the npm package makes one function for each function of a policy. A module has one half
//! of them: a page that judges what a person types loads no more.

use wasm_bindgen::prelude::wasm_bindgen;

/// Answers one request with one JSON document.
///
/// `function` is `classify`, `plan` or `status` in a module for infrastructure, and `addresses`, `default`, `info`, `rules`,
/// `validate` or `zones` in one that judges. Bad input is answered with an `error` document; nothing throws.
#[wasm_bindgen]
pub fn call(function: &str, request: &str) -> String {
    if cfg!(feature = "infrastructure") {
        trellis_core::infrastructure(crate::provider(), function, request)
    } else {
        trellis_core::judge(crate::provider(), function, request)
    }
}
