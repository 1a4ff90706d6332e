//! What runs a policy.

use std::collections::BTreeMap;

/// Runs the functions of policies. Requests and answers are JSON text; whatever is wrong with a request is
/// an answer too.
pub trait Engine {
    /// Calls `function` (`info`, `rules`, `validate` or `default`) of a provider's policy.
    fn call(&self, provider: &str, function: &str, request: &str) -> String;

    /// The provider types that have a policy.
    fn providers(&self) -> Vec<String>;

    /// JSON Schemas of a provider's kinds and of the request and answer documents, by name.
    fn schemas(&self, provider: &str) -> BTreeMap<String, serde_json::Value>;
}

/// Policies linked into this program.
#[cfg(feature = "native")]
#[derive(Clone, Copy, Debug)]
pub struct Native;

#[cfg(feature = "native")]
impl Engine for Native {
    fn call(&self, provider: &str, function: &str, request: &str) -> String {
        trellis_core::call(provider, function, request)
    }

    fn providers(&self) -> Vec<String> {
        trellis_core::providers().map(str::to_owned).collect()
    }

    fn schemas(&self, provider: &str) -> BTreeMap<String, serde_json::Value> {
        trellis_core::schemas(provider)
    }
}
