//! The face for JavaScript, of which the npm package makes one function for each function of a policy.

/// Smaller in the download than the allocator of the standard library.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Makes a crate the module for JavaScript of parts of a policy.
#[macro_export]
macro_rules! module {
    ($policy:ident: $($constant:ident),+) => {
        /// Answers one request with one JSON document.
        ///
        /// `info` says which functions the module answers. Bad input is answered with an `error` document;
        /// nothing throws.
        #[wasm_bindgen::prelude::wasm_bindgen]
        pub fn call(function: &str, request: &str) -> String {
            use $crate::provider::$policy;
            let parts: Vec<&'static dyn $crate::Part> = vec![$(&$policy::$constant),+];
            $crate::call($policy::TYPE, parts, function, request)
        }
    };
}
